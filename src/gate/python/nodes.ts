import type { Node } from 'web-tree-sitter'
import { testFileRow } from './faults.js'

/** The children that mean something: neither comments nor joined lines, which may stand between any two tokens. */
export function significantChildren(node: Node): Node[] {
  return node.children.filter((child) => child.type !== 'comment' && child.type !== 'line_continuation')
}

/** Takes parentheses off an expression; Python's own tree does not have them either. */
export function withoutParentheses(node: Node): Node {
  let inner = node
  while (inner.type === 'parenthesized_expression') {
    const [open, expression, close] = significantChildren(inner)
    if (open?.type !== '(' || !expression || close?.type !== ')') return inner
    inner = expression
  }
  return inner
}

/** The source of a node. tree-sitter's indices are UTF-16 units, as JavaScript's are. */
export function sourceOf(node: Node, source: string): string {
  return source.slice(node.startIndex, node.endIndex)
}

/** A name as Python compares it. */
export function nameOf(node: Node, source: string): string {
  return sourceOf(node, source).normalize('NFKC')
}

/** The place of a node: `test_file:12`. */
export function placeOf(node: Node): string {
  return testFileRow(node.startPosition.row)
}
