/** Pages of a list, by the cursor in the address: a page can be shared, and Back leads to the one before. */
import { Icon } from './icon'

interface Props {
  /** The view's path, and what else its address holds. */
  readonly path: string
  readonly query: URLSearchParams
  readonly next: string | null
  /** The ends of the order in words. */
  readonly first?: string
  readonly further?: string
}

export function Pager({ path, query, next, first = 'Newest', further = 'Older' }: Props) {
  const isFirst = !query.has('cursor')
  if (isFirst && next === null) return null
  const at = (cursor: string | null) => {
    const changed = new URLSearchParams(query)
    if (cursor === null) changed.delete('cursor')
    else changed.set('cursor', cursor)
    const text = changed.toString()
    return text === '' ? path : `${path}?${text}`
  }
  return (
    <nav class="pager" aria-label="Pages">
      {!isFirst && (
        <a class="button" href={at(null)}>
          <Icon name="left" size={14} /> {first}
        </a>
      )}
      {next !== null && (
        <a class="button pager-next" href={at(next)}>
          {further} <Icon name="right" size={14} />
        </a>
      )}
    </nav>
  )
}
