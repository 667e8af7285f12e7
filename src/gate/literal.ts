import type { Fault, Refused } from './outcome.js'

/**
 * Literals as a test file or a JSON declaration wrote them.
 *
 * A declaration keeps its literals, not just their values: the provenance keys stored beside each value are the
 * canonical JSON of what was *written* (`1` and `1.0` are equal numbers and different keys).
 */

/** One literal and the place it was written at: `test_file:12` or `declarations/0/constraint/rel_up`. */
export type Literal = LiteralValue & { readonly where: string }

export type LiteralValue =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'none' }
  /** Could not be read; its fault is told already, and nothing more is to be said of it. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'list'; readonly items: readonly Literal[] }
  | { readonly kind: 'dict'; readonly entries: readonly DictEntry[] }

/** Entries stand in the order written; a key written twice stands twice, so that it can be refused. */
export interface DictEntry {
  readonly key: string
  readonly value: Literal
  readonly where: string
}

/** One declaration before validation: the arguments of one `register_ci_gate(...)` call, or one JSON object. */
export interface RawDeclaration {
  /** 1-based line of the call in the test file; null for a JSON declaration. */
  readonly line: number | null
  readonly where: string
  readonly fields: readonly DictEntry[]
}

/**
 * What a reader found in a source. Where something could not be read, what could be is told beside the faults, so that
 * its own faults are found in the same go.
 */
export type SourceReading =
  | {
      readonly ok: true
      readonly value: readonly RawDeclaration[]
      /** What looks like a declaration and is none, so that nobody takes a gate for set that is not. */
      readonly ignored?: readonly Fault[]
    }
  | (Refused & { readonly partial?: readonly RawDeclaration[] })

/**
 * Prints a double as Python's `repr` does: shortest digits that round-trip, exponent form below 1e-4 and from 1e16
 * on, at least two exponent digits.
 *
 * JavaScript prints the same shortest digits (both follow Steele and White / David Gay); only the layout differs.
 */
export function pythonFloat(value: number): string {
  if (Object.is(value, -0)) return '-0.0'
  if (!Number.isFinite(value)) throw new RangeError('a canonical key holds finite numbers only')
  const [mantissa, exponentText] = value.toExponential().split('e') as [string, string]
  const exponent = Number(exponentText)
  if (value !== 0 && (exponent < -4 || exponent >= 16)) {
    const digits = String(Math.abs(exponent)).padStart(2, '0')
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`
  }
  // Within this range String() is positional for exponents up to 20 and down to -6, so no exponent can appear.
  const plain = String(value)
  return plain.includes('.') ? plain : `${plain}.0`
}

/** A JSON string with every non-ASCII UTF-16 unit escaped, as `json.dumps` with `ensure_ascii` prints it. */
export function asciiJsonString(text: string): string {
  // DEL is ASCII, and Python escapes it all the same.
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * Canonical JSON of a literal, byte for byte what Python's
 * `json.dumps(literal, sort_keys=True, separators=(",", ":"))` prints.
 */
export function canonicalKey(literal: LiteralValue): string {
  switch (literal.kind) {
    case 'string':
      return asciiJsonString(literal.value)
    case 'int':
      return literal.value.toString()
    case 'float':
      return pythonFloat(literal.value)
    case 'bool':
      return literal.value ? 'true' : 'false'
    case 'none':
      return 'null'
    case 'unread':
      throw new TypeError('what could not be read has no canonical form')
    case 'list':
      return `[${literal.items.map(canonicalKey).join(',')}]`
    case 'dict': {
      const entries = [...literal.entries].sort((a, b) => compareCodePoints(a.key, b.key))
      return `{${entries.map(({ key, value }) => `${asciiJsonString(key)}:${canonicalKey(value)}`).join(',')}}`
    }
  }
}

/** Orders text by code point, as Python and both databases do; `<` on strings orders by UTF-16 unit. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return surrogatesLast(x) - surrogatesLast(y)
  }
  return a.length - b.length
}

/** Moves U+E000..U+FFFF below the surrogates, which encode the code points above them. */
function surrogatesLast(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800
  return unit >= 0xd800 ? unit + 0x2000 : unit
}
