import { canonicalKey, type Literal, type RawDeclaration } from './literal.js'
import { accepted, type Fault, type Outcome } from './outcome.js'
import { readConstraint, readHardRef, type BandRule, type HardRefRule } from './rules.js'
import { readSteps, type Steps } from './steps.js'
import { keyFault, shown, textFault } from './text.js'

/** What one test file says about one metric, complete: the defaults are filled in. */
export interface Declaration {
  readonly metricKey: string
  readonly steps: Steps
  readonly rule: BandRule | HardRefRule
  readonly enforce: boolean
  /** Canonical JSON of the literals written (or of the table's, where it filled them). */
  readonly stepsKey: string
  readonly constraintKey: string
  /** 1-based line in the test file; null for a JSON declaration. */
  readonly line: number | null
}

/** What the table supplies where a declaration of this metric omits it: literals, since provenance keys keep them. */
export interface GateDefault {
  readonly steps: Literal
  readonly constraint: Literal
}

/** By metric key. A Map: `__proto__` is an ordinary metric. */
export type GateDefaults = ReadonlyMap<string, GateDefault>

export const MAX_DECLARATIONS = 1_000
const MAX_REASON = 1_024
const FIELDS = ['metric_key', 'steps', 'constraint', 'hard_ref', 'enforce', 'allowlist_reason'] as const
type Field = (typeof FIELDS)[number]

/**
 * Validates declarations of either form and fills in the defaults. Every fault is told, not only the first.
 * @param defaults the table per metric key; a written field wins over it, field by field
 */
export function resolveDeclarations(
  raw: readonly RawDeclaration[],
  defaults: GateDefaults,
): Outcome<readonly Declaration[]> {
  if (raw.length > MAX_DECLARATIONS) {
    const where = raw[MAX_DECLARATIONS]!.where
    return {
      ok: false,
      faults: [
        {
          where,
          message: `a file declares at most ${MAX_DECLARATIONS} metrics; this one declares ${raw.length}`,
        },
      ],
    }
  }
  const faults: Fault[] = []
  const declarations: Declaration[] = []
  const firstPlaces = new Map<string, string>()
  for (const one of raw) {
    const declaration = resolveOne(one, defaults, faults)
    const key = metricKeyOf(one)
    if (key !== null) {
      const first = firstPlaces.get(key)
      if (first !== undefined) {
        faults.push({
          where: one.where,
          message: `metric_key ${shown(key)} is declared twice (first at ${first}); one rule a metric`,
        })
      } else firstPlaces.set(key, one.where)
    }
    if (declaration) declarations.push(declaration)
  }
  return faults.length > 0 ? { ok: false, faults } : accepted(declarations)
}

function metricKeyOf(raw: RawDeclaration): string | null {
  const literal = raw.fields.find((field) => field.key === 'metric_key')?.value
  return literal?.kind === 'string' ? literal.value : null
}

/** One declaration, or null with its faults added. */
function resolveOne(raw: RawDeclaration, defaults: GateDefaults, faults: Fault[]): Declaration | null {
  const before = faults.length
  const written = fieldsOf(raw, faults)
  const metricKey = readMetricKey(raw, written.get('metric_key'), faults)
  const table = metricKey === null ? undefined : defaults.get(metricKey)

  const hardRef = written.get('hard_ref')
  const constraint = written.get('constraint')
  if (hardRef && constraint) {
    faults.push({ where: hardRef.where, message: 'hard_ref excludes constraint: keep one of them' })
  }
  const stepsLiteral = written.get('steps') ?? table?.steps
  const constraintLiteral = hardRef ? undefined : (constraint ?? table?.constraint)

  const steps = stepsLiteral
    ? readSteps(stepsLiteral, faults)
    : missing(raw, metricKey, 'steps', 'write "last", "all", "mean" or a list of steps', faults)
  let rule: BandRule | HardRefRule | null
  if (hardRef) rule = readHardRef(hardRef, faults)
  else if (constraintLiteral) rule = readConstraint(constraintLiteral, faults)
  else rule = missing(raw, metricKey, 'constraint', 'write a constraint or a hard_ref', faults)
  const enforce = readEnforce(written.get('enforce'), faults)
  checkAllowlistReason(written.get('allowlist_reason'), faults)

  const unread = [...written.values()].some(({ kind }) => kind === 'unread')
  if (unread || faults.length > before) return null
  return {
    metricKey: metricKey!,
    steps: steps!,
    rule: rule!,
    enforce,
    stepsKey: canonicalKey(stepsLiteral!),
    constraintKey: hardRef ? `{"hard_ref":${canonicalKey(hardRef)}}` : canonicalKey(constraintLiteral!),
    line: raw.line,
  }
}

function fieldsOf(raw: RawDeclaration, faults: Fault[]): Map<Field, Literal> {
  const written = new Map<Field, Literal>()
  for (const { key, value, where } of raw.fields) {
    if (!isField(key)) {
      faults.push({
        where,
        message: `${shown(key)} is no field of a declaration; there are ${FIELDS.join(', ')}`,
      })
    } else if (written.has(key)) {
      faults.push({ where, message: `${key} is written twice` })
    } else written.set(key, holdsUnread(value) ? { kind: 'unread', where: value.where } : value)
  }
  return written
}

/** What is wrong inside of a field is told already; half of it must not be judged. */
function holdsUnread(literal: Literal): boolean {
  if (literal.kind === 'list') return literal.items.some(holdsUnread)
  if (literal.kind === 'dict') return literal.entries.some(({ value }) => holdsUnread(value))
  return literal.kind === 'unread'
}

function isField(key: string): key is Field {
  return (FIELDS as readonly string[]).includes(key)
}

function readMetricKey(raw: RawDeclaration, literal: Literal | undefined, faults: Fault[]): string | null {
  if (literal === undefined) {
    faults.push({ where: raw.where, message: 'metric_key is missing; name the metric as the record does' })
    return null
  }
  if (literal.kind === 'unread') return null
  if (literal.kind !== 'string') {
    faults.push({ where: literal.where, message: 'metric_key must be a string' })
    return null
  }
  const problem = keyFault(literal.value)
  if (problem === null) return literal.value
  faults.push({ where: literal.where, message: `metric_key ${shown(literal.value)} ${problem}` })
  return null
}

function missing(
  raw: RawDeclaration,
  metricKey: string | null,
  field: string,
  remedy: string,
  faults: Fault[],
): null {
  const name = metricKey === null ? '' : ` of ${shown(metricKey)}`
  faults.push({
    where: raw.where,
    message: `${field}${name} is missing, and no default supplies it; ${remedy}`,
  })
  return null
}

function readEnforce(literal: Literal | undefined, faults: Fault[]): boolean {
  if (literal === undefined || literal.kind === 'unread') return true
  if (literal.kind === 'bool') return literal.value
  faults.push({ where: literal.where, message: 'enforce must be a boolean' })
  return true
}

/** Older test files carry the field: it is accepted and ignored, but must be what it says. */
function checkAllowlistReason(literal: Literal | undefined, faults: Fault[]): void {
  if (literal === undefined || literal.kind === 'none' || literal.kind === 'unread') return
  if (literal.kind !== 'string') {
    faults.push({ where: literal.where, message: 'allowlist_reason must be a string or null' })
    return
  }
  const problem =
    [...literal.value].length > MAX_REASON
      ? `is longer than ${MAX_REASON} characters`
      : textFault(literal.value)
  if (problem !== null) faults.push({ where: literal.where, message: `allowlist_reason ${problem}` })
}
