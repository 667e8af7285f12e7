import { TLSSocket } from 'node:tls'
import type { FastifyReply, FastifyRequest } from 'fastify'

export const SESSION_COOKIE = 'gatehouse_session'

/** The session's id that the browser sent. */
export function sessionOf({ cookies }: FastifyRequest): string | undefined {
  return cookies[SESSION_COOKIE]
}

export function setSession(
  request: FastifyRequest,
  reply: FastifyReply,
  sessionId: string,
  seconds: number,
): void {
  void reply.setCookie(SESSION_COOKIE, sessionId, { ...attributes(request), maxAge: seconds })
}

export function forgetSession(request: FastifyRequest, reply: FastifyReply): void {
  void reply.clearCookie(SESSION_COOKIE, attributes(request))
}

function attributes(request: FastifyRequest) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: cameByTls(request) } as const
}

/**
 * Whether the browser speaks TLS: to this server, or to a proxy that says so. Whoever lies about it only changes his own
 * cookie. Of several proxies the first one named is the browser's.
 */
function cameByTls({ headers, raw }: FastifyRequest): boolean {
  if (raw.socket instanceof TLSSocket) return true
  const [protocol = ''] = String(headers['x-forwarded-proto'] ?? '').split(',')
  const [element = ''] = String(headers.forwarded ?? '').split(',')
  return (
    protocol.trim().toLowerCase() === 'https' || /(?:^|;)\s*proto\s*=\s*"?https"?\s*(?:;|$)/i.test(element)
  )
}
