import { Busboy } from '@fastify/busboy'
import { GatehouseError } from '../errors.js'
import { SLICE, type Sliced } from '../gate/slices.js'
import { inSlices } from '../operations/in-slices.js'

export const MAX_PARTS = 64

/** Bytes that are searched between two pauses: some milliseconds of the slowest text that there is. */
const WINDOW = 2 * 1_024 * 1_024
/** More than the parser reads of a part's headers (80 KiB). */
const MAX_HEAD = 96 * 1_024

const LINE_END = Buffer.from('\r\n')
const BLANK_LINE = Buffer.from('\r\n\r\n')
const CLOSING = Buffer.from('--\r\n')

/** One part of a form as it was sent. Its content type and its file name mean nothing here. */
export interface Part {
  readonly name: string
  readonly bytes: Buffer
}

/**
 * Takes a whole `multipart/form-data` body apart. The parts lie in the body's memory.
 *
 * The parser skips what it cannot read (a part without a name, with broken headers, behind a boundary that the content
 * itself happens to hold), and a skipped part would be a shorter record that may pass. So the frame is checked first:
 * nothing before the first boundary or after the last, and as many parts as there are boundaries. The parser then gets
 * the parts' heads and none of their contents, which it would search once more, all in one go.
 * @throws GatehouseError 400 for a broken frame, 413 for too many parts
 */
export async function readMultipart(contentType: string, body: Buffer): Promise<Part[]> {
  const boundary = boundaryOf(contentType)
  const { count, parts } = await inSlices(takeApart(boundary, body))
  if (count > MAX_PARTS) {
    const message = `holds ${count} parts; at most ${MAX_PARTS} are taken`
    throw new GatehouseError('too_large', `the form ${message}`, [{ where: 'body', message }])
  }
  const names = count === 0 ? [] : await readNames(boundary, parts)
  if (names.length !== count) {
    throw malformed('holds a part whose headers cannot be read (or the boundary stands within the content)')
  }
  return names.map((name, index) => ({ name, bytes: parts[index]!.content }))
}

/** The characters that RFC 2046 allows. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/

function boundaryOf(contentType: string): string {
  const match = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType)
  const boundary = match?.[1] ?? match?.[2] ?? ''
  if (!BOUNDARY.test(boundary)) {
    throw malformed('names no boundary in its Content-Type; let the client write that header (curl -F does)')
  }
  return boundary
}

interface RawPart {
  /** From the boundary to the blank line; as much of it as the parser looks at. */
  readonly head: Buffer
  readonly content: Buffer
}

/** Finds the parts by their delimiters, and checks that nothing stands outside of them. */
function* takeApart(boundary: string, body: Buffer): Sliced<{ count: number; parts: readonly RawPart[] }> {
  const dashes = Buffer.from(`--${boundary}`, 'latin1')
  const delimiter = Buffer.concat([LINE_END, dashes])
  const startsBare = body.subarray(0, dashes.length).equals(dashes)
  if (!startsBare && !body.subarray(0, delimiter.length).equals(delimiter)) {
    throw malformed('does not begin with the boundary that its Content-Type names')
  }
  const parts: RawPart[] = []
  let count = 0
  let begin = startsBare ? dashes.length : delimiter.length
  let paused = 0
  for (;;) {
    const end = yield* find(delimiter, body, begin, body.length)
    if (end === -1) break
    if (++count <= MAX_PARTS) parts.push(yield* readPart(body, begin, end))
    begin = end + delimiter.length
    if (begin - paused > WINDOW || count % SLICE === 0) {
      paused = begin
      yield
    }
  }
  if (body.toString('latin1', begin, begin + 2) !== '--')
    throw malformed('is cut off: its closing boundary is missing')
  for (let at = begin + 2; at < body.length; at += WINDOW) {
    if (at > begin + 2) yield
    if (body.toString('latin1', at, Math.min(body.length, at + WINDOW)).trim() !== '')
      throw malformed('goes on after its closing boundary (or the boundary stands within the content)')
  }
  return { count, parts }
}

function* readPart(body: Buffer, begin: number, end: number): Sliced<RawPart> {
  const blank = yield* find(BLANK_LINE, body, begin, end)
  // Without a blank line it is all head, and the parser finds no part in it.
  const headEnd = blank === -1 ? end : blank
  const head = body.subarray(begin, Math.min(headEnd, begin + MAX_HEAD))
  if (blank === -1) return { head, content: Buffer.alloc(0) }
  return { head: Buffer.concat([head, BLANK_LINE]), content: body.subarray(blank + BLANK_LINE.length, end) }
}

/** Where the needle stands first between two places; -1 where it does not. */
function* find(needle: Buffer, body: Buffer, begin: number, end: number): Sliced<number> {
  for (let from = begin; ; from += WINDOW - needle.length + 1) {
    const at = body.subarray(from, Math.min(end, from + WINDOW)).indexOf(needle)
    if (at !== -1) return from + at
    if (from + WINDOW >= end) return -1
    yield
  }
}

/** The names of the parts that the parser finds, of a form that holds nothing but heads. */
function readNames(boundary: string, parts: readonly RawPart[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const parser = new Busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      isPartAFile: () => true,
      preservePath: true,
    })
    const names: string[] = []
    parser.on('file', (name: string | undefined, stream, _filename, encoding) => {
      names.push(name ?? '')
      stream.on('error', () => reject(malformed('ends within a part')))
      stream.on('end', () => {
        if (!name) reject(malformed('holds a part without a name'))
        else if (/^(?:base64|quoted-printable)$/i.test(encoding))
          reject(malformed(`sends a part as ${encoding}; send its bytes as they are`))
      })
      stream.resume()
    })
    parser.on('error', () => reject(malformed('is cut off, or is no multipart/form-data')))
    parser.on('finish', () => resolve(names))
    const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    parser.end(Buffer.concat([...parts.flatMap(({ head }) => [delimiter, head]), delimiter, CLOSING]))
  })
}

function malformed(message: string): GatehouseError {
  return new GatehouseError('malformed_body', `the form ${message}`, [{ where: 'body', message }])
}
