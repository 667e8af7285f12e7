import type { Node } from 'web-tree-sitter'
import type { Layout } from './layout.js'

/** The stretch of the file from one top-level statement of column zero to the next, and whether it can be trusted. */
export interface Region {
  readonly start: number
  readonly end: number
  /** The statements that tree-sitter found in it: one compound statement, or simple ones joined by semicolons. */
  readonly statements: readonly Node[]
  /** Whether the tree has no error in it and agrees with the layout. */
  readonly sound: boolean
}

/**
 * Holds the tree against the layout, region by region.
 *
 * tree-sitter does not know all of the newest Python, and recovers from what it does not know in its own way. Such a
 * file is not refused for a function that has nothing to do with gates; but an unsound region that so much as
 * mentions a gate is, by the caller.
 */
export function findRegions(root: Node, source: string, layout: Layout): Region[] {
  const children = root.children.filter(
    (child) => child.type !== 'comment' && child.type !== 'line_continuation',
  )
  const starts = regionStarts(source, layout)
  // What stands before the first statement is comments and blank lines, unless the two views disagree.
  if (starts[0] !== 0) starts.unshift(0)
  let next = 0
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? source.length
    const first = next
    while (next < children.length && (children[next]?.startIndex ?? end) < end) next++
    const inside = children.slice(first, next)
    return { start, end, statements: inside.filter(isStatement), sound: isSound(inside, start, end) }
  })
}

function isStatement(node: Node): boolean {
  return node.type !== ';'
}

/** `else` and its like, and what follows a decorator, continue the statement before them. */
function regionStarts(source: string, layout: Layout): number[] {
  const continued = /(?:else|elif|except|finally)(?![\w\u0080-\uffff])/y
  let decorated = false
  return layout.columnZero.filter((offset) => {
    continued.lastIndex = offset
    const starts = !decorated && !continued.test(source)
    decorated = source[offset] === '@'
    return starts
  })
}

/** Statement, semicolon, statement, …: the first where the layout says, the last ending within the region. */
function isSound(children: readonly Node[], start: number, end: number): boolean {
  if (children.length === 0) return start === 0
  if (children[0]?.startIndex !== start) return false
  return children.every((child, index) => {
    if (child.hasError || child.isError || child.isMissing || child.endIndex > end) return false
    return isStatement(child) === (index % 2 === 0)
  })
}
