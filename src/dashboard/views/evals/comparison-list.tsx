/** Comparisons of eval runs, newest first; of what is shown, the inconclusive ones stand before the others. */
import { get } from '../../api/client'
import type { ComparisonHead, Page } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { comparisonHref } from '../../hrefs'
import { Name } from '../../parts/name'
import { short } from '../../parts/number'
import { Pager } from '../../parts/pager'
import { Empty, Loaded } from '../../parts/states'
import { type Column, VirtualTable } from '../../parts/table'
import { Time } from '../../parts/time'
import { ResultMark } from './result-mark'

const PER_PAGE = 50

const COLUMNS: ReadonlyArray<Column<ComparisonHead>> = [
  { id: 'result', head: 'Result', cell: ({ result }) => <ResultMark result={result} /> },
  {
    id: 'runs',
    head: 'Runs',
    cell: ({ comparison_id: id, baseline, current }) => (
      <a class="eval-link compared" href={comparisonHref(id)}>
        <RunName name={current.name} />
        <span class="muted compared-with">against</span>
        <RunName name={baseline.name} />
      </a>
    ),
  },
  {
    id: 'why',
    head: 'Why',
    cell: ({ reasons: [reason = ''] }) => (
      <span class="muted compared-why" title={reason}>
        <bdi>{reason}</bdi>
      </span>
    ),
  },
  {
    id: 'drop',
    head: 'Mean drop',
    align: 'end',
    cell: ({ gates }) => {
      const gate = gates[0]
      return gate === undefined || gate.mean_drop === null ? (
        <span class="muted">—</span>
      ) : (
        <>
          {short(threeDigits(gate.mean_drop))}
          <span class="muted small"> of {short(gate.limit)}</span>
        </>
      )
    },
  },
  { id: 'time', head: 'Time', cell: ({ created_at: at }) => <Time iso={at} form="stacked" /> },
]

export function ComparisonList({ query }: { query: URLSearchParams }) {
  const cursor = query.get('cursor')
  const page = useResource(`comparisons ${cursor}`, (signal) =>
    get<Page<ComparisonHead>>('/v1/evals/comparisons', { query: { limit: PER_PAGE, cursor }, signal }),
  )
  return (
    <Loaded of={page} what="comparisons" rows={8}>
      {({ items, next_cursor: next }) =>
        items.length === 0 ? (
          <div class="panel">
            <Empty title={cursor === null ? 'No runs were compared yet.' : 'There are no older ones.'}>
              A run that is kept by <code>PUT /v1/evals/runs</code> is compared with another one by{' '}
              <code>POST /v1/evals/comparisons</code>.
            </Empty>
          </div>
        ) : (
          <>
            <VirtualTable
              id="comparisons"
              label="Comparisons, inconclusive ones first, then newest first"
              rows={inconclusiveFirst(items)}
              columns={COLUMNS}
              keyOf={({ comparison_id: id }) => id}
              rowHeight={{ wide: 52, narrow: 108 }}
              rowClass={({ result }) =>
                result === 'regression' || result === 'incomparable' ? 'row-fail' : undefined
              }
            />
            <Pager path="/evals" query={query} next={next} />
          </>
        )
      }
    </Loaded>
  )
}

/** A run that came with the request has none. */
export function RunName({ name }: { name: string | null }) {
  return name === null ? <span class="muted">a run without a name</span> : <Name text={name} mono={false} />
}

function inconclusiveFirst(items: readonly ComparisonHead[]): readonly ComparisonHead[] {
  const is = ({ result }: ComparisonHead) => result === 'inconclusive'
  return [...items.filter(is), ...items.filter((item) => !is(item))]
}

export function threeDigits<T>(value: T): T | number {
  return typeof value === 'number' ? Number(value.toPrecision(3)) : value
}
