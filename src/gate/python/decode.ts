import { type Fault, type Outcome, accepted, refused } from '../outcome.js'
import { testFileLine, testFileRow } from './faults.js'

/** The largest test file that is read. Parsing time grows faster than size does. */
export const MAX_SOURCE_BYTES = 256 * 1024

/** Every name under which Python itself knows UTF-8, normalized as Python's codecs do. */
const UTF8_NAMES = new Set(['utf-8', 'utf8', 'u8', 'utf', 'utf-8-sig', 'utf8-ucs2', 'utf8-ucs4', 'cp65001'])

/** The fault of a file over the size limit, or null. */
export function sourceSizeFault(bytes: Uint8Array): Fault | null {
  if (bytes.length <= MAX_SOURCE_BYTES) return null
  return {
    where: 'test_file',
    message: `the file has ${bytes.length} bytes; a test file may have up to ${MAX_SOURCE_BYTES} (256 KiB)`,
  }
}

/**
 * Decodes a Python file as CPython does before it parses: one BOM dropped, the coding cookie heeded (only UTF-8 is
 * read), every line end turned into LF. Line numbers are the same before and after.
 */
export function decodeSource(bytes: Uint8Array): Outcome<string> {
  const size = sourceSizeFault(bytes)
  if (size) return refused(size)
  // The cookie comes first: a file in another encoding rarely is UTF-8, and the cookie says what it is instead.
  const cookie = cookieFault(bytes)
  if (cookie) return refused(cookie)
  let text: string
  try {
    // The decoder drops one leading BOM, as Python does.
    text = withLineFeeds(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return refused(notUtf8(bytes))
  }
  // ruff would drop a second BOM; Python refuses it.
  if (text.startsWith('\ufeff')) {
    return refused({ where: 'test_file:1', message: 'a second byte order mark follows the first; remove it' })
  }
  const nul = text.indexOf('\0')
  if (nul !== -1) {
    const message =
      'a NUL byte, which Python source cannot hold; write \\0 in a string, or save the file as UTF-8'
    return refused({ where: testFileLine(text, nul), message })
  }
  return accepted(text)
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

/** PEP 263: the cookie stands in a comment of line 1, or of line 2 where line 1 holds nothing but a comment. */
function cookieFault(bytes: Uint8Array): Fault | null {
  // Latin-1 gives every byte a character, and the cookie is ASCII.
  const text = withLineFeeds(Buffer.from(bytes).toString('latin1'))
  const bom = text.startsWith('\xef\xbb\xbf')
  for (const [row, line] of text
    .slice(bom ? 3 : 0)
    .split('\n', 2)
    .entries()) {
    const name = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1]
    if (name !== undefined) {
      const codec = normalizedCodec(name)
      if (bom && !/^utf-8(?:-|$)/.test(codec)) {
        return {
          where: testFileRow(row),
          message: 'beside a byte order mark the coding cookie must be utf-8; drop it',
        }
      }
      // As CPython reads it: utf-8-unix, say, is what an editor adds.
      if (UTF8_NAMES.has(codec) || codec.startsWith('utf-8-')) return null
      const message = `the coding cookie names ${name.slice(0, 60)}; only UTF-8 is read: save the file as UTF-8 and drop the cookie`
      return { where: testFileRow(row), message }
    }
    if (!/^[ \t\f]*(?:#|$)/.test(line)) return null
  }
  return null
}

/** Lower case, with each run of punctuation (but dots) as one hyphen, and none at the ends. */
function normalizedCodec(name: string): string {
  return name.toLowerCase().replace(/[-_]+/g, '-').replace(/^-|-$/g, '')
}

function notUtf8(bytes: Uint8Array): Fault {
  const offset = firstInvalidByte(bytes)
  const before = withLineFeeds(new TextDecoder().decode(bytes.subarray(0, offset)))
  const byte = bytes[offset]?.toString(16).padStart(2, '0')
  const message = `the file is not UTF-8 (byte 0x${byte} at offset ${offset}); save it as UTF-8`
  return { where: testFileLine(before, before.length), message }
}

/** Where the first sequence begins that is not UTF-8; by bisection, as the decoder names no offset. */
function firstInvalidByte(bytes: Uint8Array): number {
  let good = 0
  let bad = bytes.length + 1
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isUtf8(bytes.subarray(0, middle), true)) good = middle
    else bad = middle
  }
  // Up to three bytes of the sequence may have looked promising.
  while (!isUtf8(bytes.subarray(0, good), false)) good--
  return good
}

function isUtf8(bytes: Uint8Array, unfinished: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: unfinished })
    return true
  } catch {
    return false
  }
}
