import { accepted, type Fault, type Outcome } from '../gate/outcome.js'
import { shown } from '../gate/text.js'
import { normalQuantile } from './normal.js'
import { isScore, type OnInconclusive } from './scores.js'

/** A label as a person or a judge gave it. Labels are equal as JSON values are: `1` is not `"1"`. */
export type Label = string | number | boolean

export interface LabelledItem {
  readonly id: string
  /** What a person said. */
  readonly label: Label
  /** What the judge said. */
  readonly judged: Label
}

export interface ValidityRequest {
  readonly items: readonly LabelledItem[]
  /** From 0 to 1. */
  readonly minAgreement: number
  /** Of the interval, above 0 and below 1. */
  readonly confidence: number
  readonly onInconclusive: OnInconclusive
}

export interface JudgeValidity {
  readonly result: 'valid' | 'invalid' | 'inconclusive'
  readonly outcome: 'pass' | 'fail'
  readonly n: number
  /** The part of the items with equal labels. */
  readonly agreement: number
  readonly interval: { readonly low: number; readonly high: number }
  /** null where chance alone agrees on everything: both gave one and the same label only. */
  readonly kappa: number | null
}

const MAX_FAULTS = 100

/**
 * Does a judge agree with people well enough? It is valid where the whole interval of the agreement lies at or above the
 * minimum, invalid where the whole interval lies below.
 * @returns the verdict, or what is wrong with the request
 */
export function judgeValidity(request: ValidityRequest): Outcome<JudgeValidity> {
  const faults = check(request)
  if (faults.length > 0) return { ok: false, faults }
  const { items, minAgreement, confidence, onInconclusive } = request
  const n = items.length
  const agreed = items.filter(({ label, judged }) => label === judged).length
  const interval = wilsonInterval(agreed, n, confidence)
  const result =
    interval.low >= minAgreement ? 'valid' : interval.high < minAgreement ? 'invalid' : 'inconclusive'
  const outcome = { valid: 'pass', invalid: 'fail', inconclusive: onInconclusive } as const
  return accepted({
    result,
    outcome: outcome[result],
    n,
    agreement: agreed / n,
    interval,
    kappa: cohensKappa(items),
  })
}

/**
 * The score interval of a proportion: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical
 * Inference", Journal of the American Statistical Association 22, 1927. Without continuity correction.
 * @param n at least 1
 * @param confidence two-sided
 */
export function wilsonInterval(
  successes: number,
  n: number,
  confidence: number,
): { low: number; high: number } {
  const z = normalQuantile(0.5 + confidence / 2)
  const squared = z * z
  const center = successes + squared / 2
  const half = z * Math.sqrt((successes * (n - successes)) / n + squared / 4)
  // Both ends are exact where rounding might pass them.
  return {
    low: successes === 0 ? 0 : (center - half) / (n + squared),
    high: successes === n ? 1 : (center + half) / (n + squared),
  }
}

/**
 * Agreement beyond chance, without weights: J. Cohen, "A Coefficient of Agreement for Nominal Scales", Educational and
 * Psychological Measurement 20, 1960.
 * @returns null where chance alone would agree on everything
 */
export function cohensKappa(items: ReadonlyArray<Pick<LabelledItem, 'label' | 'judged'>>): number | null {
  const n = items.length
  const times = new Map<Label, { label: number; judged: number }>()
  const of = (label: Label) => {
    let counts = times.get(label)
    if (counts === undefined) times.set(label, (counts = { label: 0, judged: 0 }))
    return counts
  }
  let agreed = 0
  for (const { label, judged } of items) {
    of(label).label++
    of(judged).judged++
    if (label === judged) agreed++
  }
  // Whole numbers up to here: n^2 times the expected agreement.
  let expected = 0
  for (const { label, judged } of times.values()) expected += label * judged
  return expected === n * n ? null : (n * agreed - expected) / (n * n - expected)
}

function check({ items, minAgreement, confidence }: ValidityRequest): Fault[] {
  const faults: Fault[] = []
  if (!isScore(minAgreement) || minAgreement < 0 || minAgreement > 1)
    faults.push({ where: 'min_agreement', message: 'must be a number from 0 to 1' })
  if (!isScore(confidence) || confidence <= 0 || confidence >= 1)
    faults.push({ where: 'confidence', message: 'must be a number above 0 and below 1' })
  if (items.length === 0) faults.push({ where: 'items', message: 'is empty; agreement needs an item' })
  const ids = new Set<string>()
  for (const [index, { id }] of items.entries()) {
    if (ids.has(id) && faults.length < MAX_FAULTS)
      faults.push({ where: `items/${index}/id`, message: `${shown(id)} is the id of an earlier item` })
    ids.add(id)
  }
  return faults
}
