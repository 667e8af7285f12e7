/** What a replay could not judge: values that are not there, declarations that were never enforceable, unclear windows. */
import type { Replay } from '../../api/types'
import { seriesHref } from '../../hrefs'
import { Name } from '../../parts/name'
import { count, plural, Value } from '../../parts/number'
import { SeriesName } from '../../parts/series-name'
import { stepPhrase } from '../../parts/step'
import { VirtualTable } from '../../parts/table'
import { Time } from '../../parts/time'
import { RUN_COLUMN } from './places'
import { ShowMore, useSome } from './show-more'

const AT_A_TIME = 12
const STEPS_SHOWN = 8
const HEIGHTS = { wide: 52, narrow: 84 }

export function Incomplete({ items }: { items: Replay['incomplete'] }) {
  const some = useSome(newestFirst(items), AT_A_TIME)
  return (
    <>
      <VirtualTable
        id="gaps"
        label="Incomplete coverage, newest first"
        rows={some.shown}
        keyOf={({ run_id: run, metric_key: metric }) => `${run} ${metric}`}
        rowHeight={HEIGHTS}
        columns={[
          {
            id: 'series',
            head: 'Series',
            cell: ({ series, metric_key: metric }) => (
              <SeriesName series={series} href={seriesHref(series, { metric })} />
            ),
          },
          {
            id: 'what',
            head: 'Lacks',
            cell: ({ metric_key: metric, missing_steps: steps, missing_steps_total: total }) => (
              <div class="candidate-metric">
                <Name text={metric} />
                <span class="muted small">{missingText(steps, total)}</span>
              </div>
            ),
          },
          RUN_COLUMN,
          { id: 'time', head: 'Time', cell: ({ created_at: at }) => <Time iso={at} form="stacked" /> },
        ]}
      />
      <ShowMore of={some} total={items.length} />
    </>
  )
}

export function ColdStarts({ items }: { items: Replay['declarations_without_eligible_comparisons'] }) {
  const some = useSome(items, AT_A_TIME)
  return (
    <>
      <VirtualTable
        id="cold"
        label="Declarations that were never enforceable"
        rows={some.shown}
        keyOf={({ series, metric_key: metric }) =>
          `${series.test_path} ${series.backend} ${series.suite} ${metric}`
        }
        rowHeight={HEIGHTS}
        columns={[
          {
            id: 'series',
            head: 'Series',
            cell: ({ series, metric_key: metric }) => (
              <SeriesName series={series} href={seriesHref(series, { metric })} />
            ),
          },
          { id: 'what', head: 'Metric', cell: ({ metric_key: metric }) => <Name text={metric} /> },
          {
            id: 'count',
            head: 'Compared',
            align: 'end',
            cell: ({ comparisons, cold_starts: cold }) => (
              <>
                {plural(comparisons, 'comparison')}
                <span class="muted small">, {plural(cold, 'cold start')}</span>
              </>
            ),
          },
        ]}
      />
      <ShowMore of={some} total={items.length} />
    </>
  )
}

export function AmbiguousWindows({ items }: { items: Replay['ambiguous_windows'] }) {
  const some = useSome(newestFirst(items), AT_A_TIME)
  return (
    <>
      <VirtualTable
        id="gaps"
        label="Ambiguous windows, newest first"
        rows={some.shown}
        keyOf={({ run_id: run, metric_key: metric, step }) => `${run} ${step} ${metric}`}
        rowHeight={HEIGHTS}
        columns={[
          {
            id: 'series',
            head: 'Series',
            cell: ({ series, metric_key: metric, step }) => (
              <SeriesName series={series} href={seriesHref(series, { metric, step })} />
            ),
          },
          {
            id: 'what',
            head: 'Value',
            cell: ({ metric_key: metric, step, value }) => (
              <div class="candidate-metric">
                <Name text={metric} />
                <span class="muted small">
                  {stepPhrase(step)}: <Value value={value} />
                </span>
              </div>
            ),
          },
          RUN_COLUMN,
          { id: 'time', head: 'Cut at', cell: ({ cut_at: at }) => <Time iso={at} form="stacked" /> },
        ]}
      />
      <ShowMore of={some} total={items.length} />
    </>
  )
}

/** The API tells the oldest first. */
function newestFirst<T>(items: readonly T[]): readonly T[] {
  return [...items].reverse()
}

function missingText(steps: readonly number[], total: number): string {
  if (total === 0) return 'the whole metric'
  const shown = steps.slice(0, STEPS_SHOWN).map(stepPhrase).join(', ')
  return total > STEPS_SHOWN ? `${shown} and ${count(total - STEPS_SHOWN)} more` : shown
}
