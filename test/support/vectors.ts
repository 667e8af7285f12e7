import { readFileSync } from 'node:fs'

/** One row of a vector file; what a row holds is told by the test that reads it. */
export function readVectors<Row>(name: string): Row[] {
  return JSON.parse(readFileSync(`test/fixtures/vectors/${name}.json`, 'utf8')) as Row[]
}

/** A vector's number: JSON cannot carry a bound that overflowed. */
export function vectorNumber(value: number | string | null | undefined): number | null | undefined {
  return typeof value === 'string' ? Number(value) : value
}
