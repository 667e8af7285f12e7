import type { DictEntry, Literal } from './literal.js'
import type { Fault } from './outcome.js'
import { shown } from './text.js'

/** A band around the mean of the baseline; null parameters were not written. */
export interface BandRule {
  readonly kind: 'band'
  /** null: no upper bound. */
  readonly up: BandSide | null
  readonly down: BandSide
}

/** What widens one side of the band: the largest of the written ones counts. */
export interface BandSide {
  /** Share of |mean|. */
  readonly rel: number | null
  /** In the metric's own unit. */
  readonly absFloor: number | null
  /** In sample standard deviations of the baseline. */
  readonly kStd: number | null
}

/** A limit that the value must not cross: no band, no history. */
export interface HardRefRule {
  readonly kind: 'hard_ref'
  readonly min: number | null
  readonly max: number | null
}

const SIDES = {
  up: ['rel_up', 'abs_floor_up', 'k_std_up'],
  down: ['rel_down', 'abs_floor_down', 'k_std_down'],
} as const
const PARAMETERS: readonly string[] = [...SIDES.up, ...SIDES.down]

/** Reads `constraint`, or answers null with its faults added. */
export function readConstraint(literal: Literal, faults: Fault[]): BandRule | null {
  const entries = readDict(literal, 'constraint', faults)
  if (entries === null) return null
  const before = faults.length
  const written = new Map<string, number>()
  for (const { key, value, where } of entries) {
    if (!PARAMETERS.includes(key)) {
      faults.push({
        where,
        message: `constraint: ${shown(key)} is no parameter; there are ${PARAMETERS.join(', ')}`,
      })
      continue
    }
    const number = finiteNumber(value)
    if (number === null || number < 0) {
      faults.push({ where: value.where, message: `constraint: ${key} must be a finite number >= 0` })
    } else written.set(key, number)
  }
  if (faults.length > before) return null
  const down = sideOf(SIDES.down, written)
  if (down === null) {
    const message = `constraint: at least one of ${SIDES.down.join(', ')} is required (a rule without a lower bound would let a collapse pass)`
    faults.push({ where: literal.where, message })
    return null
  }
  return { kind: 'band', up: sideOf(SIDES.up, written), down }
}

function sideOf(
  [rel, absFloor, kStd]: readonly [string, string, string],
  written: ReadonlyMap<string, number>,
): BandSide | null {
  if (![rel, absFloor, kStd].some((name) => written.has(name))) return null
  return {
    rel: written.get(rel) ?? null,
    absFloor: written.get(absFloor) ?? null,
    kStd: written.get(kStd) ?? null,
  }
}

/** Reads `hard_ref`, or answers null with its faults added. */
export function readHardRef(literal: Literal, faults: Fault[]): HardRefRule | null {
  if (literal.kind === 'int' || literal.kind === 'float') {
    faults.push({
      where: literal.where,
      message: 'hard_ref does not say which side it limits; write {"max": …} or {"min": …}',
    })
    return null
  }
  const entries = readDict(literal, 'hard_ref', faults)
  if (entries === null) return null
  const before = faults.length
  let min: number | null = null
  let max: number | null = null
  for (const { key, value, where } of entries) {
    const number = finiteNumber(value)
    if (key !== 'min' && key !== 'max') {
      faults.push({ where, message: `hard_ref: ${shown(key)} is no side; there are "min" and "max"` })
    } else if (number === null) {
      faults.push({ where: value.where, message: `hard_ref: ${key} must be a finite number` })
    } else if (key === 'min') min = number
    else max = number
  }
  if (faults.length > before) return null
  if (min === null && max === null) {
    faults.push({ where: literal.where, message: 'hard_ref needs "max", "min" or both' })
    return null
  }
  if (min !== null && max !== null && min > max) {
    faults.push({ where: literal.where, message: 'hard_ref: min is greater than max' })
    return null
  }
  return { kind: 'hard_ref', min, max }
}

/** The double nearest to a number literal; null for anything else and for what no finite double is near. */
function finiteNumber(literal: Literal): number | null {
  if (literal.kind !== 'int' && literal.kind !== 'float') return null
  const value = Number(literal.value)
  return Number.isFinite(value) ? value : null
}

/** The entries of a dict literal, or null with a fault where it is none or writes a key twice. */
function readDict(literal: Literal, name: string, faults: Fault[]): readonly DictEntry[] | null {
  if (literal.kind === 'unread') return null
  if (literal.kind !== 'dict') {
    faults.push({ where: literal.where, message: `${name} must be an object` })
    return null
  }
  const seen = new Set<string>()
  for (const { key, where } of literal.entries) {
    if (seen.has(key)) {
      faults.push({ where, message: `${name}: ${shown(key)} is written twice` })
      return null
    }
    seen.add(key)
  }
  return literal.entries
}
