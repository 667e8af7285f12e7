import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { VerdictDocument } from '../documents/verdict.js'
import { inSlices } from '../operations/in-slices.js'
import { checkPieces, verdictTexts } from '../operations/verdict-document.js'
import type { NewVerdict } from '../store/store.js'
import { encodeInTurns } from './encode-in-turns.js'
import { negotiateForm } from './negotiate.js'
import { renderJunit } from './render/junit.js'
import { renderMarkdown } from './render/markdown.js'

const VERDICT_FORMS = ['application/json', 'text/markdown', 'application/junit+xml'] as const

/** Above this an answer is encoded and written in pieces. */
const LARGE_TEXT = 128 * 1_024

/**
 * Answers a verdict in the form that the client accepts, with its headers.
 * @param pieces its checks as JSON text, where somebody has it
 */
export async function sendVerdict(
  request: FastifyRequest,
  reply: FastifyReply,
  verdict: VerdictDocument,
  pieces?: NewVerdict['checks'],
): Promise<FastifyReply> {
  void reply.headers({
    vary: 'Accept',
    'gatehouse-outcome': verdict.outcome,
    'gatehouse-trusted': String(verdict.trusted),
  })
  const form = negotiateForm(request.headers.accept, VERDICT_FORMS)
  const texts =
    form === 'text/markdown'
      ? [renderMarkdown(verdict)]
      : form === 'application/junit+xml'
        ? [renderJunit(verdict)]
        : verdictTexts(verdict, pieces ?? (await inSlices(checkPieces(verdict.checks))))
  void reply.type(`${form}; charset=utf-8`)
  if (texts.reduce((sum, text) => sum + text.length, 0) <= LARGE_TEXT) return reply.send(texts.join(''))
  const bytes = await encodeInTurns(texts)
  void reply.header(
    'content-length',
    bytes.reduce((sum, piece) => sum + piece.length, 0),
  )
  return reply.send(Readable.from(bytes))
}
