/**
 * The part of the contract that is about credentials. Rows are only ever inserted: a revocation, an end and a use are
 * rows of their own, since the server's PostgreSQL role may update nothing but trust. A token's row never goes, so that
 * what it did keeps its name, and so that open mode, once over, stays over.
 */
import type { Timestamp } from '../gate/run.js'
import type { Page } from './lists.js'

export interface CredentialQueries {
  /** Whether any token was ever stored, whatever became of it. */
  hasTokens(): Promise<boolean>
  /** The token of a hash, as it stands at this moment. One query. */
  findToken(tokenHash: string): Promise<StoredToken | null>
  /** A session that is not over, with the token that it was begun with, if that one is stored. One query. */
  findSession(sessionHash: string): Promise<StoredSession | null>

  readToken(tokenId: string): Promise<StoredToken | null>
  /** The token of that name that is not revoked; it may have expired. */
  findNamedToken(name: string): Promise<StoredToken | null>
  /** Every token, newest first, with its newest recorded use. */
  listTokens(page: Page): Promise<ListedToken[]>
}

export interface CredentialWrites {
  /** Tokens are made one after the other, on all instances; held to the end of the transaction. */
  lockTokens(): Promise<void>
  writeToken(token: NewToken): Promise<void>
  /** Revoking again changes nothing: the first one stands. */
  writeTokenRevocation(tokenId: string, revocation: TokenRevocation): Promise<void>
  /** Keeps that a token was used, by the store's clock; one row an hour, of which the first use stands. */
  writeTokenUse(tokenId: string): Promise<void>

  writeSession(session: NewSession): Promise<void>
  /** Ending it again, or one that never was, changes nothing. */
  endSession(sessionHash: string): Promise<void>
}

export interface NewToken {
  readonly tokenId: string
  readonly name: string
  /** SHA-256 of the token's text, in hex; the text itself is kept nowhere. */
  readonly tokenHash: string
  readonly scopes: readonly string[]
  /** null where the token is not confined. */
  readonly testPathPrefixes: readonly string[] | null
  readonly createdAt: Timestamp
  readonly createdBy: string
  /** null where it never does. */
  readonly expiresAt: Timestamp | null
}

export interface StoredToken extends Omit<NewToken, 'tokenHash'> {
  /** By the store's clock. */
  readonly expired: boolean
  readonly revoked: TokenRevocation | null
}

export interface ListedToken extends StoredToken {
  /** The first use in the newest hour in which there was any. */
  readonly lastUsedAt: Timestamp | null
}

export interface TokenRevocation {
  readonly createdAt: Timestamp
  readonly actor: string
}

export interface NewSession {
  /** SHA-256 of the session's id, in hex. */
  readonly sessionHash: string
  /** SHA-256 of the token that it was begun with. */
  readonly credentialHash: string
  readonly createdAt: Timestamp
  readonly expiresAt: Timestamp
}

export interface StoredSession {
  readonly credentialHash: string
  readonly token: StoredToken | null
}
