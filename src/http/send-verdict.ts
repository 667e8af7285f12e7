import type { FastifyReply, FastifyRequest } from 'fastify'
import type { VerdictDocument } from '../documents/verdict.js'
import { negotiateForm } from './negotiate.js'
import { renderJunit } from './render/junit.js'
import { renderMarkdown } from './render/markdown.js'

const VERDICT_FORMS = ['application/json', 'text/markdown', 'application/junit+xml'] as const

/** Answers a verdict in the form that the client accepts, with its headers. */
export function sendVerdict(
  request: FastifyRequest,
  reply: FastifyReply,
  verdict: VerdictDocument,
): FastifyReply {
  void reply.headers({
    vary: 'Accept',
    'gatehouse-outcome': verdict.outcome,
    'gatehouse-trusted': String(verdict.trusted),
  })
  switch (negotiateForm(request.headers.accept, VERDICT_FORMS)) {
    case 'text/markdown':
      return reply.type('text/markdown; charset=utf-8').send(renderMarkdown(verdict))
    case 'application/junit+xml':
      return reply.type('application/junit+xml; charset=utf-8').send(renderJunit(verdict))
    default:
      return reply.type('application/json; charset=utf-8').send(verdict)
  }
}
