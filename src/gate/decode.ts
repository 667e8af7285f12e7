import { accepted, refused, type Outcome } from './outcome.js'

/**
 * UTF-8 to text, with a byte order mark dropped.
 * @param where names the part in a fault
 */
export function decodeUtf8(bytes: Uint8Array, where: string): Outcome<string> {
  try {
    return accepted(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    const gzip = bytes[0] === 0x1f && bytes[1] === 0x8b
    const message = gzip
      ? 'is compressed (gzip); send it as it was before'
      : 'is not UTF-8 text; send it as UTF-8'
    return refused({ where, message })
  }
}
