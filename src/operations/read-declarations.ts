import type { DeclarationDocument, ParsedDeclarationsDocument } from '../documents/declaration.js'
import { invalidInput } from '../errors.js'
import { resolveDeclarations, type Declaration } from '../gate/declarations.js'
import { readJsonDeclarations } from '../gate/json-literals.js'
import { compareCodePoints } from '../gate/literal.js'
import type { Outcome } from '../gate/outcome.js'
import type { BandRule } from '../gate/rules.js'
import type { Gatehouse } from './gatehouse.js'
import type { DeclarationSource } from './submission.js'

/** Reads declarations of either form, validates them and fills in the operator's defaults. */
export async function readDeclarations(
  { readPython, settings }: Pick<Gatehouse, 'readPython' | 'settings'>,
  source: DeclarationSource,
): Promise<Outcome<readonly Declaration[]>> {
  const raw = source.kind === 'python' ? await readPython(source.bytes) : readJsonDeclarations(source.bytes)
  if (raw.ok) return resolveDeclarations(raw.value, settings.gateDefaults)
  // What could be read may have faults of its own, which belong into the same answer.
  const rest = 'partial' in raw ? resolveDeclarations(raw.partial, settings.gateDefaults) : raw
  return rest.ok || rest === raw ? raw : { ok: false, faults: [...raw.faults, ...rest.faults] }
}

/**
 * What a test file declares, and what a collector must record for it: the lint step of a CI job.
 * @throws GatehouseError invalid_input with every fault found
 */
export async function parseDeclarations(
  gatehouse: Gatehouse,
  source: DeclarationSource,
): Promise<ParsedDeclarationsDocument> {
  const read = await readDeclarations(gatehouse, source)
  if (!read.ok) throw invalidInput(read.faults)
  const keys = new Set([
    ...gatehouse.settings.gateDefaults.keys(),
    ...read.value.map(({ metricKey }) => metricKey),
  ])
  return {
    declarations: read.value.map(declarationDocument),
    capture_keys: [...keys].sort(compareCodePoints),
  }
}

/** A declaration as a document, its literals as plain values beside their keys. */
export function declarationDocument(declaration: Declaration): DeclarationDocument {
  const { metricKey, steps, rule, enforce, stepsKey, constraintKey, line } = declaration
  return {
    metric_key: metricKey,
    steps: steps.kind === 'list' ? [...steps.steps] : steps.kind,
    constraint: rule.kind === 'band' ? constraintDocument(rule) : null,
    hard_ref: rule.kind === 'hard_ref' ? { min: rule.min, max: rule.max } : null,
    enforce,
    steps_key: stepsKey,
    constraint_key: constraintKey,
    line,
  }
}

/** The parameters that were written, and no others. */
function constraintDocument({ up, down }: BandRule): Record<string, number> {
  const parameters: Array<[string, number | null | undefined]> = [
    ['rel_up', up?.rel],
    ['abs_floor_up', up?.absFloor],
    ['k_std_up', up?.kStd],
    ['rel_down', down.rel],
    ['abs_floor_down', down.absFloor],
    ['k_std_down', down.kStd],
  ]
  return Object.fromEntries(
    parameters.filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  )
}
