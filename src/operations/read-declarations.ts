import type { DeclarationDocument, ParsedDeclarationsDocument } from '../documents/declaration.js'
import { invalidInput } from '../errors.js'
import { resolveDeclarations, type Declaration } from '../gate/declarations.js'
import { readJsonDeclarations } from '../gate/json-literals.js'
import { compareCodePoints } from '../gate/literal.js'
import { accepted, type Fault, type Outcome } from '../gate/outcome.js'
import type { BandRule } from '../gate/rules.js'
import type { Gatehouse } from './gatehouse.js'
import type { DeclarationSource } from './submission.js'

/** Declarations, and what only looks like some. */
export interface ReadDeclarations {
  readonly declarations: readonly Declaration[]
  readonly ignored: readonly Fault[]
}

/** Reads declarations of either form, validates them and fills in the operator's defaults. */
export async function readDeclarations(
  { readPython, settings }: Pick<Gatehouse, 'readPython' | 'settings'>,
  source: DeclarationSource,
): Promise<Outcome<ReadDeclarations>> {
  const raw = source.kind === 'python' ? await readPython(source.bytes) : readJsonDeclarations(source.bytes)
  // What could be read of a refused source may have faults of its own, which belong into the same answer.
  const resolved = resolveDeclarations(raw.ok ? raw.value : (raw.partial ?? []), settings.gateDefaults)
  const faults = [...(raw.ok ? [] : raw.faults), ...(resolved.ok ? [] : resolved.faults)]
  if (!raw.ok || !resolved.ok) return { ok: false, faults }
  return accepted({ declarations: resolved.value, ignored: raw.ignored ?? [] })
}

const NO_GATE = { where: 'declarations', message: 'the test declares no gate: nothing of its runs is judged' }

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
    ...read.value.declarations.map(({ metricKey }) => metricKey),
  ])
  return {
    declarations: read.value.declarations.map(declarationDocument),
    capture_keys: [...keys].sort(compareCodePoints),
    warnings: [
      ...read.value.ignored.map(({ where, message }) => ({ where, message })),
      ...(read.value.declarations.length === 0 ? [NO_GATE] : []),
    ],
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
