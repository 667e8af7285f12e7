/** What a series measures, and by which rules. */
import { sql } from 'kysely'
import type { Series } from '../../gate/run.js'
import type { CoordinateListing } from '../history.js'
import { all, runsInSeries } from './conditions.js'
import type { Database, Dialect } from './dialect.js'

interface CountRow {
  readonly metric_key: string
  readonly step: number
  readonly n: number
}

export async function listCoordinates(
  db: Database,
  dialect: Dialect,
  series: Series,
  { limit, after }: { limit: number; after: string | null },
): Promise<CoordinateListing[]> {
  const metricKey = dialect.byCodePoint('m.metric_key')
  const following = after === null ? sql<boolean>`1 = 1` : sql<boolean>`${metricKey} > ${after}`
  const { rows } = await sql<CountRow>`
    select c.metric_key, c.step, c.n
    from (
      select m.metric_key, m.step, count(*) as n, dense_rank() over (order by ${metricKey}) as place
      from runs r
      ${dialect.joinValues(following)}
      where ${all([...runsInSeries(dialect, series), dialect.hasTime('r.created_at')])}
      group by m.metric_key, m.step
    ) c
    where c.place <= ${limit}
    order by ${dialect.byCodePoint('c.metric_key')}, c.step`.execute(db)
  const metrics = new Map<string, { steps: number[]; values: number }>()
  for (const { metric_key, step, n } of rows) {
    const metric = metrics.get(metric_key)
    if (metric === undefined) metrics.set(metric_key, { steps: [step], values: n })
    else {
      metric.steps.push(step)
      metric.values += n
    }
  }
  return Array.from(metrics, ([metricKey, { steps, values }]) => ({ metricKey, steps, values }))
}

export async function newestDeclarations(
  db: Database,
  dialect: Dialect,
  series: Series,
): Promise<string | null> {
  const { rows } = await sql<{ declarations: string }>`
    select coalesce(v.declarations, i.declarations) as declarations
    from runs r
    left join verdicts v on v.run_id = r.run_id
    left join imported_runs i on i.run_id = r.run_id
    where ${dialect.inRestingSeries('r', series)} and ${dialect.hasTime('r.created_at')}
      and coalesce(v.declarations, i.declarations) is not null
    order by ${dialect.byCodePoint('r.suite')}, r.created_at desc, ${dialect.byCodePoint('r.run_id')} desc
    limit 1`.execute(db)
  return rows[0]?.declarations ?? null
}
