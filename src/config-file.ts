import { parse } from 'lossless-json'
import { isObject } from './gate/is-object.js'
import { placeOf, readOidc } from './config-oidc.js'
import type { GateDefaults } from './gate/declarations.js'
import { builtInGateDefaults, readGateDefaults } from './gate/defaults.js'
import { scanJsonStructure } from './gate/json-text.js'
import { accepted, refused, type Fault, type Outcome } from './gate/outcome.js'
import { CADENCES, type Cadence } from './gate/run.js'
import { DEFAULT_CADENCE_POLICY, type CadencePolicy } from './policy/cadence.js'
import type { OidcIssuer } from './policy/oidc-rules.js'

/** What the configuration file sets. */
export interface ConfigFile {
  readonly cadencePolicy: CadencePolicy
  readonly gateDefaults: GateDefaults
  /** Who signs the tokens of jobs; empty where no job identifies itself. */
  readonly oidc: readonly OidcIssuer[]
}

export const EMPTY_CONFIG_FILE: ConfigFile = {
  cadencePolicy: DEFAULT_CADENCE_POLICY,
  gateDefaults: builtInGateDefaults(),
  oidc: [],
}

/** Reads the configuration file. Unknown keys are faults: a misspelt one must not pass for a default. */
export function readConfigFile(text: string): Outcome<ConfigFile> {
  const json = text.replace(/^\uFEFF/, '')
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    return refused({ where: 'file', message: `is no JSON: ${syntaxFault(json) ?? (error as Error).message}` })
  }
  if (!isObject(value)) return refused({ where: 'file', message: 'must be a JSON object' })
  const structure = scanJsonStructure(text)
  if (!structure.ok) {
    const where = placeOf(structure.pointer, value['oidc']) || 'file'
    return refused({ where, message: structure.message })
  }

  const faults: Fault[] = []
  let { cadencePolicy, gateDefaults, oidc } = EMPTY_CONFIG_FILE
  for (const [key, member] of Object.entries(value)) {
    if (key === 'cadence') cadencePolicy = readCadence(member, faults)
    else if (key === 'gate_defaults') {
      // From the text: literals are kept as they were written, 1.0 is not 1.
      const table = readGateDefaults(structure.members.get(key) ?? '', key)
      if (table.ok) gateDefaults = table.value
      else faults.push(...table.faults)
    } else if (key === 'oidc') oidc = readOidc(member, faults)
    else faults.push({ where: key, message: 'is not known; known are cadence, gate_defaults, oidc' })
  }
  return faults.length > 0 ? { ok: false, faults } : accepted({ cadencePolicy, gateDefaults, oidc })
}

/** What is wrong, and where; `JSON.parse` of the oldest Node that is supported often names no place. */
function syntaxFault(json: string): string | null {
  try {
    parse(json)
    return null
  } catch (error) {
    const [, what, position] = /^(.*) at position (\d+)$/s.exec((error as Error).message) ?? []
    if (what === undefined) return null
    const before = json.slice(0, Number(position)).split('\n')
    return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${what}`
  }
}

function readCadence(value: unknown, faults: Fault[]): CadencePolicy {
  let { schedules, baselineRefs, nightlyLabel } = DEFAULT_CADENCE_POLICY
  if (!isObject(value)) {
    faults.push({
      where: 'cadence',
      message: 'must be an object with schedules, baseline_refs, nightly_label',
    })
    return DEFAULT_CADENCE_POLICY
  }
  for (const [key, member] of Object.entries(value)) {
    const where = `cadence/${key}`
    if (key === 'schedules') schedules = readSchedules(member, faults)
    else if (key === 'baseline_refs') {
      if (Array.isArray(member) && member.length > 0 && member.every(isFullRef))
        baselineRefs = new Set(member)
      else faults.push({ where, message: 'must be a list of full refs, as ["refs/heads/main"]' })
    } else if (key === 'nightly_label') {
      if (typeof member === 'string' && member.trim() !== '') nightlyLabel = member
      else faults.push({ where, message: 'must be the name of a label, as "nightly"' })
    } else faults.push({ where, message: 'is not known; known are schedules, baseline_refs, nightly_label' })
  }
  return { schedules, baselineRefs, nightlyLabel }
}

function readSchedules(value: unknown, faults: Fault[]): ReadonlyMap<string, Cadence> {
  const schedules = new Map<string, Cadence>()
  if (!isObject(value)) {
    faults.push({ where: 'cadence/schedules', message: 'must be an object from cron expression to cadence' })
    return schedules
  }
  for (const [cron, name] of Object.entries(value)) {
    const where = `cadence/schedules/${JSON.stringify(cron)}`
    const cadence = CADENCES.find((known) => known === name)
    if (cadence === undefined) faults.push({ where, message: `must be one of ${CADENCES.join(', ')}` })
    else if (cron.trim().split(/\s+/).length !== 5) {
      faults.push({ where, message: 'must be a cron expression of five fields, as the workflow writes it' })
    } else schedules.set(cron, cadence)
  }
  return schedules
}

function isFullRef(value: unknown): value is string {
  return typeof value === 'string' && /^refs\/.+/.test(value)
}
