import { MAX_INT32 } from './identity.js'
import { resolveDeclarations, type Declaration, type GateDefaults } from './declarations.js'
import { rawDeclarations, readJsonLiteral } from './json-literals.js'
import type { DictEntry, RawDeclaration } from './literal.js'
import { accepted, type Fault, type Outcome } from './outcome.js'

/** What a stored declaration carries beside the fields of a written one. */
const STORED_FIELDS = ['steps_key', 'constraint_key', 'line']
const NO_DEFAULTS: GateDefaults = new Map()

type Stored = Partial<Pick<Declaration, 'stepsKey' | 'constraintKey' | 'line'>>

/**
 * Reads the declarations that a run brought, from the JSON text that was stored with it: normalized, with the
 * defaults filled in and null where a field has no value. The keys are those stored: the literals they were made of
 * (`1.0`) are not kept.
 */
export function readStoredDeclarations(text: string, where: string): Outcome<readonly Declaration[]> {
  const literal = readJsonLiteral(text, where)
  if (!literal.ok) return literal
  const faults: Fault[] = []
  const raw = rawDeclarations(literal.value, faults)
  const stored = raw.map((one) => readStoredFields(one, faults))
  if (faults.length > 0) return { ok: false, faults }
  const resolved = resolveDeclarations(raw.map(asWritten), NO_DEFAULTS)
  if (!resolved.ok) return resolved
  return accepted(resolved.value.map((declaration, i) => ({ ...declaration, ...stored[i] })))
}

function readStoredFields({ fields }: RawDeclaration, faults: Fault[]): Stored {
  let stored: Stored = {}
  for (const { key, value, where } of fields) {
    if (!STORED_FIELDS.includes(key) || value.kind === 'none') continue
    if (key === 'line') {
      if (value.kind === 'int' && value.value >= 1n && value.value <= BigInt(MAX_INT32))
        stored = { ...stored, line: Number(value.value) }
      else faults.push({ where, message: 'must be the number of a line' })
    } else if (value.kind === 'string') {
      stored = { ...stored, [key === 'steps_key' ? 'stepsKey' : 'constraintKey']: value.value }
    } else faults.push({ where, message: 'must be a string' })
  }
  return stored
}

function asWritten(raw: RawDeclaration): RawDeclaration {
  const written = raw.fields.filter(({ key, value }) => !STORED_FIELDS.includes(key) && value.kind !== 'none')
  return { ...raw, fields: written.map(withoutNulls) }
}

/** A side of a limit that was not written is stored as null. */
function withoutNulls(field: DictEntry): DictEntry {
  const { value } = field
  if (value.kind !== 'dict') return field
  return {
    ...field,
    value: { ...value, entries: value.entries.filter(({ value }) => value.kind !== 'none') },
  }
}
