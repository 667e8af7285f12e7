import { nextTurn } from '../next-turn.js'

/** Characters that are encoded in one go, which takes some milliseconds where memory is dear. */
const CHUNK = 512 * 1_024

/**
 * UTF-8 of texts one behind the other, in pieces between which others have their turn. Long texts are never joined, as
 * that would be one more copy of them.
 */
export async function encodeInTurns(texts: Iterable<string>, chunk: number = CHUNK): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  for (const text of joined(texts, chunk)) {
    pieces.push(Buffer.from(text))
    await nextTurn()
  }
  return pieces
}

/** The same text in stretches of about a chunk: short ones together, long ones apart. */
function* joined(texts: Iterable<string>, chunk: number): Generator<string> {
  let short = ''
  for (const text of texts) {
    if (short.length + text.length <= chunk) {
      short += text
      continue
    }
    if (short !== '') yield short
    short = ''
    for (let from = 0; from < text.length;) {
      const to = endOfChunk(text, from + chunk)
      yield text.slice(from, to)
      from = to
    }
  }
  if (short !== '') yield short
}

/** No character is cut in two: half of a surrogate pair has no UTF-8. */
function endOfChunk(text: string, end: number): number {
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end
}
