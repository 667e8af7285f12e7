import { GatehouseError, invalidInput } from '../errors.js'
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
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw malformed(diagnose(text, error as SyntaxError))
  }
  const structure = scanJsonStructure(text)
  if (!structure.ok) {
    throw invalidInput([
      { where: structure.pointer === '' ? 'body' : structure.pointer, message: structure.message },
    ])
  }
  return { value, members: structure.members }
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
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw malformed('is not UTF-8 text; send JSON in UTF-8')
  }
}

function malformed(message: string): GatehouseError {
  return new GatehouseError('malformed_body', `the body ${message}`, [{ where: 'body', message }])
}

function diagnose(text: string, error: SyntaxError): string {
  if (text.trim() === '') return 'is empty; a JSON object is wanted'
  const bare = bareNonFinite(text)
  if (bare !== null) {
    return (
      `holds a bare ${bare.token} in line ${bare.line}, which is no JSON (Python's json.dumps writes it by default); ` +
      'write the string marker "NaN", "Infinity" or "-Infinity"'
    )
  }
  // V8 quotes the text around the fault; the position is what helps, a page of the body is not.
  return `is no JSON: ${error.message.replace(/, ?(?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s, '').slice(0, 200)}`
}

/** Finds NaN or Infinity outside of strings. A plain loop: a regular expression over 32 MiB can exhaust its stack. */
function bareNonFinite(text: string): { token: string; line: number } | null {
  let line = 1
  for (let i = 0; i < text.length; i++) {
    const unit = text[i]
    if (unit === '\n') line++
    else if (unit === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++
    } else if (unit === 'N' && text.startsWith('NaN', i)) return { token: 'NaN', line }
    else if (unit === 'I' && text.startsWith('Infinity', i)) {
      return { token: text[i - 1] === '-' ? '-Infinity' : 'Infinity', line }
    }
  }
  return null
}
