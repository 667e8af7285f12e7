/** Search and filters of the overview; they live in the address. */
import { visibleText } from '../../../charts/visible-text'
import { Icon } from '../../parts/icon'
import { count } from '../../parts/number'
import { setQuery } from '../../router'
import type { Filters, StateFilter } from './rows'

const STATES: ReadonlyArray<readonly [state: StateFilter, word: string]> = [
  ['all', 'All'],
  ['failing', 'Failing'],
  ['untrusted', 'Untrusted'],
]

interface Props {
  readonly filters: Filters
  readonly backends: readonly string[]
  readonly suites: readonly string[]
  readonly found: number
  readonly total: number
}

export function Toolbar({ filters, backends, suites, found, total }: Props) {
  return (
    <div class="toolbar overview-toolbar" role="search" aria-label="Series">
      <label class="search">
        <Icon name="search" />
        <input
          class="input"
          type="search"
          placeholder="Search test, backend, suite"
          aria-label="Search"
          value={filters.text}
          onInput={(event) => setQuery({ q: event.currentTarget.value })}
        />
      </label>
      <div class="segmented" role="group" aria-label="State of the last run">
        {STATES.map(([state, word]) => (
          <button
            key={state}
            type="button"
            aria-pressed={filters.state === state}
            onClick={() => setQuery({ state: state === 'all' ? null : state })}
          >
            {word}
          </button>
        ))}
      </div>
      <Choice name="backend" all="All backends" value={filters.backend} values={backends} />
      <Choice name="suite" all="All suites" value={filters.suite} values={suites} />
      <span class="muted small overview-found" role="status">
        {found === total ? `${count(total)} series` : `${count(found)} of ${count(total)} series`}
      </span>
    </div>
  )
}

interface ChoiceProps {
  readonly name: 'backend' | 'suite'
  readonly all: string
  readonly value: string
  readonly values: readonly string[]
}

function Choice({ name, all, value, values }: ChoiceProps) {
  if (values.length < 2 && value === '') return null
  return (
    <select
      class="select"
      aria-label={name}
      value={value}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
    >
      <option value="">{all}</option>
      {(values.includes(value) || value === '' ? values : [value, ...values]).map((one) => (
        <option key={one} value={one}>
          {visibleText(one)}
        </option>
      ))}
    </select>
  )
}
