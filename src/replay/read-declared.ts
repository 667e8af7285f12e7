import { resolveDeclarations, type GateDefaults } from '../gate/declarations.js'
import { MAX_STAGE, MAX_TEST_PATH } from '../gate/identity.js'
import { rawDeclarations, readJsonLiteral } from '../gate/json-literals.js'
import type { Literal } from '../gate/literal.js'
import { accepted, refused, type Fault, type Outcome } from '../gate/outcome.js'
import type { Series } from '../gate/run.js'
import { keyFault, shown } from '../gate/text.js'
import type { DeclaredSeries } from './replay.js'
import { seriesKey } from './series-key.js'

/** Reads `[{"series": {…}, "declarations": […]}, …]`, each series once. */
export function readDeclaredSeries(
  text: string,
  where: string,
  defaults: GateDefaults,
): Outcome<readonly DeclaredSeries[]> {
  const literal = readJsonLiteral(text, where)
  if (!literal.ok) return literal
  if (literal.value.kind !== 'list') {
    return refused({ where, message: 'must be a list of {"series", "declarations"} objects' })
  }
  const faults: Fault[] = []
  const declared: DeclaredSeries[] = []
  const known = new Set<string>()
  for (const item of literal.value.items) {
    const fields = membersOf(item, ['series', 'declarations'], faults)
    if (fields === null) continue
    const series = readSeries(fields.get('series')!, faults)
    const resolved = resolveDeclarations(rawDeclarations(fields.get('declarations')!, faults), defaults)
    if (!resolved.ok) faults.push(...resolved.faults)
    if (series === null || !resolved.ok) continue
    if (known.has(seriesKey(series))) {
      faults.push({ where: item.where, message: 'the series stands here twice; declare it once' })
    }
    known.add(seriesKey(series))
    declared.push({ series, declarations: resolved.value })
  }
  return faults.length > 0 ? { ok: false, faults } : accepted(declared)
}

function readSeries(literal: Literal, faults: Fault[]): Series | null {
  const fields = membersOf(literal, ['test_path', 'backend', 'suite'], faults)
  if (fields === null) return null
  const text = (name: string, maximum: number): string => {
    const field = fields.get(name)!
    if (field.kind !== 'string') {
      faults.push({ where: field.where, message: 'must be a string' })
      return ''
    }
    const problem = keyFault(field.value, maximum)
    if (problem !== null) faults.push({ where: field.where, message: problem })
    return field.value
  }
  const before = faults.length
  const series = {
    testPath: text('test_path', MAX_TEST_PATH),
    backend: text('backend', MAX_STAGE),
    suite: text('suite', MAX_STAGE),
  }
  return faults.length > before ? null : series
}

/** The members of an object that has exactly these, each once; null with faults added for any other. */
function membersOf(
  literal: Literal,
  names: readonly string[],
  faults: Fault[],
): ReadonlyMap<string, Literal> | null {
  if (literal.kind !== 'dict') {
    faults.push({ where: literal.where, message: `must be an object with ${names.join(', ')}` })
    return null
  }
  const before = faults.length
  const members = new Map(literal.entries.map(({ key, value }) => [key, value]))
  for (const { key, where } of literal.entries) {
    if (!names.includes(key)) {
      faults.push({ where, message: `${shown(key)} is not known here; known are ${names.join(', ')}` })
    }
  }
  for (const name of names) {
    if (!members.has(name)) faults.push({ where: `${literal.where}/${name}`, message: 'is missing' })
  }
  return faults.length > before ? null : members
}
