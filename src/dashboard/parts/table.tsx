/**
 * A long table of which only the rows in sight exist. It scrolls with the window, under a head that stays; a click on a
 * column's head sorts; arrows walk the rows. Columns get their widths from the class of the table: `.table-<id>` sets
 * `--columns` in the style sheet, and may lay out a row differently on a phone.
 */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { NARROW, useMedia } from '../hooks/use-media'
import { useWindowRange } from '../hooks/use-window-range'
import { Icon } from './icon'

export interface Column<R> {
  readonly id: string
  readonly head: string
  readonly cell: (row: R, index: number) => ComponentChildren
  readonly align?: 'end'
  /** Whether its head sorts; the view does the sorting. */
  readonly sorts?: boolean
}

export interface Sort {
  readonly by: string
  readonly descending: boolean
}

interface Props<R> {
  readonly id: string
  readonly label: string
  readonly rows: readonly R[]
  readonly columns: ReadonlyArray<Column<R>>
  readonly keyOf: (row: R) => string
  /** In pixels, as the style sheet sees them; every row has the same. */
  readonly rowHeight: { readonly wide: number; readonly narrow: number }
  readonly sort?: Sort
  readonly onSort?: (sort: Sort) => void
  /** A class for the row, such as one that marks a failure. */
  readonly rowClass?: (row: R) => string | undefined
}

export function VirtualTable<R>(props: Props<R>) {
  const { id, label, rows, columns, keyOf, rowHeight, sort, onSort, rowClass } = props
  const isNarrow = useMedia(NARROW)
  const height = isNarrow ? rowHeight.narrow : rowHeight.wide
  const body = useRef<HTMLDivElement>(null)
  const { start, end, reveal } = useWindowRange(body, rows.length, height)

  function walk(event: KeyboardEvent) {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null
    if (row === null || event.target instanceof HTMLInputElement) return
    const index = Number(row.dataset.index)
    const page = Math.max(1, Math.floor(innerHeight / height) - 2)
    const target = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: rows.length - 1,
    }[event.key]
    if (target === undefined) return
    event.preventDefault()
    const to = Math.min(Math.max(target, 0), rows.length - 1)
    reveal(to, () =>
      body.current
        ?.querySelector<HTMLElement>(`[data-index="${to}"] a, [data-index="${to}"] button`)
        ?.focus(),
    )
  }

  return (
    <div class={`table table-${id}`} role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <div role="rowgroup" class="table-head">
        <div role="row" class="table-row" aria-rowindex={1}>
          {columns.map((column) => (
            <Head key={column.id} column={column} {...(sort && { sort })} {...(onSort && { onSort })} />
          ))}
        </div>
      </div>
      <div
        ref={body}
        role="rowgroup"
        class="table-body"
        style={{ height: `${rows.length * height}px` }}
        onKeyDown={walk}
      >
        {rows.slice(start, end).map((row, offset) => {
          const index = start + offset
          return (
            <div
              key={keyOf(row)}
              role="row"
              class={`table-row ${rowClass?.(row) ?? ''}`}
              aria-rowindex={index + 2}
              data-index={index}
              style={{ top: `${index * height}px`, height: `${height}px` }}
            >
              {columns.map((column) => (
                <div key={column.id} role="cell" class={cellClass(column)}>
                  {column.cell(row, index)}
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Head<R>({
  column,
  sort,
  onSort,
}: {
  column: Column<R>
  sort?: Sort
  onSort?: (sort: Sort) => void
}) {
  const isSorted = sort?.by === column.id
  if (!column.sorts || onSort === undefined) {
    return (
      <div role="columnheader" class={cellClass(column)}>
        {column.head}
      </div>
    )
  }
  const direction = !isSorted ? 'none' : sort.descending ? 'descending' : 'ascending'
  return (
    <div role="columnheader" class={cellClass(column)} aria-sort={direction}>
      <button
        type="button"
        class="sort"
        onClick={() => onSort({ by: column.id, descending: isSorted ? !sort.descending : false })}
      >
        {column.head}
        {isSorted && <Icon name={sort.descending ? 'down' : 'up'} size={12} />}
      </button>
    </div>
  )
}

function cellClass<R>({ id, align }: Column<R>): string {
  return `cell cell-${id}${align === 'end' ? ' cell-end' : ''}`
}
