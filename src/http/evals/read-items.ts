import type { Static, TSchema } from 'typebox'
import { invalidInput } from '../../errors.js'
import { SLICE, type Sliced } from '../../gate/slices.js'
import type { Fault } from '../../gate/outcome.js'
import type { Compile } from '../schemas/ajv.js'
import { validationFaults } from '../validation-faults.js'

/** Faults told at once; reading stops there. */
const MAX_FAULTS = 100

export class BodyFaults {
  readonly #faults: Fault[] = []

  get isFull(): boolean {
    return this.#faults.length >= MAX_FAULTS
  }

  get any(): boolean {
    return this.#faults.length > 0
  }

  add(...faults: readonly Fault[]): void {
    this.#faults.push(...faults.slice(0, MAX_FAULTS - this.#faults.length))
  }

  /** @throws GatehouseError invalid_input, where there are any */
  refuse(): void {
    if (this.any) throw invalidInput(this.#faults)
  }
}

/** Holds what stands around the lists of a body to its schema; null where it does not fit. */
export function readFields<S extends TSchema>(
  compile: Compile,
  schema: S,
  value: unknown,
  where: string,
  faults: BodyFaults,
): Static<S> | null {
  const valid = compile(schema)
  if (valid(value)) return value
  faults.add(...validationFaults(valid.errors ?? [], placeIn(where === '' ? 'body' : where, where)))
  return null
}

/**
 * Holds each item of a list to a schema, and reads it. It pauses now and then, and stops when there are faults enough:
 * the validator names every fault of what it is given, and must not be given a list of millions.
 */
export function* readItems<S extends TSchema, T>(
  compile: Compile,
  schema: S,
  items: readonly unknown[],
  where: string,
  faults: BodyFaults,
  read: (item: Static<S>, index: number) => T,
): Sliced<T[]> {
  const valid = compile(schema)
  const taken: T[] = []
  for (const [index, item] of items.entries()) {
    if (index % SLICE === SLICE - 1) yield
    if (valid(item)) {
      taken.push(read(item, index))
    } else {
      const at = `${where}/${index}`
      faults.add(...validationFaults(valid.errors ?? [], placeIn(at, at)))
    }
    if (faults.isFull) break
  }
  return taken
}

function placeIn(whole: string, where: string): (pointer: string) => string {
  return (pointer) => (pointer === '' ? whole : where === '' ? pointer : `${where}/${pointer}`)
}
