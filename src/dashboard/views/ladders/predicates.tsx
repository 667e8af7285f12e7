/** The predicates of a rung's entry: which hold, which do not, and what each read. */
import type { Predicate } from '../../api/types'
import { short } from '../../parts/number'
import { StatusMark } from '../../parts/status'

const MOST_ENTRIES = 6
const MOST_TEXT = 160

/** Those that failed stand first. */
export function Predicates({ predicates }: { predicates: readonly Predicate[] }) {
  const ordered = [...predicates].sort((a, b) => Number(a.passed) - Number(b.passed))
  return (
    <ul class="predicates">
      {ordered.map(({ name, passed, inputs }, index) => (
        <li key={index}>
          <span class="predicate-name">
            <StatusMark status={passed ? 'pass' : 'fail'} word={passed ? 'holds' : 'fails'} quiet />
            <bdi class="mono">{name}</bdi>
          </span>
          <span class="predicate-inputs muted small">
            {Object.entries(inputs).map(([input, value]) => (
              <span key={input}>
                {input.replaceAll('_', ' ')} <bdi>{valueText(value)}</bdi>
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  )
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '—'
  if (typeof value === 'number') return short(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none'
    const shown = value.slice(0, MOST_ENTRIES).map(valueText).join('; ')
    return cut(value.length > MOST_ENTRIES ? `${shown} and ${value.length - MOST_ENTRIES} more` : shown)
  }
  if (typeof value === 'object') {
    return cut(
      Object.entries(value)
        .map(([name, inner]) => `${name.replaceAll('_', ' ')} ${valueText(inner)}`)
        .join(', '),
    )
  }
  return typeof value === 'string' || typeof value === 'bigint' ? cut(String(value)) : '—'
}

function cut(text: string): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text
}
