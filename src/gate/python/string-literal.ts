import type { CharacterNamed } from './character-names.js'

/** What a string token stands for, or why it is no string that can be taken as a literal. */
export type StringReading = { readonly value: string } | { readonly problem: string }

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', ''],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
])

/** Reads one string token: prefix, quotes, body. Implicit concatenation is the caller's. */
export function readStringToken(token: string, characterNamed: CharacterNamed): StringReading {
  const [, prefix, quote] = /^([A-Za-z]*)("""|'''|"|')/.exec(token) ?? []
  if (prefix === undefined || quote === undefined) return { problem: 'a string that cannot be read' }
  const kind = prefix.toLowerCase()
  if (kind.includes('f'))
    return { problem: 'an f-string is no literal (nothing is executed); write the text itself' }
  if (kind.includes('t'))
    return { problem: 'a t-string is no literal (nothing is executed); write the text itself' }
  if (kind.includes('b')) return { problem: 'bytes are not text; write a string without the b' }
  if (!/^[ru]?$/.test(kind)) return { problem: `a string with the unknown prefix ${prefix}` }
  const body = token.slice(prefix.length + quote.length, -quote.length)
  // A token that is not one string after all would be read wrong; parsers should never give one.
  const rest = body.replace(/\\[\s\S]/g, '')
  const whole = token.length >= prefix.length + 2 * quote.length && token.endsWith(quote)
  if (!whole || (rest + quote).indexOf(quote) !== rest.length || rest.endsWith('\\'))
    return { problem: 'a string that cannot be read' }
  return kind === 'r' ? { value: body } : unescape(body, characterNamed)
}

/** Decodes escapes as Python does: an unknown one stays as written, backslash included. */
function unescape(body: string, characterNamed: CharacterNamed): StringReading {
  const problems: string[] = []
  const codePoint = (code: number, written: string): string => {
    if (code >= 0xd800 && code <= 0xdfff) {
      // Python keeps the halves of a pair apart, JSON joins them: the same text would be two different keys.
      problems.push(
        `the escape ${written} is a surrogate, half a character; write the character or its \\U escape`,
      )
    } else if (code > 0x10ffff) {
      problems.push(`the escape ${written} is beyond the last character, \\U0010ffff`)
    } else {
      return String.fromCodePoint(code)
    }
    return ''
  }
  const value = body.replace(
    /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{([^{}]*)\}|([\s\S]))/gu,
    (written, octal?: string, x?: string, u?: string, U?: string, name?: string, other?: string) => {
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8))
      const hex = x ?? u ?? U
      if (hex !== undefined) return codePoint(Number.parseInt(hex, 16), written)
      if (name !== undefined) {
        const char = characterNamed(name)
        if (char === null)
          problems.push(`no character has the name ${name}; write the character or its \\u escape`)
        return char ?? ''
      }
      if (other !== undefined && 'xuUN'.includes(other)) problems.push(`the escape \\${other} is malformed`)
      return SIMPLE_ESCAPES.get(other ?? '') ?? written
    },
  )
  const problem = problems[0]
  return problem === undefined ? { value } : { problem }
}
