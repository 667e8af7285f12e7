/** How far each matched question fell, from the two runs themselves: both have to be kept by name. */
import { useMemo, useState } from 'preact/hooks'
import { get } from '../../api/client'
import type { Comparison, EvalRun } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { Name } from '../../parts/name'
import { count, short } from '../../parts/number'
import { Empty, Loaded } from '../../parts/states'
import { type Column, type Sort, VirtualTable } from '../../parts/table'
import { setQuery, useLocation } from '../../router'
import { threeDigits } from './comparison-list'
import { DropBar } from './drop-bar'
import { type Drop, dropsOf, type Measure } from './drop-rows'

const MEASURES: ReadonlyArray<readonly [measure: Measure, words: string]> = [
  ['context', 'With the context'],
  ['lift', 'Lift'],
]

export function QuestionDrops({ comparison }: { comparison: Comparison }) {
  const { baseline, current } = comparison
  const names = baseline.name !== null && current.name !== null ? [baseline.name, current.name] : null
  const runs = useResource(names && JSON.stringify(names), (signal) =>
    Promise.all(names!.map((name) => get<EvalRun>(`/v1/evals/runs/${encodeURIComponent(name)}`, { signal }))),
  )
  return (
    <section class="section" aria-labelledby="drops">
      <div class="section-head">
        <h2 id="drops">Drops by question</h2>
        <span class="muted small">baseline − current; what fell furthest stands first</span>
      </div>
      {names === null ? (
        <div class="panel">
          <Empty title="The scores of each question are not kept.">
            A run that came with the request is judged and not stored. Runs that are stored by name can be
            looked at here.
          </Empty>
        </div>
      ) : (
        <Loaded of={runs} what="eval runs" rows={8}>
          {([before, after]) => <Drops before={before!} after={after!} />}
        </Loaded>
      )}
    </section>
  )
}

function Drops({ before, after }: { before: EvalRun; after: EvalRun }) {
  const { query } = useLocation()
  const measure: Measure = query.get('measure') === 'lift' ? 'lift' : 'context'
  const [sort, setSort] = useState<Sort>({ by: 'drop', descending: true })
  const drops = useMemo(() => dropsOf(before, after, measure), [before, after, measure])
  const rows = useMemo(() => sorted(drops, sort), [drops, sort])
  const most = useMemo(() => drops.reduce((reach, { drop }) => Math.max(reach, Math.abs(drop)), 0), [drops])
  const columns = useMemo(() => columnsFor(most), [most])
  const worse = drops.filter(({ drop }) => drop > 0).length
  const better = drops.filter(({ drop }) => drop < 0).length
  if (drops.length === 0) {
    return (
      <div class="panel">
        <Empty title="No question is scored in both runs." />
      </div>
    )
  }
  return (
    <>
      <div class="toolbar drops-tools">
        <div class="segmented" role="group" aria-label="Measure">
          {MEASURES.map(([name, words]) => (
            <button
              key={name}
              type="button"
              aria-pressed={measure === name}
              onClick={() => setQuery({ measure: name === 'context' ? null : name })}
            >
              {words}
            </button>
          ))}
        </div>
        <span class="muted small">
          {count(worse)} fell, {count(better)} rose, {count(drops.length - worse - better)} stayed
        </span>
      </div>
      <VirtualTable
        id="drops"
        label="Drops by question"
        rows={rows}
        columns={columns}
        keyOf={({ question }) => question}
        rowHeight={{ wide: 36, narrow: 60 }}
        sort={sort}
        onSort={({ by, descending }) =>
          setSort({ by, descending: sort.by === by ? descending : by === 'drop' })
        }
      />
    </>
  )
}

function columnsFor(most: number): ReadonlyArray<Column<Drop>> {
  return [
    { id: 'question', head: 'Question', sorts: true, cell: ({ question }) => <Name text={question} /> },
    {
      id: 'before',
      head: 'Baseline',
      align: 'end',
      sorts: true,
      cell: ({ before }) => short(threeDigits(before)),
    },
    {
      id: 'after',
      head: 'Current',
      align: 'end',
      sorts: true,
      cell: ({ after }) => short(threeDigits(after)),
    },
    {
      id: 'drop',
      head: 'Drop',
      align: 'end',
      sorts: true,
      cell: ({ drop }) => (
        <span class={drop > 0 ? 'drop-worse' : ''}>
          {drop > 0 ? '+' : ''}
          {short(threeDigits(drop))}
        </span>
      ),
    },
    { id: 'bar', head: '← rose, fell →', cell: ({ drop }) => <DropBar drop={drop} most={most} /> },
  ]
}

function sorted(drops: readonly Drop[], { by, descending }: Sort): readonly Drop[] {
  const sign = descending ? -1 : 1
  const compare = (a: Drop, b: Drop) => {
    if (by === 'question') return a.question < b.question ? -1 : 1
    const key = by === 'before' || by === 'after' ? by : 'drop'
    return a[key] - b[key]
  }
  return [...drops].sort((a, b) => sign * compare(a, b))
}
