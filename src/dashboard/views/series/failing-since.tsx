/** Where a metric that fails now began to fail: the first of its newest failures in a row, with the way to its run. */
import type { HistoryChart } from '../../../charts/history-chart'
import type { ChartPoint } from '../../../charts/points'
import { runHref } from '../../hrefs'
import { count } from '../../parts/number'
import { StatusMark } from '../../parts/status'
import { Time } from '../../parts/time'

export interface Failing {
  readonly first: ChartPoint
  readonly values: number
}

/** @returns null where the newest value did not fail */
export function failingSince(points: readonly ChartPoint[]): Failing | null {
  const before = points.findLastIndex(({ kind }) => kind !== 'failed')
  const first = points[before + 1]
  return first ? { first, values: points.length - before - 1 } : null
}

export function FailingSince({ chart: { points } }: { chart: HistoryChart }) {
  const failing = failingSince(points)
  if (failing === null) return null
  const { first, values } = failing
  return (
    <p class="failing-since">
      <StatusMark
        status="fail"
        word={values === 1 ? 'failed once' : `failed ${count(values)} times in a row`}
      />
      <span>
        {values === 1 ? 'in' : 'since'}{' '}
        <a href={runHref(first.item.run_id)}>{values === 1 ? 'the newest run' : 'the first of these runs'}</a>
        , <Time iso={first.item.created_at} form="line" />
      </span>
    </p>
  )
}
