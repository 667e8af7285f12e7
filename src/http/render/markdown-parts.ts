import { takeRows } from './bounded-rows.js'

/** GitHub takes a job summary of up to 1 MiB per step; a quarter leaves room for the job's own. */
export const MAX_MARKDOWN_BYTES = 256 * 1024
const MAX_REASON_CHARACTERS = 1_000
/** Headings, table heads and "left out" lines of a few tables. */
const FRAME_BYTES = 2_048

/** What tables may take, beside lines that stand in any case. */
export function markdownBudget(lines: readonly string[]): number {
  return MAX_MARKDOWN_BYTES - FRAME_BYTES - Buffer.byteLength(lines.join('\n'))
}

/** A table of as many rows as fit into `budget` bytes, with a line that says how many were left out. */
export function markdownTable<T>(
  title: string,
  columns: readonly string[],
  items: readonly T[],
  budget: number,
  cellsOf: (item: T) => readonly string[],
  total = items.length,
): { lines: string[]; bytes: number } {
  if (items.length === 0) return { lines: [], bytes: 0 }
  const { rows, bytes } = takeRows(items, budget, (item) => `| ${cellsOf(item).join(' | ')} |`)
  const left = total - rows.length
  const lines = [
    `### ${title} (${total})`,
    '',
    `| ${columns.join(' | ')} |`,
    `|${' --- |'.repeat(columns.length)}`,
    ...rows,
    '',
  ]
  if (left > 0) lines.push(`${left} more rows were left out to keep this summary short.`, '')
  return { lines, bytes }
}

export function leftOut(count: number): string[] {
  return count > 0 ? [`- and ${count} more`] : []
}

export function shorten(text: string): string {
  if (text.length <= MAX_REASON_CHARACTERS) return text
  // Half of a surrogate pair may be left at the cut.
  return `${text.slice(0, MAX_REASON_CHARACTERS).replace(/\p{Cs}$/u, '')}…`
}
