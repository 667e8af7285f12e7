import { GatehouseError, invalidInput } from '../errors.js'
import { utf8Text } from '../gate/decode.js'
import { diagnoseJson } from '../gate/json-slips.js'
import { scanJsonStructure } from '../gate/json-text.js'

/** A JSON body: its values, and the text of each member of its root object for what values lose (64-bit ids, `1.0`). */
export interface JsonBody {
  readonly value: unknown
  readonly members: ReadonlyMap<string, string>
}

/**
 * Reads the bytes of a JSON body.
 * @throws GatehouseError 400 where it cannot be parsed, 422 for a repeated key or too deep nesting
 */
export function readJsonBody(bytes: Uint8Array): JsonBody {
  const text = decode(bytes)
  const structure = scanJsonStructure(text)
  if (!structure.ok && structure.costly) throw structureFault(structure)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw malformed(diagnose(text, error as SyntaxError))
  }
  if (!structure.ok) throw structureFault(structure)
  return { value, members: structure.members }
}

/** Fields of a JSON body besides its bulky members: what validation may name fault by fault must stay small. */
const MAX_FIELD_TEXT = 256 * 1_024
const BULKY = new Set([
  ...['declarations', 'record', 'test_source'],
  ...['plan', 'results', 'questions', 'baseline', 'current', 'items', 'episodes'],
])

/** As `readJsonBody`. @throws GatehouseError 413 where its fields beside the bulky ones are too many to validate */
export function readBoundedJson(bytes: Uint8Array): JsonBody {
  const body = readJsonBody(bytes)
  boundFields(body.members)
  return body
}

function boundFields(members: ReadonlyMap<string, string>): void {
  let length = 0
  for (const [name, text] of members) if (!BULKY.has(name)) length += name.length + text.length
  if (length > MAX_FIELD_TEXT) {
    const message = `has fields ${length} characters long; at most ${MAX_FIELD_TEXT} are taken beside its lists`
    throw new GatehouseError('too_large', `the body ${message}`, [{ where: 'body', message }])
  }
}

function structureFault({ pointer, message }: { pointer: string; message: string }): GatehouseError {
  return invalidInput([{ where: pointer === '' ? 'body' : pointer, message }])
}

/** The text of a member of a member: `nestedMember(body.members, 'provenance', 'github_run_id')`. */
export function nestedMember(
  members: ReadonlyMap<string, string>,
  outer: string,
  inner: string,
): string | undefined {
  const text = members.get(outer)
  if (text === undefined) return undefined
  const structure = scanJsonStructure(text)
  return structure.ok ? structure.members.get(inner)?.trim() : undefined
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8Text(bytes)
  } catch {
    throw malformed('is not UTF-8 text; send JSON in UTF-8')
  }
}

function malformed(message: string): GatehouseError {
  return new GatehouseError('malformed_body', `the body ${message}`, [{ where: 'body', message }])
}

function diagnose(text: string, error: SyntaxError): string {
  return text.trim() === '' ? 'is empty; a JSON object is wanted' : diagnoseJson(text, error)
}
