import { isAscii } from 'node:buffer'
import { accepted, refused, type Outcome } from './outcome.js'

/**
 * UTF-8 to text, with a byte order mark dropped.
 * @param where names the part in a fault, which adds the line
 */
export function decodeUtf8(bytes: Uint8Array, where: string): Outcome<string> {
  try {
    return accepted(utf8Text(bytes))
  } catch {
    const gzip = bytes[0] === 0x1f && bytes[1] === 0x8b
    const message = gzip
      ? 'is compressed (gzip); send it as it was before'
      : 'is not UTF-8 text; send it as UTF-8'
    return refused({ where: gzip ? where : `${where}:${brokenLine(bytes)}`, message })
  }
}

/**
 * UTF-8 to text, with a byte order mark dropped. Most of what is sent is ASCII, which takes a fortieth of the time as
 * Latin-1, of which it is a part.
 * @throws TypeError where it is no UTF-8
 */
export function utf8Text(bytes: Uint8Array): string {
  if (!isAscii(bytes)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** The first line (from 1) that is no UTF-8. A newline byte is part of no other character. */
function brokenLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  for (let start = 0; start < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, start)
    const end = newline === -1 ? bytes.length : newline
    try {
      decoder.decode(bytes.subarray(start, end))
    } catch {
      return line
    }
    start = end + 1
  }
  return line
}
