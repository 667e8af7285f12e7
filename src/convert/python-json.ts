/**
 * JSON as Python writes it: `json.dumps` prints `NaN`, `Infinity` and `-Infinity` bare, which is no JSON and exactly
 * what a training log holds when it matters most.
 */
import { scanJsonStructure } from '../gate/json-text.js'
import { accepted, refused, type Outcome } from '../gate/outcome.js'
import { NON_FINITE_MARKERS } from '../gate/record.js'
import { shortened } from '../gate/text.js'

/** Stands for a bare literal until `numberOf` reads it; no tool writes a NUL. */
const MARK = '\u0000'
const LITERALS: ReadonlyMap<unknown, number> = new Map(
  [...NON_FINITE_MARKERS].map(([name, value]) => [MARK + name, value]),
)

/** Strings are matched first, so that what stands in them stays as it is. */
const STRING_OR_LITERAL = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/gs

/** Reads a JSON text, bare non-finite literals included. Repeated keys and deep nesting are refused. */
export function readPythonJson(text: string): Outcome<unknown> {
  let plain = text.replace(/^\uFEFF/, '')
  if (plain.trim() === '') return refused({ where: '', message: 'is empty' })
  let value: unknown
  try {
    try {
      value = JSON.parse(plain)
    } catch {
      plain = plain.replace(STRING_OR_LITERAL, (token) =>
        token.startsWith('"') ? token : JSON.stringify(`${MARK}${token}`),
      )
      value = JSON.parse(plain)
    }
  } catch (error) {
    const reason = (error as Error).message.replace(/, ?"(?:[^"\\]|\\.)*"\.{0,3} is not valid JSON$/s, '')
    return refused({ where: '', message: `is no JSON: ${reason.slice(0, 200)}` })
  }
  const structure = scanJsonStructure(plain)
  if (!structure.ok) return refused({ where: structure.pointer, message: structure.message })
  return accepted(value)
}

/** The number that a value of `readPythonJson` is, non-finite ones included; null where it is none. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  return LITERALS.get(value) ?? null
}

/** As `numberOf`, and what some writers, this program among them, put in the place of what JSON cannot hold. */
export function measuredNumberOf(value: unknown): number | null {
  return numberOf(value) ?? (typeof value === 'string' ? NON_FINITE_MARKERS.get(value) : undefined) ?? null
}

/** A JSON value as a message shows it. */
export function shownValue(value: unknown): string {
  const literal = LITERALS.get(value)
  if (literal !== undefined) return String(literal)
  return shortened(JSON.stringify(value) ?? 'nothing', 60)
}
