import type { Fault } from '../outcome.js'

/** At most this many faults are reported of one file; a reader of the answer needs no more. */
const MAX_FAULTS = 100

/** Names a place in the test file, from a 0-based row. */
export function testFileRow(row: number): string {
  return `test_file:${row + 1}`
}

/** Names the line of the test file that holds the character at `offset`. */
export function testFileLine(text: string, offset: number): string {
  let row = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) row++
  return testFileRow(row)
}

/** Gathers the faults of one file, so that one answer names them all. */
export class FaultList {
  readonly #faults: Fault[] = []

  add(where: string, message: string): void {
    if (!this.full) this.#faults.push({ where, message })
  }

  /** Whether there is no point in looking for more. */
  get full(): boolean {
    return this.#faults.length >= MAX_FAULTS
  }

  get all(): readonly Fault[] {
    return this.#faults
  }
}
