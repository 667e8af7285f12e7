/** The checks of a verdict: failing first, each value drawn against its corridor. */
import { useMemo, useState } from 'preact/hooks'
import type { Series, Verdict } from '../../api/types'
import { seriesHref } from '../../hrefs'
import { corridorText } from '../../parts/chart/readout'
import { CorridorBar } from '../../parts/corridor-bar'
import { Icon } from '../../parts/icon'
import { Name } from '../../parts/name'
import { count, Value } from '../../parts/number'
import { Empty } from '../../parts/states'
import { StatusMark } from '../../parts/status'
import { stepPhrase, stepWord } from '../../parts/step'
import { type Column, type Sort, VirtualTable } from '../../parts/table'
import { setQuery, useLocation } from '../../router'
import { type CheckFilter, type CheckRow, checkRows, filterChecks, sortChecks, statusOf } from './checks'

const FILTERS: ReadonlyArray<readonly [filter: CheckFilter, word: string]> = [
  ['all', 'All'],
  ['failing_ci', 'Fails CI'],
  ['fail', 'Failed'],
  ['error', 'Error'],
  ['insufficient', 'Too little history'],
  ['inactive', 'Inactive'],
  ['pass', 'Passed'],
]

export function ChecksTable({ verdict }: { verdict: Verdict }) {
  const { query } = useLocation()
  const [sort, setSort] = useState<Sort>({ by: 'status', descending: false })
  const rows = useMemo(() => checkRows(verdict.checks), [verdict])
  const columns = useMemo(() => columnsFor(verdict.series), [verdict])
  const text = query.get('q') ?? ''
  const filter = FILTERS.find(([name]) => name === query.get('status'))?.[0] ?? 'all'
  const shown = useMemo(() => sortChecks(filterChecks(rows, text, filter), sort), [rows, text, filter, sort])

  if (rows.length === 0) {
    return (
      <div class="panel">
        <Empty title="The run declared no gates.">There was nothing to judge, so it passed.</Empty>
      </div>
    )
  }
  return (
    <section aria-label="Checks">
      <div class="toolbar checks-tools">
        <label class="search">
          <Icon name="search" />
          <input
            class="input"
            type="search"
            placeholder="Search metric or step"
            aria-label="Search checks"
            value={text}
            onInput={(event) => setQuery({ q: event.currentTarget.value })}
          />
        </label>
        <div class="segmented checks-filter" role="group" aria-label="Status">
          {FILTERS.map(([name, word]) => {
            const fitting = name === 'all' ? rows.length : filterChecks(rows, '', name).length
            if (fitting === 0 && name !== filter) return null
            return (
              <button
                key={name}
                type="button"
                aria-pressed={filter === name}
                onClick={() => setQuery({ status: name === 'all' ? null : name })}
              >
                {word} <span class="segment-count">{count(fitting)}</span>
              </button>
            )
          })}
        </div>
      </div>
      {shown.length > 0 ? (
        <VirtualTable
          id="checks"
          label="Checks"
          rows={shown}
          columns={columns}
          keyOf={({ place }) => String(place)}
          rowHeight={{ wide: 52, narrow: 116 }}
          rowClass={({ check }) => (check.fails_ci ? 'row-fail' : undefined)}
          sort={sort}
          onSort={setSort}
        />
      ) : (
        <div class="panel">
          <Empty title="No check fits.">
            <button
              type="button"
              class="button button-small"
              onClick={() => setQuery({ q: null, status: null })}
            >
              Clear the filters
            </button>
          </Empty>
        </div>
      )}
    </section>
  )
}

function columnsFor(series: Series): ReadonlyArray<Column<CheckRow>> {
  return [
    {
      id: 'status',
      head: 'Status',
      sorts: true,
      cell: ({ check }) => (
        <span class="check-status">
          <StatusMark status={statusOf(check)} />
          {check.fails_ci && <span class="fails-ci small">fails CI</span>}
          {check.status === 'fail' && !check.fails_ci && <span class="muted small">not enforced</span>}
        </span>
      ),
    },
    {
      id: 'metric',
      head: 'Metric',
      sorts: true,
      cell: ({ check }) => (
        <div class="check-metric">
          <a href={seriesHref(series, { metric: check.metric_key, step: check.step })}>
            <Name text={check.metric_key} />
          </a>
          <span class="check-step muted small">{check.step === null ? '' : stepPhrase(check.step)}</span>
          <span class="check-reason muted small" title={check.reason}>
            <bdi>{check.reason}</bdi>
          </span>
        </div>
      ),
    },
    {
      id: 'step',
      head: 'Step',
      align: 'end',
      cell: ({ check: { step, at_step: at } }) => (
        <span title={step === null ? 'nothing could be selected' : stepPhrase(step)}>
          {stepWord(step)}
          {at !== null && at !== step && <span class="muted small"> at {at}</span>}
        </span>
      ),
    },
    {
      id: 'value',
      head: 'Value',
      align: 'end',
      sorts: true,
      cell: ({ check: { value } }) => <Value value={value} />,
    },
    {
      id: 'off',
      head: 'Against the corridor',
      sorts: true,
      cell: ({ check: { value, status }, mean, lower, upper }) => (
        <CorridorBar value={value} mean={mean} lower={lower} upper={upper} failed={status === 'fail'} />
      ),
    },
    {
      id: 'corridor',
      head: 'Corridor',
      align: 'end',
      cell: ({ lower, upper, check }) => (
        <span class="muted">
          {check.baseline === null && check.limit === null ? '—' : corridorText(lower, upper)}
        </span>
      ),
    },
    {
      id: 'n',
      head: 'n',
      align: 'end',
      sorts: true,
      cell: ({ check: { baseline } }) => (
        <span class="muted">{baseline === null ? '—' : count(baseline.n)}</span>
      ),
    },
  ]
}
