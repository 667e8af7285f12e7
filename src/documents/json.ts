import { parse, stringify } from 'lossless-json'

/**
 * JSON text of a document. Ids of 64 bits are exact: `JSON.stringify` refuses a bigint, and only a document that
 * holds one (an id beyond 2^53) takes the slower writer.
 */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const text = stringify(value)
    if (text === undefined) throw error
    return text
  }
}

/** Reads a document back, integers beyond 2^53 as bigint. */
export function fromJson(text: string): unknown {
  return parse(text, undefined, (number) => {
    const value = Number(number)
    return Number.isInteger(value) && !Number.isSafeInteger(value) && !/[.eE]/.test(number)
      ? BigInt(number)
      : value
  })
}

/** An exact integer for the wire: a number where a double holds it, a bigint where it would round. */
export function wireInteger(value: bigint | null): number | bigint | null {
  if (value === null) return null
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** A double for the wire: what JSON cannot carry becomes its marker. */
export function wireDouble(value: number): number | 'NaN' | 'Infinity' | '-Infinity' {
  if (Number.isFinite(value)) return value
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'
}
