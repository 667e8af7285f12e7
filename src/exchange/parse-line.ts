import { isObject } from '../gate/is-object.js'
import { scanJsonStructure } from '../gate/json-text.js'
import type { Fault } from '../gate/outcome.js'
import { diagnoseJsonLine } from '../gate/json-slips.js'
import { InputFault } from './input-fault.js'
import { placeOf, type Line } from './lines.js'

/** A line that holds one JSON object. */
export interface ParsedLine {
  readonly number: number
  readonly value: Readonly<Record<string, unknown>>
  /** The text of each member, for what values lose: ids beyond 2^53, declarations as written. */
  readonly members: ReadonlyMap<string, string>
}

const BLANK = /^[ \t]*$/
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The text of a line without its end: a carriage return before the line feed goes too, and a byte order mark.
 * @throws InputFault where the bytes are no UTF-8
 */
export function textOf(line: Line): string {
  const { raw } = line
  let end = raw.length
  if (raw[end - 1] === LINE_FEED) end--
  if (raw[end - 1] === CARRIAGE_RETURN) end--
  const hasMark = line.number === 1 && BYTE_ORDER_MARK.every((byte, i) => raw[i] === byte)
  try {
    return decoder.decode(raw.subarray(hasMark ? 3 : 0, end))
  } catch {
    throw faultOf(line, 'is not UTF-8 text; send it as UTF-8')
  }
}

export function isBlank(text: string): boolean {
  return BLANK.test(text)
}

/** @throws InputFault where the text is no JSON object, repeats a key or nests too deep */
export function parseLine(line: Line, text: string): ParsedLine {
  const structure = scanJsonStructure(text)
  if (!structure.ok && structure.costly) throw structureFault(line, structure)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw faultOf(
      line,
      isBlank(text) ? 'is blank; each line is a JSON object' : diagnoseJsonLine(text, error as SyntaxError),
    )
  }
  if (!isObject(value)) throw faultOf(line, 'is no JSON object')
  if (!structure.ok) throw structureFault(line, structure)
  return { number: line.number, value, members: structure.members }
}

function structureFault(line: Line, { pointer, message }: { pointer: string; message: string }): InputFault {
  return faultOf(line, pointer === '' ? message : `${pointer}: ${message}`)
}

/** The text of a member of members; undefined where it is absent. */
export function literalAt({ members }: ParsedLine, first: string, ...inner: string[]): string | undefined {
  let text = members.get(first)
  for (const name of inner) {
    if (text === undefined) return undefined
    const structure = scanJsonStructure(text)
    text = structure.ok ? structure.members.get(name) : undefined
  }
  return text?.trim()
}

export function faultOf(line: { readonly number: number }, message: string): InputFault {
  return new InputFault(faultAt(line, message))
}

export function faultAt(line: { readonly number: number }, message: string): Fault {
  return { where: placeOf(line), message }
}
