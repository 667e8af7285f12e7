import type { Node } from 'web-tree-sitter'
import type { DictEntry, Literal } from '../literal.js'
import type { CharacterNamed } from './character-names.js'
import type { FaultList } from './faults.js'
import { placeOf, significantChildren, sourceOf, withoutParentheses } from './nodes.js'
import { readNumberToken } from './number-literal.js'
import { readStringToken } from './string-literal.js'
import { describeUnsupported } from './unsupported.js'

/** What reading a call needs beside its node. */
export interface ReadContext {
  readonly source: string
  readonly faults: FaultList
  readonly characterNamed: CharacterNamed
}

/**
 * Reads the literal that an expression is. `path` names it in faults (`constraint["rel_up"]`). Gives null after
 * noting the fault. Recursion is bounded by the limit on open brackets.
 */
export function readLiteral(expression: Node, path: string, context: ReadContext): Literal | null {
  const node = withoutParentheses(expression)
  const where = placeOf(node)
  switch (node.type) {
    case 'string':
    case 'concatenated_string': {
      const value = readText(node, path, context)
      return value === null ? null : { kind: 'string', value, where }
    }
    case 'integer':
    case 'float':
      return readNumber(node, false, where, path, context)
    case 'unary_operator': {
      const operand = negated(node)
      if (!operand) break
      return readNumber(operand, true, where, path, context)
    }
    case 'true':
    case 'false':
      return { kind: 'bool', value: node.type === 'true', where }
    case 'none':
      return { kind: 'none', where }
    case 'list':
      return readList(node, where, path, context)
    case 'dictionary':
      return readDict(node, where, path, context)
  }
  return fault(node, path, describeUnsupported(node, context.source), context)
}

/** Reads a string, or several that stand side by side; null after noting why not. */
function readText(node: Node, path: string, context: ReadContext): string | null {
  const pieces: string[] = []
  let sound = true
  for (const token of node.type === 'string' ? [node] : significantChildren(node)) {
    if (token.type !== 'string')
      return fault(token, path, describeUnsupported(token, context.source), context)
    const reading = readStringToken(sourceOf(token, context.source), context.characterNamed)
    if ('value' in reading) {
      pieces.push(reading.value)
    } else {
      fault(token, path, reading.problem, context)
      sound = false
    }
  }
  return sound ? pieces.join('') : null
}

/** The number under a minus sign; null for anything else that a sign may stand before. */
function negated(node: Node): Node | null {
  const [operator, argument] = significantChildren(node)
  if (operator?.type !== '-' || !argument) return null
  const operand = withoutParentheses(argument)
  return operand.type === 'integer' || operand.type === 'float' ? operand : null
}

function readNumber(
  node: Node,
  minus: boolean,
  where: string,
  path: string,
  context: ReadContext,
): Literal | null {
  const reading = readNumberToken(sourceOf(node, context.source))
  if ('problem' in reading) return fault(node, path, reading.problem, context)
  if (reading.kind === 'int') return { kind: 'int', value: minus ? -reading.value : reading.value, where }
  return { kind: 'float', value: minus ? -reading.value : reading.value, where }
}

function readList(node: Node, where: string, path: string, context: ReadContext): Literal | null {
  const written = significantChildren(node).filter((child) => child.isNamed)
  const items = written.map((child, index) => readLiteral(child, `${path}[${index}]`, context))
  const sound = items.filter((item) => item !== null)
  return sound.length === items.length ? { kind: 'list', items: sound, where } : null
}

function readDict(node: Node, where: string, path: string, context: ReadContext): Literal | null {
  const written = significantChildren(node).filter((child) => child.isNamed)
  const entries = written.map((child) => readEntry(child, path, context))
  const sound = entries.filter((entry) => entry !== null)
  return sound.length === entries.length ? { kind: 'dict', entries: sound, where } : null
}

function readEntry(pair: Node, path: string, context: ReadContext): DictEntry | null {
  const key = pair.type === 'pair' ? pair.childForFieldName('key') : null
  const value = pair.type === 'pair' ? pair.childForFieldName('value') : null
  if (!key || !value) return fault(pair, path, describeUnsupported(pair, context.source), context)
  const keyNode = withoutParentheses(key)
  if (keyNode.type !== 'string' && keyNode.type !== 'concatenated_string') {
    readLiteral(value, `${path}[...]`, context)
    return fault(keyNode, path, 'a key of a dict must be a plain string, such as "rel_up"', context)
  }
  const text = readText(keyNode, `${path}, key of the dict`, context)
  const literal = readLiteral(value, `${path}[${text === null ? '...' : shownKey(text)}]`, context)
  return text === null || literal === null ? null : { key: text, value: literal, where: placeOf(keyNode) }
}

function shownKey(key: string): string {
  const characters = [...key.slice(0, 200)]
  return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : key)
}

function fault(node: Node, path: string, message: string, context: ReadContext): null {
  context.faults.add(placeOf(node), `argument ${path}: ${message}`)
  return null
}
