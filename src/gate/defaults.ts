import { resolveDeclarations, type GateDefaults } from './declarations.js'
import { readJsonLiteral } from './json-literals.js'
import type { Literal } from './literal.js'
import { accepted, refused, type Outcome } from './outcome.js'

const POLICY_LOSS = '{"rel_up": 0.5, "abs_floor_up": 0.02, "rel_down": 0.8, "abs_floor_down": 0.02}'
const MISMATCH_RATE = '{"rel_up": 1.0, "abs_floor_up": 0.1, "rel_down": 1.0}'
const BUILT_IN: ReadonlyArray<readonly [metricKey: string, steps: string, constraint: string]> = [
  ['train/grad_norm', '"all"', '{"rel_up": 3.0, "abs_floor_up": 1.0, "rel_down": 1.0}'],
  ['train/ppo_kl', '"all"', POLICY_LOSS],
  ['train/train_rollout_logprob_abs_diff', '"all"', POLICY_LOSS],
  ['train/train_rollout_kl', '"all"', POLICY_LOSS],
  ['rollout/raw_reward', '"all"', '{"rel_down": 0.2, "abs_floor_down": 0.05}'],
  ['rollout/tito_session_mismatch_rate/v1/assistant_text', '"last"', MISMATCH_RATE],
  ['rollout/tito_session_mismatch_rate/v2/assistant_text', '"last"', MISMATCH_RATE],
]

/** The table that applies where the configuration says nothing. */
export function builtInGateDefaults(): GateDefaults {
  const metrics = BUILT_IN.map(
    ([key, steps, constraint]) => `${JSON.stringify(key)}: {"steps": ${steps}, "constraint": ${constraint}}`,
  )
  const table = readGateDefaults(
    `{"mode": "replace", "metrics": {${metrics.join(',')}}}`,
    'built-in defaults',
  )
  if (!table.ok) throw new Error(`the built-in table is not valid: ${table.faults[0]?.message}`)
  return table.value
}

/**
 * Reads the configuration's `gate_defaults`: `{"mode": "extend" | "replace", "metrics": {key: {steps, constraint}}}`.
 * Each entry is validated as a declaration of that metric would be.
 * @param jsonText the member's own text, so that its literals are read as written
 * @param where names the member in faults
 */
export function readGateDefaults(jsonText: string, where: string): Outcome<GateDefaults> {
  const literal = readJsonLiteral(jsonText, where)
  if (!literal.ok) return literal
  if (literal.value.kind !== 'dict')
    return refused({ where, message: 'must be an object with "mode" and "metrics"' })
  let mode: 'extend' | 'replace' = 'extend'
  let metrics: Literal | undefined
  for (const { key, value, where: place } of literal.value.entries) {
    if (key === 'metrics') metrics = value
    else if (key !== 'mode')
      return refused({ where: place, message: 'is unknown; there are "mode" and "metrics"' })
    else if (value.kind !== 'string' || (value.value !== 'extend' && value.value !== 'replace')) {
      return refused({ where: place, message: 'must be "extend" or "replace"' })
    } else mode = value.value
  }
  if (metrics?.kind !== 'dict')
    return refused({ where: `${where}/metrics`, message: 'must be an object by metric key' })

  const raw = metrics.entries.map(({ key, value, where: place }) => ({
    line: null,
    where: place,
    fields: [
      { key: 'metric_key', value: { kind: 'string' as const, value: key, where: place }, where: place },
      ...(value.kind === 'dict' ? value.entries : []),
    ],
  }))
  const resolved = resolveDeclarations(raw, new Map())
  if (!resolved.ok) return resolved
  const table = new Map(mode === 'extend' ? builtInGateDefaults() : [])
  for (const { key, value } of metrics.entries) {
    const fields = value.kind === 'dict' ? value.entries : []
    const steps = fields.find((field) => field.key === 'steps')?.value
    const constraint = fields.find((field) => field.key === 'constraint')?.value
    const foreign = fields.find((field) => field.key !== 'steps' && field.key !== 'constraint')
    if (foreign)
      return refused({
        where: foreign.where,
        message: 'the table supplies "steps" and "constraint", nothing else',
      })
    if (steps && constraint) table.set(key, { steps, constraint })
  }
  return accepted(table)
}
