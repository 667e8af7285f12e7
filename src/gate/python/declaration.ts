import type { Node } from 'web-tree-sitter'
import type { DictEntry, RawDeclaration } from '../literal.js'
import { GATE_NAME } from './gate-calls.js'
import { type ReadContext, readLiteral } from './literals.js'
import { nameOf, placeOf, significantChildren } from './nodes.js'

/**
 * Reads the arguments of one gate call. What it cannot take is noted in `context.faults`, and the argument stands as unread;
 * which fields exist and what they may hold is not judged here.
 */
export function readDeclaration(call: Node, context: ReadContext): RawDeclaration {
  const fields: DictEntry[] = []
  const lines = new Map<string, string>()
  let position = 0
  for (const argument of argumentsOf(call)) {
    if (argument.type !== 'keyword_argument') {
      position++
      context.faults.add(placeOf(argument), describeUnnamed(argument, position))
      continue
    }
    const name = argument.childForFieldName('name')
    const value = argument.childForFieldName('value')
    if (!name || !value) throw new Error('a keyword argument without name or value')
    const key = nameOf(name, context.source)
    const where = placeOf(name)
    const earlier = lines.get(key)
    if (earlier !== undefined) {
      context.faults.add(where, `argument ${key}: given twice (first at ${earlier}); remove one of the two`)
    }
    lines.set(key, earlier ?? where)
    const literal = readLiteral(value, key, context)
    fields.push({ key, value: literal ?? { kind: 'unread', where }, where })
  }
  return { line: call.startPosition.row + 1, where: placeOf(call), fields }
}

/** `f(x for x in y)` has a generator in the place of its arguments. */
function argumentsOf(call: Node): Node[] {
  const list = call.childForFieldName('arguments')
  if (!list) throw new Error('a call without arguments')
  return list.type === 'argument_list' ? significantChildren(list).filter((child) => child.isNamed) : [list]
}

function describeUnnamed(argument: Node, position: number): string {
  if (argument.type === 'dictionary_splat') {
    return `argument **: ${GATE_NAME} is not executed, so ** cannot be unpacked; write each argument as name=value`
  }
  if (argument.type === 'list_splat') {
    return `argument *: ${GATE_NAME} is not executed, so * cannot be unpacked; write each argument as name=value`
  }
  return `argument ${position} has no name; ${GATE_NAME} takes arguments by name only, such as metric_key="train/loss"`
}
