import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { invalidInput } from '../errors.js'

const MAX_KEY = 255

/** The header that makes a repeated request harmless. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description: `up to ${MAX_KEY} characters; the same key and content gets the first verdict again`,
    }),
  ),
})

/** An empty header is absent, as an unset CI variable gives it. */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key']
  const key = Array.isArray(header) ? header.join(', ') : (header ?? '')
  if (key.length > MAX_KEY) {
    throw invalidInput([
      { where: 'Idempotency-Key', message: `is ${key.length} characters long; at most ${MAX_KEY} are taken` },
    ])
  }
  return key === '' ? null : key
}
