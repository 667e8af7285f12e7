import type { FastifyRequest } from 'fastify'
import { GatehouseError } from '../../errors.js'
import type { Verdict } from '../../operations/evals/keep-verdict.js'
import { inSlices } from '../../operations/in-slices.js'
import { Thread } from '../../thread/thread.js'
import { FormBody, INLINE_BYTES, JsonBytes } from '../plugins/bodies.js'
import type { Compile } from '../schemas/ajv.js'
import { renderForm, WORK, type Form, type JobName, type Jobs } from './jobs.js'
import { nextTurn } from '../../next-turn.js'

/** What the thread is asked. */
export interface EvalQuestion<Name extends JobName = JobName> {
  readonly name: Name
  readonly body: { readonly bytes: Uint8Array } | { readonly value: unknown }
  readonly terms: Jobs[Name]['terms']
}

/** Where evals are read and judged: small ones on the event loop, in slices; large ones in a thread. */
export class EvalDesk {
  readonly #thread = new Thread<EvalQuestion, unknown>(
    new URL('./eval-worker.js', import.meta.url),
    'the eval',
  )

  /**
   * Has a request's body worked on.
   * @param weight characters of what the terms hold
   * @throws GatehouseError what is wrong with the body; unavailable when this is closed, or its thread broke down
   */
  async do<Name extends JobName>(
    name: Name,
    request: FastifyRequest,
    terms: Jobs[Name]['terms'],
    weight = 0,
  ): Promise<Jobs[Name]['answer']> {
    const { body } = request
    if (body === undefined || body instanceof FormBody)
      throw new GatehouseError('unsupported_media_type', 'a body is wanted: application/json')
    if (body instanceof JsonBytes) {
      const { bytes } = body
      // Once the runs that it names have been read.
      const isReadAgain = name === 'comparison'
      return this.#ask({ name, body: { bytes }, terms }, isReadAgain ? [] : [bytes.buffer as ArrayBuffer])
    }
    if (weight > INLINE_BYTES) return this.#ask({ name, body: { value: body }, terms })
    const compile: Compile = (schema) => request.compileValidationSchema(schema) as ReturnType<Compile>
    return inSlices(WORK[name](body, terms, compile))
  }

  /** A verdict in another form than JSON. */
  async render(form: Form, verdict: Verdict<object>): Promise<string> {
    const terms = { form, verdict }
    return verdict.detail.length > INLINE_BYTES
      ? this.#ask({ name: 'form', body: { value: null }, terms })
      : renderForm(terms)
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  async #ask<Name extends JobName>(
    question: EvalQuestion<Name>,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<Jobs[Name]['answer']> {
    const answer = await this.#thread.ask(question, transfer)
    // Megabytes were copied at once to come here, and are about to be written at once.
    await nextTurn()
    return answer as Jobs[Name]['answer']
  }
}
