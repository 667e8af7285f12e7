import { isLosslessNumber, parse } from 'lossless-json'
import { decodeUtf8 } from './decode.js'
import { pointerSegment, scanJsonStructure } from './json-text.js'
import { diagnoseJson } from './json-slips.js'
import type { Literal, RawDeclaration, SourceReading } from './literal.js'
import { accepted, refused, type Fault, type Outcome } from './outcome.js'

/** As many decimal digits as Python reads into an integer; it also bounds the cost of a hostile literal. */
const MAX_DIGITS = 4_300

/** Reads a JSON text without losing `1` against `1.0`: every literal as written, with its JSON pointer as place. */
export function readJsonLiteral(text: string, where: string): Outcome<Literal> {
  const read = readText(text, where)
  if (!read.ok) return read
  return read.value.faults.length > 0 ? refused(...read.value.faults) : accepted(read.value.literal)
}

/** Reads declarations from the bytes of a JSON array. */
export function readJsonDeclarations(bytes: Uint8Array, where = 'declarations'): SourceReading {
  const text = decodeUtf8(bytes, where)
  if (!text.ok) return text
  const read = readText(text.value, where)
  if (!read.ok) return read
  const { literal, faults } = read.value
  if (literal.kind !== 'list')
    return refused({ where, message: 'must be a JSON array ([] for a test without gates)' })
  const declarations = rawDeclarations(literal, faults)
  return faults.length > 0 ? { ...refused(...faults), partial: declarations } : accepted(declarations)
}

/** The declarations of a list, with faults added for what is none. */
export function rawDeclarations(literal: Literal, faults: Fault[]): RawDeclaration[] {
  if (literal.kind !== 'list') {
    faults.push({ where: literal.where, message: 'must be a list of declarations' })
    return []
  }
  const raw: RawDeclaration[] = []
  for (const item of literal.items) {
    if (item.kind === 'dict') raw.push({ line: null, where: item.where, fields: item.entries })
    else
      faults.push({ where: item.where, message: 'must be an object with metric_key, steps, constraint, …' })
  }
  return raw
}

/** A literal with the faults of what could not be read of it, or a refusal of the whole text. */
function readText(text: string, where: string): Outcome<{ literal: Literal; faults: Fault[] }> {
  const structure = scanJsonStructure(text)
  if (structure.ok || !structure.costly) {
    try {
      JSON.parse(text)
    } catch (error) {
      return refused({ where, message: diagnoseJson(text, error as SyntaxError) })
    }
  }
  if (!structure.ok) {
    return refused({
      where: structure.pointer === '' ? where : `${where}/${structure.pointer}`,
      message: structure.message,
    })
  }
  const faults: Fault[] = []
  return accepted({ literal: literalOf(parse(text), where, faults), faults })
}

function literalOf(value: unknown, where: string, faults: Fault[]): Literal {
  if (value === null) return { kind: 'none', where }
  if (typeof value === 'string') return { kind: 'string', value, where }
  if (typeof value === 'boolean') return { kind: 'bool', value, where }
  if (isLosslessNumber(value)) return numberOf(value.value, where, faults)
  if (Array.isArray(value)) {
    return { kind: 'list', items: value.map((item, i) => literalOf(item, `${where}/${i}`, faults)), where }
  }
  const entries = Object.entries(value as object).map(([key, item]) => {
    const place = `${where}/${pointerSegment(key)}`
    return { key, value: literalOf(item, place, faults), where: place }
  })
  return { kind: 'dict', entries, where }
}

function numberOf(text: string, where: string, faults: Fault[]): Literal {
  if (/[.eE]/.test(text)) return { kind: 'float', value: Number(text), where }
  if (text.length > MAX_DIGITS) {
    faults.push({ where, message: `an integer has at most ${MAX_DIGITS} digits` })
    return { kind: 'unread', where }
  }
  return { kind: 'int', value: BigInt(text), where }
}
