import { createRequire } from 'node:module'
import type { Tree } from 'web-tree-sitter'
import type { RawDeclaration, SourceReading } from '../literal.js'
import { refused } from '../outcome.js'
import { characterNamesOf } from './character-names.js'
import { readDeclaration } from './declaration.js'
import { decodeSource } from './decode.js'
import { FaultList, testFileLine } from './faults.js'
import { findGateCalls } from './gate-calls.js'
import { ignoredGateCalls } from './ignored-gate-calls.js'
import { MAX_BRACKET_DEPTH, scanLayout } from './layout.js'
import { findSyntaxError } from './syntax.js'

/**
 * Reads the gate declarations out of a Python test file, in the order written. Nothing is executed.
 *
 * A file that cannot be read is a refusal with every fault that was found. An exception means that a parser broke
 * down (deep nesting without brackets overflows its stack); it may be unusable from there on, so drop the reader.
 * Parsing may be made slow on purpose: run it where it can be stopped.
 */
export type ReadPythonSource = (bytes: Uint8Array) => SourceReading

/** Loads the two parsers (some hundred milliseconds) and gives the function that reads with them. */
export async function loadPythonReader(): Promise<ReadPythonSource> {
  // Imported late: ruff compiles its 10 MB while it is imported.
  const [{ Language, Parser }, { PositionEncoding, Workspace }] = await Promise.all([
    import('web-tree-sitter'),
    import('@astral-sh/ruff-wasm-nodejs'),
  ])
  await Parser.init()
  const grammar = createRequire(import.meta.url).resolve('tree-sitter-python/tree-sitter-python.wasm')
  const parser = new Parser().setLanguage(await Language.load(grammar))
  // No lint rule, and the newest grammar, so that only syntax is judged. One workspace serves every file.
  const ruff = new Workspace({ 'target-version': 'py315', lint: { select: [] } }, PositionEncoding.Utf16)
  const characterNamed = characterNamesOf(ruff)

  return function readPythonSource(bytes) {
    const decoded = decodeSource(bytes)
    if (!decoded.ok) return decoded
    const source = decoded.value
    const layout = scanLayout(source)
    if (layout.tooDeepAt !== null) {
      const message = `brackets are nested more than ${MAX_BRACKET_DEPTH} levels deep, which Python refuses`
      return refused({ where: testFileLine(source, layout.tooDeepAt), message })
    }
    const syntaxError = findSyntaxError(ruff, source, layout)
    if (syntaxError) return refused(syntaxError)
    if (layout.misindentedAt !== null) {
      const message = 'syntax error: the line is indented like no line around it'
      return refused({ where: testFileLine(source, layout.misindentedAt), message })
    }
    const trees: Tree[] = []
    const parse = (text: string) => {
      const tree = parser.parse(text)
      if (!tree) throw new Error('tree-sitter gave no tree')
      trees.push(tree)
      return tree.rootNode
    }
    try {
      const faults = new FaultList()
      const declarations: RawDeclaration[] = []
      const root = parse(source)
      const calls = findGateCalls(root, source, layout, parse, faults)
      for (const { call, source: text } of calls) {
        if (faults.full) break
        declarations.push(readDeclaration(call, { source: text, faults, characterNamed }))
      }
      return faults.all.length > 0
        ? { ...refused(...faults.all), partial: declarations }
        : { ok: true, value: declarations, ignored: ignoredGateCalls(root, source, calls) }
    } finally {
      // Trees live in WebAssembly's memory, which no collector sees.
      for (const tree of trees) tree.delete()
    }
  }
}
