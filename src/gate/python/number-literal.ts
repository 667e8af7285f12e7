/** What a number token stands for, or why it cannot be taken. */
export type NumberReading =
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly problem: string }

/** Python neither reads nor prints an integer of more decimal digits, as the time would grow with their square. */
const MAX_DIGITS = 4300
const INTEGER_LIMIT = 10n ** BigInt(MAX_DIGITS)

const DIGITS = '[0-9](?:_?[0-9])*'
const ZERO = /^0(?:_?0)*$/
const DECIMAL = new RegExp(`^[1-9](?:_?[0-9])*$`)
const EXPONENT = `[eE][+-]?${DIGITS}`
const FLOAT = new RegExp(
  `^(?:(?:(?:${DIGITS})?\\.${DIGITS}|${DIGITS}\\.)(?:${EXPONENT})?|${DIGITS}${EXPONENT})$`,
)
const PREFIXED = /^0(?:[xX](?:_?[0-9a-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)$/

/** Reads a number token by Python's grammar; a sign is never part of it. */
export function readNumberToken(token: string): NumberReading {
  if (ZERO.test(token)) return { kind: 'int', value: 0n }
  if (DECIMAL.test(token)) return readInteger('', token.replaceAll('_', ''), MAX_DIGITS)
  if (PREFIXED.test(token)) {
    const digits = token
      .slice(2)
      .replaceAll('_', '')
      .replace(/^0+(?=.)/, '')
    const base = token.slice(0, 2).toLowerCase()
    // At least as many digits as 10**4300 has in that base.
    return readInteger(base, digits, base === '0x' ? 3600 : base === '0o' ? 4800 : 14_300)
  }
  if (FLOAT.test(token)) {
    const value = Number(token.replaceAll('_', ''))
    if (Number.isFinite(value)) return { kind: 'float', value }
    return { problem: 'the number is too large for a double (at most about 1.797e308); write a smaller one' }
  }
  if (/[jJ]$/.test(token)) return { problem: 'a complex number is not taken; write a real one' }
  return { problem: 'a number that cannot be read' }
}

function readInteger(base: string, digits: string, maxDigits: number): NumberReading {
  if (digits.length <= maxDigits) {
    const value = BigInt(base + digits)
    if (value < INTEGER_LIMIT) return { kind: 'int', value }
  }
  return {
    problem: `the integer has more than ${MAX_DIGITS} decimal digits, which Python does not print; write a smaller one`,
  }
}
