/**
 * What `JSON.parse` does not tell: a key written twice, nesting, and the literals themselves.
 *
 * The native parser checks the syntax and makes the values; one pass over the text then finds the rest. A whole
 * parser that keeps literals (lossless-json) takes four times as long and half a gigabyte on a 30 MB record, so it
 * is used on the spans where literals count, and on nothing else.
 */

export const MAX_NESTING = 64
/** No request has an object of so many members; building one costs seconds from some hundred thousand on. */
export const MAX_MEMBERS = 10_000

/** What the pass over a JSON text found. */
export type JsonStructure =
  | {
      readonly ok: true
      /** The text of each member of the root object, by key; empty for any other root. */
      readonly members: ReadonlyMap<string, string>
    }
  | {
      readonly ok: false
      /** Whether the text must not even be parsed: it was made to be expensive. */
      readonly costly: boolean
      /** JSON pointer without its leading slash; empty for the root. */
      readonly pointer: string
      readonly message: string
    }

interface Frame {
  /** Keys seen so far; null for an array. */
  readonly keys: Set<string> | null
  /** The key or index that is being read. */
  at: string | number
  expectsKey: boolean
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/**
 * Scans a text before `JSON.parse` sees it: the parser takes seconds for a body that nests millions of levels. Linear,
 * without recursion, and indifferent to a text that is no JSON.
 */
export function scanJsonStructure(text: string): JsonStructure {
  let repeated: JsonStructure | null = null
  const stack: Frame[] = []
  const members = new Map<string, string>()
  let top: Frame | undefined
  let memberStart = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === QUOTE) {
      const end = stringEnd(text, i)
      // A string without an end: the parser says so better.
      if (end === -1) break
      if (top?.keys && top.expectsKey) {
        const raw = text.slice(i + 1, end)
        const key = raw.includes('\\') ? unescaped(text.slice(i, end + 1)) : raw
        top.at = key
        if (top.keys.has(key)) {
          repeated ??= {
            ok: false,
            costly: false,
            pointer: pointerOf(stack),
            message: 'the key stands here twice',
          }
        }
        top.keys.add(key)
        if (top.keys.size > MAX_MEMBERS) {
          const message = `an object holds more than ${MAX_MEMBERS} members`
          return { ok: false, costly: true, pointer: pointerOf(stack.slice(0, -1)), message }
        }
        top.expectsKey = false
      }
      i = end
    } else if (unit === COMMA) {
      if (top === undefined) continue
      if (top.keys) {
        if (stack.length === 1) members.set(top.at as string, text.slice(memberStart, i))
        top.expectsKey = true
      } else top.at = (top.at as number) + 1
    } else if (unit === COLON) {
      if (stack.length === 1) memberStart = i + 1
    } else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      if (stack.length === MAX_NESTING) {
        return {
          ok: false,
          costly: true,
          pointer: pointerOf(stack),
          message: `nests deeper than ${MAX_NESTING} levels`,
        }
      }
      const isObject = unit === OPEN_BRACE
      top = { keys: isObject ? new Set() : null, at: isObject ? '' : 0, expectsKey: isObject }
      stack.push(top)
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) {
      if (stack.length === 1 && top?.keys && top.keys.size > 0) {
        members.set(top.at as string, text.slice(memberStart, i))
      }
      stack.pop()
      top = stack.at(-1)
    }
  }
  return repeated ?? { ok: true, members }
}

/** A key as it reads; as it stands where it is no JSON string. */
function unescaped(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted
  }
}

/** Index of the quote that closes the string opened at `open`; -1 where none does. */
function stringEnd(text: string, open: number): number {
  let end = text.indexOf('"', open + 1)
  for (;;) {
    if (end === -1) return -1
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
}

function pointerOf(stack: readonly Frame[]): string {
  return stack.map((frame) => pointerSegment(String(frame.at))).join('/')
}

/** One reference token of a JSON pointer (RFC 6901). */
export function pointerSegment(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
