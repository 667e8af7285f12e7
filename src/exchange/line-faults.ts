import type { Fault } from '../gate/outcome.js'
import { shown } from '../gate/text.js'
import { InputFault } from './input-fault.js'
import { faultAt } from './parse-line.js'

/** More than a person reads of one line. */
const MAX_FAULTS = 20

/** The faults of one line: all are told, not only the first. */
export class LineFaults {
  readonly #line: { readonly number: number }
  readonly #faults: Fault[] = []

  constructor(line: { readonly number: number }) {
    this.#line = line
  }

  get count(): number {
    return this.#faults.length
  }

  /** Whether more faults would not be told: then there is no use in looking for them. */
  get isFull(): boolean {
    return this.#faults.length >= MAX_FAULTS
  }

  /** @param pointer where in the line, as `values/3/step` */
  add(pointer: string, message: string): void {
    if (!this.isFull) this.#faults.push(faultAt(this.#line, `${pointer}: ${message}`))
  }

  /** Names the members of an object that are not known. */
  addUnknown(pointer: string, object: object, known: readonly string[]): void {
    for (const name of Object.keys(object)) {
      if (!known.includes(name)) {
        this.add(`${pointer}${shown(name)}`, `is not known here; known are ${known.join(', ')}`)
      }
    }
  }

  throwIfAny(): void {
    const [first, ...more] = this.#faults
    if (first !== undefined) throw new InputFault(first, ...more)
  }
}
