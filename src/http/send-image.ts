import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { matchesEtag } from './etag.js'
import { nothing, type ResponseDeclaration } from './schemas/responses.js'

/** It needs nothing and may do nothing, also where somebody opens it as a page of its own. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

/** What a route that answers a picture declares. */
export function image(
  description: string,
): Record<200 | 304, ResponseDeclaration | ReturnType<typeof nothing>> {
  const headers = { ETag: Type.String() }
  return {
    200: { description, content: { 'image/svg+xml': { schema: Type.String() } }, headers },
    304: nothing('If-None-Match names the present picture', headers),
  }
}

/** Answers a picture, or 304 to whoever has it already. */
export function sendImage({ headers }: FastifyRequest, reply: FastifyReply, svg: string): FastifyReply {
  const etag = `"${createHash('sha256').update(svg).digest('base64url').slice(0, 22)}"`
  void reply.headers({
    etag,
    // May be kept, to be asked for again with its tag: an image proxy would otherwise show yesterday's for hours.
    'cache-control': 'no-cache',
    'content-security-policy': POLICY,
    // Pages of other origins may show it; whether it is theirs to see was decided by the credential, and a session's
    // cookie does not come along.
    'cross-origin-resource-policy': 'cross-origin',
  })
  if (matchesEtag(headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type('image/svg+xml; charset=utf-8').send(svg)
}
