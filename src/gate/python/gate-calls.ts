import type { Node } from 'web-tree-sitter'
import type { FaultList } from './faults.js'
import { testFileLine } from './faults.js'
import type { Layout } from './layout.js'
import { nameOf, significantChildren, withoutParentheses } from './nodes.js'
import { findRegions } from './regions.js'

/** The function whose calls declare gates. */
export const GATE_NAME = 'register_ci_gate'

/**
 * Finds the calls that declare gates, in the order written: expression statements at the top level of the module
 * whose callee is the bare name.
 */
export function findGateCalls(root: Node, source: string, layout: Layout, faults: FaultList): Node[] {
  const calls: Node[] = []
  for (const region of findRegions(root, source, layout)) {
    if (region.sound) {
      for (const statement of region.statements) {
        const call = gateCallOf(statement, source)
        if (call) calls.push(call)
      }
      continue
    }
    const text = source.slice(region.start, region.end)
    const mention = text.normalize('NFKC').indexOf(GATE_NAME)
    if (mention !== -1) {
      const message =
        `${GATE_NAME} is mentioned in a statement whose syntax is too new to be read reliably; ` +
        'put the gate calls into statements of their own'
      faults.add(testFileLine(source, region.start), message)
    }
  }
  return calls
}

/** The gate's call that a statement consists of, if it is one. */
function gateCallOf(statement: Node, source: string): Node | null {
  if (statement.type !== 'expression_statement') return null
  const parts = significantChildren(statement)
  // A trailing comma makes a tuple, which is no call.
  if (parts.length !== 1 || !parts[0]) return null
  const call = withoutParentheses(parts[0])
  if (call.type !== 'call') return null
  const written = call.childForFieldName('function')
  const callee = written && withoutParentheses(written)
  return callee?.type === 'identifier' && nameOf(callee, source) === GATE_NAME ? call : null
}
