/** Writers of other tools in transactions of other kinds than this program's. */
import pg from 'pg'
import t from 'tap'
import { openPostgres } from '../support/stores.js'
import { at, holdsReplayToExport, LOSS, numbers, SERIES } from './fixtures.js'

for (const level of ['read committed', 'repeatable read', 'serializable']) {
  t.test(`${level}: a copy that was made behind the back of a writer is not believed`, async (t) => {
    const { store, sql, ownerUrl } = await openPostgres(t)
    const other = new pg.Client({ connectionString: ownerUrl ?? '' })
    await other.connect()
    t.teardown(() => other.end())
    const insertRun = (number: number) =>
      sql(
        'insert into runs (run_id, test_path, backend, suite, created_at, trusted) values ($1, $2, $3, $4, $5, true)',
        [`r${number}`, SERIES.testPath, SERIES.backend, SERIES.suite, at(number)],
      )
    const insertValue = `insert into metric_values (run_id, metric_key, steps_key, constraint_key, step, value)
      values ($1, $2, '', '', $3, $4)`
    await insertRun(1)
    await sql(insertValue, ['r1', LOSS.metricKey, LOSS.step, 1])
    await other.query(`begin isolation level ${level}`)
    await other.query('select count(*) from runs')
    t.equal(await store.copySome(), 1)
    await other.query('update metric_values set value = 5 where run_id = $1', ['r1'])
    await other.query(insertValue, ['r1', 'another', 0, 1])
    await other.query('commit')
    t.strictSame(await numbers(store), [5])
    await holdsReplayToExport(t, store)
    await insertRun(2)
    await sql(insertValue, ['r2', LOSS.metricKey, LOSS.step, 2])
    while ((await store.copySome()) > 0);
    t.strictSame(await numbers(store), [2, 5], 'nor does it keep others from theirs')
    t.strictSame(await sql('select run_id from uncopied_runs where run_id = $1', ['r2']), [])
    await holdsReplayToExport(t, store)
  })
}
