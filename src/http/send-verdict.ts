import type { FastifyReply, FastifyRequest } from 'fastify'
import type { VerdictDocument } from '../documents/verdict.js'
import { inSlices } from '../operations/in-slices.js'
import { checkPieces, verdictTexts } from '../operations/verdict-document.js'
import type { NewVerdict } from '../store/verdicts.js'
import { negotiateForm } from './negotiate.js'
import { renderJunit } from './render/junit.js'
import { renderMarkdown } from './render/markdown.js'
import { sendText } from './send-text.js'

const VERDICT_FORMS = ['application/json', 'text/markdown', 'application/junit+xml'] as const

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
  return sendText(reply, texts)
}
