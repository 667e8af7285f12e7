/** The text of an API token, and what of it may be kept. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** So that secret scanners, and the log's own filter, can find one that went astray. */
export const TOKEN_PREFIX = 'gatehouse_'

const TOKEN = new RegExp(`^${TOKEN_PREFIX}[\\w-]{43}$`)
/** A header, a payload and a signature; the last may be empty in one that nobody signed. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** A new token: the prefix and base64url of 32 random bytes. */
export function createTokenText(): string {
  return TOKEN_PREFIX + createSecret()
}

/** The id of a session: longer than a token and never taken for one, but found as one in whatever it strays into. */
export function createSessionId(): string {
  return `${TOKEN_PREFIX}s_${createSecret()}`
}

/** 256 random bits as base64url. */
function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function looksLikeToken(text: string): boolean {
  return TOKEN.test(text)
}

export function looksLikeJwt(text: string): boolean {
  return JWT.test(text)
}

/** SHA-256 in hex. Of 256 random bits nothing slower is needed: they cannot be guessed. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Compares two hashes in a time that tells nothing of where they differ. */
export function sameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
