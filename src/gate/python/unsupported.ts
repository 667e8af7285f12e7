import type { Node } from 'web-tree-sitter'
import { sourceOf } from './nodes.js'

const WHAT: ReadonlyMap<string, string> = new Map([
  ['call', 'a call is no literal (nothing is executed); write its result'],
  ['attribute', 'an attribute is no literal (nothing is executed); write its value'],
  ['subscript', 'a subscript is no literal (nothing is executed); write its value'],
  ['binary_operator', 'an expression is no literal (nothing is executed); write its result'],
  ['boolean_operator', 'an expression is no literal (nothing is executed); write its result'],
  ['comparison_operator', 'a comparison is no literal (nothing is executed); write True or False'],
  ['not_operator', 'an expression is no literal (nothing is executed); write True or False'],
  [
    'conditional_expression',
    'a conditional expression is no literal (nothing is executed); write its result',
  ],
  ['lambda', 'a lambda is no literal'],
  ['await', 'an await is no literal (nothing is executed); write its result'],
  ['yield', 'a yield is no literal'],
  ['named_expression', 'an assignment (:=) is no literal; write the value alone'],
  ['list_comprehension', 'a comprehension is no literal (nothing is executed); write the list out'],
  ['dictionary_comprehension', 'a comprehension is no literal (nothing is executed); write the dict out'],
  ['set_comprehension', 'a comprehension is no literal (nothing is executed); write a list out'],
  ['generator_expression', 'a generator is no literal (nothing is executed); write a list out'],
  ['tuple', 'a tuple is not taken; write a list: [...]'],
  ['set', 'a set is not taken; write a list: [...]'],
  ['ellipsis', '... is not taken; write a value'],
  ['list_splat', 'a starred item is no literal (nothing is executed); write the items out'],
  ['parenthesized_list_splat', 'a starred item is no literal (nothing is executed); write the items out'],
  ['dictionary_splat', 'unpacking (**) is no literal (nothing is executed); write the entries out'],
])

/** Says why an expression is no literal, and what would be right. */
export function describeUnsupported(node: Node, source: string): string {
  if (node.type === 'identifier') {
    return `the name ${excerpt(node, source)} is no literal (nothing is executed); write its value`
  }
  if (node.type === 'unary_operator') {
    return `${excerpt(node, source)} is no literal; a number may have one minus sign and no other`
  }
  return WHAT.get(node.type) ?? `${excerpt(node, source)} is no literal (nothing is executed); write a value`
}

/** The beginning of a node's source, on one line. */
function excerpt(node: Node, source: string): string {
  const text = sourceOf(node, source).replace(/\s+/g, ' ')
  const characters = [...text.slice(0, 100)]
  return characters.length > 40 ? `${characters.slice(0, 40).join('')}…` : text
}
