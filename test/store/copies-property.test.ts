/**
 * A thousand changes at random, by two instances and by plain SQL: after each of them the store answers what the rows
 * say, whatever has a copy and whatever lost it.
 */
import t from 'tap'
import { compareCodePoints } from '../../src/gate/literal.js'
import type { Baseline, Series } from '../../src/gate/run.js'
import { uniformNumbers } from '../../src/demo/random.js'
import { forEachBackend } from '../support/stores.js'
import {
  at,
  holdsReplayToExport,
  imported,
  importRuns,
  revoke,
  run,
  SERIES,
  value,
  writeRuns,
} from './fixtures.js'

t.setTimeout(300_000)

const CHANGES = 1_000
const METRICS = ['a', 'b', 'c'] as const
const STEPS = [-1, 0, 1, 2, 5] as const
const OTHER: Series = { ...SERIES, suite: 'other' }
const COORDINATES = METRICS.flatMap((metricKey) => STEPS.map((step) => ({ metricKey, step })))
const LIMIT = 4

interface Row {
  readonly run_id: string
  readonly created_at: string
  readonly suite: string
  readonly trusted: boolean | number
  readonly metric_key: string
  readonly step: number | string
  readonly value: number
}

/** By the shortest code that can be checked by eye. */
function fromRows(rows: readonly Row[], series: Series) {
  const mine = rows
    .filter(({ suite, trusted }) => suite === series.suite && Boolean(trusted))
    .sort(
      (a, b) =>
        compareCodePoints(b.created_at, a.created_at) ||
        compareCodePoints(b.run_id, a.run_id) ||
        b.value - a.value,
    )
  const baselines = COORDINATES.map(({ metricKey, step }): Baseline => {
    const held = mine.filter((row) => row.metric_key === metricKey && Number(row.step) === step)
    const window = held.slice(0, LIMIT)
    return {
      values: window.map((row) => row.value),
      runs: window.map((row) => ({ runId: row.run_id, createdAt: row.created_at })),
      nonFinite: 0,
    }
  })
  const trustedSteps = METRICS.flatMap((metricKey) => {
    const held = mine.filter((row) => row.metric_key === metricKey && Number(row.step) >= 0)
    const newest = held.filter((row) => row.run_id === held[0]?.run_id)
    const steps = [...new Set(newest.map((row) => Number(row.step)))].sort((a, b) => a - b)
    return steps.length === 0 ? [] : [[metricKey, steps] as const]
  })
  return { baselines, trustedSteps }
}

