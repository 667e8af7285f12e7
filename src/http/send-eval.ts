import type { FastifyReply, FastifyRequest } from 'fastify'
import { toJson } from '../documents/json.js'
import { nextTurn } from '../next-turn.js'
import { negotiateForm } from './negotiate.js'
import { sendText } from './send-text.js'

export interface EvalAnswer {
  /** null where nothing is claimed. */
  readonly outcome: 'pass' | 'fail' | null
  /** In one word. */
  readonly result: string
  /** The document, or its text. */
  readonly json: () => object | string
  readonly markdown: () => string | Promise<string>
  /** null where there is no such form. */
  readonly junit: (() => string | Promise<string>) | null
}

/** Answers what was said of an eval in the form that the client accepts, with its headers. */
export async function sendEval(
  request: FastifyRequest,
  reply: FastifyReply,
  { outcome, result, json, markdown, junit }: EvalAnswer,
): Promise<FastifyReply> {
  void reply.headers({
    vary: 'Accept',
    'gatehouse-result': result,
    ...(outcome !== null && { 'gatehouse-outcome': outcome }),
  })
  const forms = ['application/json', 'text/markdown', ...(junit ? ['application/junit+xml'] : [])]
  const form = negotiateForm(request.headers.accept, forms as [string, ...string[]])
  // What was just kept was written in one go, perhaps megabytes.
  await nextTurn()
  const body =
    form === 'text/markdown' ? await markdown() : form === 'application/junit+xml' ? await junit!() : json()
  void reply.type(`${form}; charset=utf-8`)
  return sendText(reply, [typeof body === 'string' ? body : toJson(body)])
}
