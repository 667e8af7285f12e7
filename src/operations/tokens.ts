import { uuidv7 } from 'uuidv7'
import { SCOPES } from '../auth/principal.js'
import { createTokenText, hashOf } from '../auth/token.js'
import type { CreatedTokenDocument, TokenDocument, TokenPage } from '../documents/token.js'
import { GatehouseError, invalidInput } from '../errors.js'
import type { Timestamp } from '../gate/run.js'
import { tokenRequestFaults, type TokenRequest } from '../policy/token-request.js'
import type { ListedToken, NewToken } from '../store/credentials.js'
import { askedBy } from './asked-by.js'
import type { Gatehouse } from './gatehouse.js'
import { newestFirst, readPage, type PageRequest } from './paging.js'
import type { Caller } from './submission.js'

const DAY_MS = 86_400_000

/**
 * Makes an API token. Its text is in the answer and nowhere else: only a hash is stored.
 * @throws GatehouseError invalid_input; name_taken where a token of this name stands
 */
export async function createToken(
  { store, log }: Gatehouse,
  { principal, requestId }: Caller,
  request: TokenRequest,
): Promise<CreatedTokenDocument> {
  const faults = tokenRequestFaults(request, SCOPES)
  if (faults.length > 0) throw invalidInput(faults)
  const tokenId = uuidv7()
  const text = createTokenText()
  const token = await store.write(async (writer, attempt) => {
    await writer.lockTokens()
    const own = attempt > 1 ? await writer.readToken(tokenId) : null
    if (own !== null) return own
    const standing = await writer.findNamedToken(request.name)
    if (standing !== null) {
      const state = standing.expired ? `expired at ${standing.expiresAt}, and is not revoked` : 'stands'
      throw new GatehouseError(
        'name_taken',
        `a token named ${JSON.stringify(request.name)} ${state} (${standing.tokenId}); revoke it first, or choose another name`,
      )
    }
    const createdAt = await writer.now()
    const made: NewToken = {
      tokenId,
      tokenHash: hashOf(text),
      name: request.name,
      scopes: request.scopes,
      testPathPrefixes: request.testPathPrefixes,
      createdAt,
      createdBy: principal.actor,
      expiresAt: request.expiresInDays === null ? null : daysAfter(createdAt, request.expiresInDays),
    }
    await writer.writeToken(made)
    return made
  })
  log.info(
    {
      ...askedBy({ principal, requestId }),
      token_id: tokenId,
      name: request.name,
      scopes: request.scopes,
      expires_at: token.expiresAt,
    },
    'token made',
  )
  return { ...tokenDocument({ ...token, expired: false, revoked: null, lastUsedAt: null }), token: text }
}

/** Every token, newest first; never its text. */
export function listTokens({ store }: Gatehouse, request: PageRequest): Promise<TokenPage> {
  return store.read((reader) =>
    readPage(
      ['tokens', {}],
      request,
      newestFirst<ListedToken>(({ createdAt, tokenId }) => ({ createdAt, id: tokenId })),
      (page) => reader.listTokens(page),
      tokenDocument,
    ),
  )
}

/**
 * Revokes a token, on every instance at once. Again, it changes nothing: whoever lost the answer may ask once more.
 * @throws GatehouseError not_found
 */
export async function revokeToken(
  { store, log }: Gatehouse,
  { principal, requestId }: Caller,
  tokenId: string,
): Promise<void> {
  const { actor } = principal
  const revoked = await store.write(async (writer) => {
    const token = await writer.readToken(tokenId)
    if (token === null) throw new GatehouseError('not_found', `there is no token ${JSON.stringify(tokenId)}`)
    if (token.revoked !== null) return null
    await writer.writeTokenRevocation(tokenId, { createdAt: await writer.now(), actor })
    return token
  })
  if (revoked === null) return
  log.info({ ...askedBy({ principal, requestId }), token_id: tokenId, name: revoked.name }, 'token revoked')
}

function daysAfter(time: Timestamp, days: number): Timestamp {
  // The microseconds stay: times of another precision would not compare as text.
  return new Date(Date.parse(time) + days * DAY_MS).toISOString().slice(0, 19) + time.slice(19)
}

function tokenDocument(token: ListedToken): TokenDocument {
  return {
    token_id: token.tokenId,
    name: token.name,
    scopes: [...token.scopes],
    test_path_prefixes: token.testPathPrefixes && [...token.testPathPrefixes],
    created_at: token.createdAt,
    created_by: token.createdBy,
    expires_at: token.expiresAt,
    last_used_at: token.lastUsedAt,
    revoked_at: token.revoked?.createdAt ?? null,
  }
}