forEachBackend((name, open) => {
  t.test(`${name}: ${CHANGES} changes`, async (t) => {
    const { store, sql, openAnother } = await open(t)
    const second = await openAnother()
    const random = uniformNumbers(20_261_130)
    const below = (n: number) => Math.floor(random() * n)
    const oneOf = <T>(items: readonly T[]): T => items[below(items.length)]!
    const time =
      name === 'sqlite'
        ? 'created_at'
        : `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    const rowsOf = () =>
      sql<Row>(
        `select r.run_id, ${time} as created_at, r.suite, r.trusted, m.metric_key, m.step, m.value
         from runs r join metric_values m on m.run_id = r.run_id`,
      )
    let made = 0
    const newRun = () => {
      const present = COORDINATES.filter(() => random() < 0.4)
      return run(`r${String(made++).padStart(4, '0')}`, {
        // Few times, so that many are equal, and others come in before them.
        createdAt: at(below(30)),
        series: random() < 0.8 ? SERIES : OTHER,
        trusted: random() < 0.8,
        values: present.map(({ metricKey, step }) => value(metricKey, step, below(100) / 8)),
      })
    }
    const anyRun = async () => {
      const ids = await sql<{ run_id: string }>('select run_id from runs order by run_id')
      return ids.length === 0 ? null : oneOf(ids).run_id
    }
    const insertBySql = async () => {
      const { runId, series, createdAt, trusted, values } = newRun()
      await sql(
        `insert into runs (run_id, test_path, backend, suite, commit_sha, created_at, trusted)
         values ($1, $2, $3, $4, 'c', $5, $6)`,
        [runId, series.testPath, series.backend, series.suite, createdAt, trusted],
      )
      for (const each of values) await insertValue(runId, each.metricKey, each.step, each.value)
    }
    const insertValue = (runId: string, metricKey: string, step: number, number: number) =>
      sql(
        `insert into metric_values (run_id, metric_key, steps_key, constraint_key, step, value)
         values ($1, $2, '', '', $3, $4)`,
        [runId, metricKey, step, number],
      )
    const onARun = (work: (runId: string) => Promise<unknown>) => async () => {
      const runId = await anyRun()
      if (runId !== null) await work(runId)
    }
    const changes: ReadonlyArray<readonly [weight: number, what: string, change: () => Promise<unknown>]> = [
      [6, 'one instance writes', () => writeRuns(store, newRun())],
      [6, 'the other writes', () => writeRuns(second, newRun())],
      [4, 'another writer inserts', insertBySql],
      [
        2,
        'an import',
        () => importRuns(oneOf([store, second]), imported('', { ...newRun(), runId: `i${made}` })),
      ],
      [5, 'copies are made', () => oneOf([store, second]).copySome()],
      [3, 'a value is added', onARun((id) => insertValue(id, oneOf(METRICS), oneOf(STEPS), below(9)))],
      [
        3,
        'a value is changed',
        onARun((id) =>
          sql('update metric_values set value = value + 1 where run_id = $1 and step = $2', [
            id,
            oneOf(STEPS),
          ]),
        ),
      ],
      [
        2,
        'values are given to another run',
        onARun((id) =>
          sql(
            `update metric_values set run_id = $1 where metric_key = $2
             and run_id = (select min(run_id) from runs where run_id > $1)`,
            [id, oneOf(METRICS)],
          ),
        ),
      ],
      [
        3,
        'values are deleted',
        onARun((id) =>
          sql('delete from metric_values where run_id = $1 and metric_key = $2', [id, oneOf(METRICS)]),
        ),
      ],
      [
        1,
        'a run is deleted',
        onARun(async (id) => {
          await sql('delete from metric_values where run_id = $1', [id])
          await sql('delete from runs where run_id = $1', [id])
        }),
      ],
      [
        2,
        'a run gets another time',
        onARun((id) => sql('update runs set created_at = $2 where run_id = $1', [id, at(below(30))])),
      ],
      [
        1,
        'a run gets another series',
        onARun((id) =>
          sql('update runs set suite = $2 where run_id = $1', [id, oneOf([SERIES, OTHER]).suite]),
        ),
      ],
      [
        2,
        'trust is changed by SQL',
        onARun((id) => sql('update runs set trusted = not trusted where run_id = $1', [id])),
      ],
      [2, 'a revocation', onARun((id) => revoke(oneOf([store, second]), `v${made++}`, { runIds: [id] }))],
    ]
    const bag = changes.flatMap(([weight, what, change]) =>
      Array.from({ length: weight }, () => [what, change] as const),
    )
    const question = { coordinates: COORDINATES, stepsOf: [...METRICS], limit: LIMIT }
    const done = new Map<string, number>()
    let wrong = 0
    for (let index = 0; index < CHANGES && wrong < 3; index++) {
      const [what, change] = oneOf(bag)
      await change()
      done.set(what, (done.get(what) ?? 0) + 1)
      const rows = await rowsOf()
      if (index % 50 === 49) await holdsReplayToExport(t, store)
      for (const series of [SERIES, OTHER]) {
        const expected = fromRows(rows, series)
        const answered = await oneOf([store, second]).read((reader) => reader.gateHistory(series, question))
        const actual = { baselines: answered.baselines, trustedSteps: [...answered.trustedSteps].sort() }
        if (JSON.stringify(actual) === JSON.stringify(expected)) continue
        wrong++
        t.strictSame(actual, expected, `change ${index}: ${what}`)
      }
    }
    t.equal(wrong, 0, 'every answer is what the rows say')
    t.equal(done.size, changes.length, 'every kind of change was made')
    const [copies] = await sql<{ n: number }>('select count(*) as n from run_vectors')
    t.ok(Number(copies?.n) > 100, `${String(copies?.n)} copies at the end`)
    t.comment(JSON.stringify(Object.fromEntries(done)))
  })
})
