import type { Diagnostic, Workspace } from '@astral-sh/ruff-wasm-nodejs'
import type { Fault } from '../outcome.js'
import { testFileLine } from './faults.js'
import type { Layout } from './layout.js'

/**
 * Asks ruff whether the source is what CPython's `ast.parse` accepts (of the newest Python that ruff knows); gives the
 * first syntax error, or null.
 *
 * `check` reports more than that: also what only CPython's compiler refuses (a duplicate parameter, `nonlocal` at the
 * top), and under the same code. So where it reports anything, the parser alone is asked again. The only entrance to
 * it that gives an error back is the listing of comments, which panics on some comments that are not ASCII; hence they
 * are blanked.
 */
export function findSyntaxError(ruff: Workspace, text: string, layout: Layout): Fault | null {
  const reported = ruff.check(text) as readonly Diagnostic[]
  if (reported.length === 0) return null
  const blanked = blankComments(text, layout)
  try {
    ruff.comments(blanked)
    return null
  } catch (error) {
    const told = error instanceof Error ? /^(.*) at byte range (\d+)\.\.\d+$/s.exec(error.message) : null
    const [, message, start] = told ?? []
    // An overflow or a panic: the parser may be unusable from here on, and has said nothing about the file.
    if (message === undefined) throw error
    if (layout.unclosedAt !== null && /unexpected EOF/.test(message)) {
      const bracket = text.charAt(layout.unclosedAt)
      return {
        where: testFileLine(text, layout.unclosedAt),
        message: `syntax error: ${bracket} is never closed`,
      }
    }
    const before = Buffer.from(blanked).subarray(0, Number(start)).toString()
    return { where: testFileLine(before, before.length), message: describe(message) }
  }
}

function describe(message: string): string {
  // ruff says no more than this of every escape that it cannot read.
  const text = /^Got unexpected unicode/.test(message)
    ? 'a string holds a malformed escape (\\x takes 2 hex digits, \\u 4, \\U 8, \\N{...} the name of a character)'
    : message
  return `syntax error: ${text}`
}

/** Blanks comments out, keeping every other character and every line where it is. */
function blankComments(text: string, layout: Layout): string {
  let blanked = ''
  let copied = 0
  for (const [start, end] of layout.comments) {
    blanked += text.slice(copied, start) + ' '.repeat(end - start)
    copied = end
  }
  return blanked + text.slice(copied)
}
