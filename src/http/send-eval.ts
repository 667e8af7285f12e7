import type { FastifyReply, FastifyRequest } from 'fastify'
import { negotiateForm } from './negotiate.js'

export interface EvalAnswer<Document> {
  readonly document: Document
  /** null where nothing is claimed. */
  readonly outcome: 'pass' | 'fail' | null
  /** In one word. */
  readonly result: string
  readonly markdown: (document: Document) => string
  /** null where there is no such form. */
  readonly junit: ((document: Document) => string) | null
}

/** Answers what was said of an eval in the form that the client accepts, with its headers. */
export function sendEval<Document extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  { document, outcome, result, markdown, junit }: EvalAnswer<Document>,
): FastifyReply {
  void reply.headers({
    vary: 'Accept',
    'gatehouse-result': result,
    ...(outcome !== null && { 'gatehouse-outcome': outcome }),
  })
  const forms = ['application/json', 'text/markdown', ...(junit ? ['application/junit+xml'] : [])]
  switch (negotiateForm(request.headers.accept, forms as [string, ...string[]])) {
    case 'text/markdown':
      return reply.type('text/markdown; charset=utf-8').send(markdown(document))
    case 'application/junit+xml':
      return reply.type('application/junit+xml; charset=utf-8').send(junit!(document))
    default:
      return reply.type('application/json; charset=utf-8').send(document)
  }
}
