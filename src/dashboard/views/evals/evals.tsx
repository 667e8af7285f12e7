/** Evals that were judged: grids, and comparisons of runs; one kind at a time, newest first. */
import { setQuery, useLocation } from '../../router'
import { PageHead } from '../../parts/page-head'
import { ComparisonList } from './comparison-list'
import { GridList } from './grid-list'
import './evals.css'

const KINDS = [
  ['grids', 'Grids'],
  ['comparisons', 'Comparisons'],
] as const

export function EvalsView() {
  const { query } = useLocation()
  const shown = query.get('show') === 'comparisons' ? 'comparisons' : 'grids'
  return (
    <>
      <PageHead
        title="Evals"
        below="May a run count as a result: is its grid complete, and did its scores regress?"
        actions={
          <div class="segmented" role="group" aria-label="Kind">
            {KINDS.map(([kind, word]) => (
              <button
                key={kind}
                type="button"
                aria-pressed={shown === kind}
                onClick={() => setQuery({ show: kind === 'grids' ? null : kind, cursor: null })}
              >
                {word}
              </button>
            ))}
          </div>
        }
      />
      {shown === 'grids' ? <GridList query={query} /> : <ComparisonList query={query} />}
    </>
  )
}
