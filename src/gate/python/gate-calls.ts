import type { Node } from 'web-tree-sitter'
import type { FaultList } from './faults.js'
import { testFileLine } from './faults.js'
import type { Layout } from './layout.js'
import { nameOf, significantChildren, withoutParentheses } from './nodes.js'
import { findRegions } from './regions.js'

/** The function whose calls declare gates. */
export const GATE_NAME = 'register_ci_gate'

/** Keywords that are never names. (`match` may be one.) */
const COMPOUND = /^(?:@|(?:async|class|def|for|if|try|while|with)(?![\w\u0080-\uffff]))/

/** A call that declares a gate, and the source that its node's indices count in. */
export interface GateCall {
  readonly call: Node
  readonly source: string
}

/**
 * Finds the calls that declare gates, in the order written: expression statements at the top level of the module
 * whose callee is the bare name.
 *
 * @param parse parses another text for as long as the caller uses the nodes
 */
export function findGateCalls(
  root: Node,
  source: string,
  layout: Layout,
  parse: (text: string) => Node,
  faults: FaultList,
): GateCall[] {
  return findRegions(root, source, layout).flatMap((region) => {
    if (region.sound) return gateCallsAmong(region.statements, source)
    const text = source.slice(region.start, region.end)
    // A region that starts as a compound statement is that statement up to its end, and no gate is declared within.
    if (COMPOUND.test(text) || !text.normalize('NFKC').includes(GATE_NAME)) return []
    // What tree-sitter cannot read may have swallowed its neighbours: they are parsed by themselves, in their lines.
    const before = source.slice(0, region.start).replace(/[^\n]+/g, '')
    const padded = before + text
    const alone = findRegions(parse(padded), padded, { ...layout, columnZero: [before.length] }).at(-1)
    if (alone?.sound) return gateCallsAmong(alone.statements, padded)
    const message =
      `${GATE_NAME} is mentioned in a statement whose syntax cannot be read reliably; ` +
      'put the gate calls into statements of their own'
    faults.add(testFileLine(source, region.start), message)
    return []
  })
}

function gateCallsAmong(statements: readonly Node[], source: string): GateCall[] {
  return statements.flatMap((statement) => {
    const call = gateCallOf(statement, source)
    return call ? [{ call, source }] : []
  })
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
