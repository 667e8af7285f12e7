import { isObject } from '../gate/is-object.js'
import { textFault } from '../gate/text.js'
import type { RunValue } from '../store/runs.js'
import type { LineFaults } from './line-faults.js'
import { metricKeyFault, type RunRules } from './rules.js'

const MEMBERS = ['metric_key', 'step', 'value', 'steps_key', 'constraint_key']
const MARKERS: ReadonlyMap<unknown, number> = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
])
const SMALLEST_STEP = -2
/** Texts that are remembered: a file names few metrics and rules, many times. */
const MAX_KNOWN = 10_000

/** Reads the values of runs by one set of rules. */
export class ValuesReader {
  readonly #rules: RunRules
  /** Texts that were judged before, with what is wrong with them. Equal texts become one string. */
  readonly #metricKeys = new Map<string, { text: string; fault: string | null }>()
  readonly #ruleKeys = new Map<string, { text: string; fault: string | null }>()

  constructor(rules: RunRules) {
    this.#rules = rules
  }

  read(items: unknown, faults: LineFaults): RunValue[] {
    if (!Array.isArray(items)) {
      faults.add(
        'values',
        items === undefined ? 'is missing' : 'must be a list of {"metric_key", "step", "value"}',
      )
      return []
    }
    const values: RunValue[] = []
    const stepsOf = this.#rules.importAt === null ? null : new Map<string, Set<number>>()
    for (let i = 0; i < items.length && !faults.isFull; i++) {
      const value = this.#readOne(items[i], i, faults)
      if (value === null) continue
      values.push(value)
      if (stepsOf === null) continue
      let steps = stepsOf.get(value.metricKey)
      if (steps === undefined) stepsOf.set(value.metricKey, (steps = new Set()))
      if (steps.has(value.step)) {
        faults.add(`values/${i}`, `holds metric_key and step of an earlier value; a run has one value each`)
      } else steps.add(value.step)
    }
    return values
  }

  #readOne(item: unknown, index: number, faults: LineFaults): RunValue | null {
    if (!isObject(item)) {
      faults.add(`values/${index}`, 'must be an object with metric_key, step and value')
      return null
    }
    const {
      metric_key: metricKey,
      step,
      value,
      steps_key: stepsKey = null,
      constraint_key: constraintKey = null,
    } = item
    const before = faults.count
    const optional = ('steps_key' in item ? 1 : 0) + ('constraint_key' in item ? 1 : 0)
    if (Object.keys(item).length !== 3 + optional) faults.addUnknown(`values/${index}/`, item, MEMBERS)
    const read: RunValue = {
      metricKey: this.#text(metricKey, 'metric_key', index, faults),
      step: this.#step(step, index, faults),
      value: this.#value(value, index, faults),
      stepsKey: stepsKey === null ? '' : this.#text(stepsKey, 'steps_key', index, faults),
      constraintKey: constraintKey === null ? '' : this.#text(constraintKey, 'constraint_key', index, faults),
    }
    return faults.count > before ? null : read
  }

  #text(text: unknown, name: string, index: number, faults: LineFaults): string {
    if (typeof text !== 'string') {
      faults.add(
        `values/${index}/${name}`,
        text === undefined || text === null ? 'is missing' : 'must be a string',
      )
      return ''
    }
    const known = name === 'metric_key' ? this.#metricKeys : this.#ruleKeys
    let judged = known.get(text)
    if (judged === undefined) {
      const fault = name === 'metric_key' ? metricKeyFault(text, this.#rules) : textFault(text)
      if (known.size === MAX_KNOWN) known.clear()
      known.set(text, (judged = { text, fault }))
    }
    if (judged.fault !== null) faults.add(`values/${index}/${name}`, judged.fault)
    return judged.text
  }

  #step(step: unknown, index: number, faults: LineFaults): number {
    if (
      typeof step === 'number' &&
      Number.isSafeInteger(step) &&
      (step >= SMALLEST_STEP || this.#rules.importAt === null)
    ) {
      return step + 0
    }
    faults.add(
      `values/${index}/step`,
      step === undefined || step === null
        ? 'is missing; it is -1 for "last", -2 for "mean", or the step that the value came from'
        : 'must be a whole number from -2 to 2^53-1',
    )
    return 0
  }

  /** + 0 makes a negative zero an ordinary one, as it is stored. */
  #value(value: unknown, index: number, faults: LineFaults): number {
    if (typeof value === 'number' && (Number.isFinite(value) || this.#rules.importAt === null))
      return value + 0
    const marked = MARKERS.get(value)
    if (marked !== undefined && this.#rules.importAt === null) return marked
    faults.add(
      `values/${index}/value`,
      value === undefined || value === null
        ? 'is missing'
        : marked !== undefined || typeof value === 'number'
          ? 'is not finite; a history holds finite values only'
          : 'must be a number',
    )
    return 0
  }
}
