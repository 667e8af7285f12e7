/** Whether two runs with one id are the same run: what an import may skip, and what it must refuse. */
import type { RunValue, StoredRun } from './runs.js'
import { withoutNegativeZero } from './write-checks.js'

export interface RunContent extends StoredRun {
  readonly values: readonly RunValue[]
}

/** Compares everything but trust; values as a multiset, to the bit. */
export function sameContent(one: RunContent, other: RunContent): boolean {
  return (
    one.createdAt === other.createdAt &&
    sameFields(one.series, other.series) &&
    sameFields(one.provenance, other.provenance) &&
    sameValues(one.values, other.values)
  )
}

function sameFields<T extends object>(one: T, other: T): boolean {
  return (Object.keys(one) as Array<keyof T>).every((key) => one[key] === other[key])
}

function sameValues(one: readonly RunValue[], other: readonly RunValue[]): boolean {
  if (one.length !== other.length) return false
  const sorted = inOrder(other)
  return inOrder(one).every((value, index) => {
    const counterpart = sorted[index]
    return counterpart !== undefined && compareValues(value, counterpart) === 0
  })
}

function inOrder(values: readonly RunValue[]): RunValue[] {
  return [...values].sort(compareValues)
}

/** Any total order would do. */
function compareValues(one: RunValue, other: RunValue): number {
  return (
    compare(one.metricKey, other.metricKey) ||
    one.step - other.step ||
    compareNumbers(withoutNegativeZero(one.value), withoutNegativeZero(other.value)) ||
    compare(one.stepsKey, other.stepsKey) ||
    compare(one.constraintKey, other.constraintKey)
  )
}

/** NaN equals itself and comes last. */
function compareNumbers(one: number, other: number): number {
  if (Object.is(one, other)) return 0
  if (Number.isNaN(one)) return 1
  return Number.isNaN(other) || one < other ? -1 : 1
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}
