import { Busboy } from '@fastify/busboy'
import { GatehouseError } from '../errors.js'

export const MAX_PARTS = 64

/** One part of a form as it was sent. Its content type and its file name mean nothing here. */
export interface Part {
  readonly name: string
  readonly bytes: Buffer
}

/**
 * Takes a whole `multipart/form-data` body apart.
 *
 * The parser skips what it cannot read (a part without a name, with broken headers, behind a boundary that the content
 * itself happens to hold), and a skipped part would be a shorter record that may pass. So the frame is checked first:
 * nothing before the first boundary or after the last, and as many parts as there are boundaries.
 * @throws GatehouseError 400 for a broken frame, 413 for too many parts
 */
export async function readMultipart(contentType: string, body: Buffer): Promise<Part[]> {
  const boundary = boundaryOf(contentType)
  const count = countParts(boundary, body)
  if (count > MAX_PARTS) {
    const message = `holds ${count} parts; at most ${MAX_PARTS} are taken`
    throw new GatehouseError('too_large', `the form ${message}`, [{ where: 'body', message }])
  }
  const parts = count === 0 ? [] : await collect(boundary, body)
  if (parts.length !== count) {
    throw malformed('holds a part whose headers cannot be read (or the boundary stands within the content)')
  }
  return parts
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

/** Counts the parts by their delimiters, and checks that nothing stands outside of them. */
function countParts(boundary: string, body: Buffer): number {
  const dashes = Buffer.from(`--${boundary}`, 'latin1')
  const delimiter = Buffer.concat([Buffer.from('\r\n'), dashes])
  const startsBare = body.subarray(0, dashes.length).equals(dashes)
  if (!startsBare && !body.subarray(0, delimiter.length).equals(delimiter)) {
    throw malformed('does not begin with the boundary that its Content-Type names')
  }
  let delimiters = startsBare ? 1 : 0
  let end = dashes.length
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, end)) {
    delimiters++
    end = at + delimiter.length
  }
  const rest = body.toString('latin1', end)
  if (!rest.startsWith('--')) throw malformed('is cut off: its closing boundary is missing')
  if (rest.slice(2).trim() !== '') {
    throw malformed('goes on after its closing boundary (or the boundary stands within the content)')
  }
  return delimiters - 1
}

function collect(boundary: string, body: Buffer): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const parser = new Busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      isPartAFile: () => true,
      preservePath: true,
    })
    const parts: Part[] = []
    parser.on('file', (name: string | undefined, stream, _filename, encoding) => {
      // Streams end in any order; a record's parts keep the order in which they were sent.
      const place = parts.push({ name: name ?? '', bytes: Buffer.alloc(0) }) - 1
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', () => reject(malformed('ends within a part')))
      stream.on('end', () => {
        if (!name) reject(malformed('holds a part without a name'))
        else if (/^(?:base64|quoted-printable)$/i.test(encoding)) {
          reject(malformed(`sends a part as ${encoding}; send its bytes as they are`))
        } else parts[place] = { name, bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) }
      })
    })
    parser.on('error', () => reject(malformed('is cut off, or is no multipart/form-data')))
    parser.on('finish', () => resolve(parts))
    parser.end(body)
  })
}

function malformed(message: string): GatehouseError {
  return new GatehouseError('malformed_body', `the form ${message}`, [{ where: 'body', message }])
}
