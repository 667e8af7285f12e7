import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** The part of the global that is used here; Node's types leave it to the DOM's. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }

const PARSERS = [
  '@astral-sh/ruff-wasm-nodejs/ruff_wasm_bg.wasm',
  'web-tree-sitter/web-tree-sitter.wasm',
  'tree-sitter-python/tree-sitter-python.wasm',
]

/**
 * Compiles the parsers in this thread, for their machine code alone: V8 shares it between threads as long as some
 * thread holds the module. A thread that replaces the only one would otherwise compile and optimize anew (3 s of CPU
 * instead of 0.2 s, measured), which a hostile file could cause at will.
 *
 * Whoever holds the result keeps the code. Never rejects: without it, threads start slower.
 */
export async function keepParsersCompiled(): Promise<readonly object[]> {
  const { resolve } = createRequire(import.meta.url)
  const compiled = await Promise.allSettled(
    PARSERS.map(async (name) => WebAssembly.compile(await readFile(resolve(name)))),
  )
  return compiled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}
