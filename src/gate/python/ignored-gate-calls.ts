import type { Node } from 'web-tree-sitter'
import type { Fault } from '../outcome.js'
import { FaultList } from './faults.js'
import { GATE_NAME, type GateCall } from './gate-calls.js'
import { nameOf, placeOf, withoutParentheses } from './nodes.js'

/**
 * Calls that look like gates and declare none: in a function, a class or a condition, through a module, within another
 * expression. They are ignored by rule, and told, because a gate that is silently off looks like one that passes.
 * @param declared the calls that do declare
 * @returns where each stands, in the order written; the first hundred
 */
export function ignoredGateCalls(
  root: Node,
  source: string,
  declared: readonly GateCall[],
): readonly Fault[] {
  const ignored = new FaultList()
  if (!source.normalize('NFKC').includes(GATE_NAME)) return ignored.all
  const read = new Set(declared.map(({ call }) => placeOf(call)))
  for (const call of root.descendantsOfType('call')) {
    if (ignored.full) break
    if (call === null || calledName(call, source) !== GATE_NAME || read.has(placeOf(call))) continue
    ignored.add(
      placeOf(call),
      `${GATE_NAME} is called here in a way that declares no gate; only a statement of its own at the top level, by the bare name, does`,
    )
  }
  return ignored.all
}

function calledName(call: Node, source: string): string | null {
  const written = call.childForFieldName('function')
  const callee = written && withoutParentheses(written)
  const name = callee?.type === 'attribute' ? callee.childForFieldName('attribute') : callee
  return name?.type === 'identifier' ? nameOf(name, source) : null
}
