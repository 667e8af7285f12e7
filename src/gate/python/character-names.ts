import type { Workspace } from '@astral-sh/ruff-wasm-nodejs'

/** Resolves the name of a Unicode character as `\N{...}` does; null for a name that is not known. */
export type CharacterNamed = (name: string) => string | null

const RUST_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['0', '\0'],
])

/**
 * Takes names from ruff, which carries Unicode's table (a table of our own would be a second megabyte to keep in step
 * with it). ruff offers no call for that, but prints the value of a string in its syntax tree. Should the print ever
 * change, every name is unknown, and the file is refused.
 */
export function characterNamesOf(ruff: Workspace): CharacterNamed {
  return (name) => {
    if (!/^[\w -]{1,100}$/.test(name)) return null
    const printed = /\bvalue: "((?:[^"\\]|\\.)*)",/.exec(ruff.parse(`"\\N{${name}}"\n`))?.[1]
    if (printed === undefined) return null
    const value = printed.replace(
      /\\(?:u\{([0-9a-f]+)\}|(.))/g,
      (_, code: string | undefined, char: string) =>
        code === undefined
          ? (RUST_ESCAPES.get(char) ?? char)
          : String.fromCodePoint(Number.parseInt(code, 16)),
    )
    return [...value].length === 1 ? value : null
  }
}
