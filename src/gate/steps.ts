import type { Literal } from './literal.js'
import type { Fault } from './outcome.js'

/** Which points of a metric are judged. */
export type Steps =
  | { readonly kind: 'last' }
  | { readonly kind: 'all' }
  | { readonly kind: 'mean' }
  /** Distinct, in the order written. */
  | { readonly kind: 'list'; readonly steps: readonly number[] }

const WORDS = ['last', 'all', 'mean'] as const
const REMEDY = 'write "last", "all", "mean" or a non-empty list of whole steps'

/** Reads `steps`, or answers null with its faults added. */
export function readSteps(literal: Literal, faults: Fault[]): Steps | null {
  if (literal.kind === 'unread') return null
  if (literal.kind === 'string') {
    const word = WORDS.find((known) => known === literal.value)
    if (word !== undefined) return { kind: word }
  }
  if (literal.kind !== 'list' || literal.items.length === 0) {
    faults.push({ where: literal.where, message: `steps is none of the forms it may have; ${REMEDY}` })
    return null
  }
  const before = faults.length
  const steps = new Set<number>()
  for (const item of literal.items) {
    if (item.kind !== 'int') {
      faults.push({ where: item.where, message: 'steps: each step is written as an integer (1, not 1.0)' })
    } else if (item.value < 0n || item.value > BigInt(Number.MAX_SAFE_INTEGER)) {
      faults.push({
        where: item.where,
        message: `steps: ${shownInteger(item.value)} is not between 0 and 2^53-1`,
      })
    } else if (steps.has(Number(item.value))) {
      faults.push({ where: item.where, message: `steps: ${item.value} stands in the list twice` })
    } else steps.add(Number(item.value))
  }
  return faults.length > before ? null : { kind: 'list', steps: [...steps] }
}

function shownInteger(value: bigint): string {
  const digits = value.toString()
  return digits.length <= 30 ? digits : `${digits.slice(0, 27)}…`
}
