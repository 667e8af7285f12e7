import type { Presented } from '../auth/credentials.js'
import { createSessionId, hashOf } from '../auth/token.js'
import { askedBy } from './asked-by.js'
import type { Gatehouse } from './gatehouse.js'
import type { Caller } from './submission.js'

export const SESSION_SECONDS = 12 * 3_600

/**
 * Begins a session of a token that was found good.
 * @returns the session's id, which is the browser's alone: only a hash is stored
 */
export async function beginSession(
  { store, log }: Gatehouse,
  { principal, credentialHash }: Presented,
  requestId: string,
): Promise<string> {
  const sessionId = createSessionId()
  await store.write(async (writer, attempt) => {
    const sessionHash = hashOf(sessionId)
    if (attempt > 1 && (await writer.findSession(sessionHash)) !== null) return
    const createdAt = await writer.now()
    const end = new Date(Date.parse(createdAt) + SESSION_SECONDS * 1_000)
    const expiresAt = end.toISOString().slice(0, 19) + createdAt.slice(19)
    await writer.writeSession({ sessionHash, credentialHash, createdAt, expiresAt })
  })
  log.info({ ...askedBy({ principal, requestId }) }, 'session begun')
  return sessionId
}

/** Ends a session; one that is over, or never was, stays so. */
export async function endSession(
  { store, log }: Gatehouse,
  { principal, requestId }: Caller,
  sessionId: string,
): Promise<void> {
  await store.write((writer) => writer.endSession(hashOf(sessionId)))
  log.info({ ...askedBy({ principal, requestId }) }, 'session ended')
}
