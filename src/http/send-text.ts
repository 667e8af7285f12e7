import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { encodeInTurns } from './encode-in-turns.js'

/** In characters; above this an answer is encoded and written in pieces. */
const LARGE_TEXT = 128 * 1_024

/** Answers with texts one behind the other; a long answer takes turns with what else there is to do. */
export async function sendText(reply: FastifyReply, texts: readonly string[]): Promise<FastifyReply> {
  if (texts.reduce((sum, text) => sum + text.length, 0) <= LARGE_TEXT) return reply.send(texts.join(''))
  const bytes = await encodeInTurns(texts)
  void reply.header(
    'content-length',
    bytes.reduce((sum, piece) => sum + piece.length, 0),
  )
  return reply.send(Readable.from(bytes))
}
