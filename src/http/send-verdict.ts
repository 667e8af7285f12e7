import { setImmediate } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { VerdictDocument } from '../documents/verdict.js'
import { inSlices } from '../operations/in-slices.js'
import { checkPieces, verdictText } from '../operations/verdict-document.js'
import type { NewVerdict } from '../store/store.js'
import { negotiateForm } from './negotiate.js'
import { renderJunit } from './render/junit.js'
import { renderMarkdown } from './render/markdown.js'

const VERDICT_FORMS = ['application/json', 'text/markdown', 'application/junit+xml'] as const

/** Above this a text is sent as bytes: to find how long a text is takes longer than to encode it. */
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
  const text =
    form === 'text/markdown'
      ? renderMarkdown(verdict)
      : form === 'application/junit+xml'
        ? renderJunit(verdict)
        : verdictText(verdict, pieces ?? (await inSlices(checkPieces(verdict.checks))))
  void reply.type(`${form}; charset=utf-8`)
  if (text.length <= LARGE_TEXT) return reply.send(text)
  await setImmediate()
  return reply.send(Buffer.from(text))
}
