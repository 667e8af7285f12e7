/** Who asks: the one place where a request's credential becomes a principal, or is refused. Knows no HTTP server. */
import { GatehouseError } from '../errors.js'
import type { StoredToken } from '../store/credentials.js'
import type { MetricHistoryStore } from '../store/store.js'
import { bearerOf } from './bearer.js'
import type { JobVerifier } from './oidc.js'
import { OPEN_MODE_PRINCIPAL, SCOPES, UNCONFINED, type Principal, type Scope } from './principal.js'
import { SharedAsks } from '../store/shared-asks.js'
import { hashOf, looksLikeJwt, looksLikeToken, sameHash, TOKEN_PREFIX } from './token.js'
import { TokenUses } from './token-uses.js'

export interface CredentialSettings {
  /** Whether the server may work without credentials while there are none: it listens on loopback alone. */
  readonly isLoopback: boolean
  /** The first administrator's token, from the environment; null where none is set. */
  readonly adminToken: string | null
  /** Takes bearers that look like a JWT; null where no issuer is configured. */
  readonly jobs: JobVerifier | null
}

/** What is told of events that concern no single request. */
export interface CredentialLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** What a request brings. */
export interface RequestFacts {
  /** The Authorization header. */
  readonly authorization: string | undefined
  /** The session's id, from its cookie. */
  readonly session: string | undefined
  /** Whether the request only reads. */
  readonly isRead: boolean
  /** Whether it carries what a page of another site cannot make a browser send. */
  readonly isDeliberate: boolean
  /** Who it is without any credential; null where it needs one. */
  readonly anonymous: Principal | null
}

export interface Identified {
  readonly principal: Principal
  /** How the credential came. */
  readonly borne: 'header' | 'cookie' | 'none'
}

/** A token that was found good. */
export interface Presented {
  readonly principal: Principal
  /** SHA-256 of the token. */
  readonly credentialHash: string
}

export const ADMIN_PRINCIPAL: Principal = {
  actor: 'admin-token',
  owner: 'token:environment',
  scopes: new Set(SCOPES),
  ...UNCONFINED,
}

const SETTLE_MS = 1_000

export class Credentials {
  readonly #store: MetricHistoryStore
  readonly #log: CredentialLog
  readonly #adminHash: string | null
  readonly #jobs: JobVerifier | null
  readonly #uses: TokenUses
  readonly #tokens: SharedAsks<StoredToken | null>
  readonly #anyTokens: SharedAsks<boolean>
  /** Whether the server may still be open. Once false it stays so, since rows of tokens never go. */
  #maybeOpen: boolean

  constructor(store: MetricHistoryStore, settings: CredentialSettings, log: CredentialLog) {
    this.#store = store
    this.#log = log
    this.#adminHash = settings.adminToken === null ? null : hashOf(settings.adminToken)
    this.#jobs = settings.jobs
    this.#maybeOpen = settings.isLoopback && settings.adminToken === null && settings.jobs === null
    this.#tokens = new SharedAsks((hash) => store.read((reader) => reader.findToken(hash), { single: true }))
    this.#anyTokens = new SharedAsks(() => this.hasTokens())
    this.#uses = new TokenUses(store, (error) =>
      log.warn({ err: error }, 'the use of a token is not recorded'),
    )
  }

  /** Whether the server was open when last looked; the store is not asked. */
  get seemsOpen(): boolean {
    return this.#maybeOpen
  }

  /**
   * Whether the server works without credentials at this moment. Looked up each time while it is so: another instance
   * may have made the first token.
   * @throws StoreUnavailable
   */
  async isOpen(): Promise<boolean> {
    if (this.#maybeOpen && (await this.#anyTokens.ask('')) && this.#maybeOpen) {
      this.#maybeOpen = false
      this.#log.warn({}, 'open mode is over: there is an API token, and every request needs one from now on')
    }
    return this.#maybeOpen
  }

  /** @throws StoreUnavailable */
  hasTokens(): Promise<boolean> {
    return this.#store.read((reader) => reader.hasTokens(), { single: true })
  }

  /**
   * Who asks. Each credential is looked up anew on the primary, so that what was revoked is refused at once.
   * @throws GatehouseError unauthorized, or forbidden for a change that a session's cookie bears all alone
   * @throws StoreUnavailable
   */
  async identify(facts: RequestFacts): Promise<Identified> {
    if (await this.isOpen()) {
      if (facts.authorization !== undefined) bearerOf(facts.authorization, 'open')
      return { principal: OPEN_MODE_PRINCIPAL, borne: 'none' }
    }
    if (facts.authorization !== undefined) {
      const principal = await this.#ofBearer(bearerOf(facts.authorization, 'closed'))
      return { principal, borne: 'header' }
    }
    if (facts.session !== undefined) {
      // Another site's page can make a browser send the cookie, but not this header.
      if (!facts.isRead && !facts.isDeliberate) {
        throw new GatehouseError(
          'forbidden',
          'a change within a session needs the header X-Gatehouse: 1, which no other site can make a browser send',
        )
      }
      return { principal: await this.#ofSession(facts.session), borne: 'cookie' }
    }
    if (facts.anonymous !== null) return { principal: facts.anonymous, borne: 'none' }
    throw new GatehouseError(
      'unauthorized',
      'a credential is needed: send the header Authorization: Bearer TOKEN, with an API token of this server',
    )
  }

  /**
   * Looks up the text of an API token.
   * @throws GatehouseError unauthorized where it is none, or none that is good
   * @throws StoreUnavailable
   */
  async present(text: string): Promise<Presented> {
    const credentialHash = hashOf(text)
    if (this.#adminHash !== null && sameHash(credentialHash, this.#adminHash)) {
      return { principal: ADMIN_PRINCIPAL, credentialHash }
    }
    if (!looksLikeToken(text)) {
      throw new GatehouseError(
        'unauthorized',
        `what was sent is no token of this server: they begin with ${TOKEN_PREFIX} and 43 characters follow; is it whole? Nor is it the server's GATEHOUSE_ADMIN_TOKEN, where one is set, whose form is free`,
      )
    }
    const token = await this.#tokens.ask(credentialHash)
    if (token === null) throw new GatehouseError('unauthorized', 'this server knows no such token')
    return { principal: this.#principalOf(token), credentialHash }
  }

  /** Waits a moment for the uses of tokens to be written. */
  settled(): Promise<void> {
    return this.#uses.settled(SETTLE_MS)
  }

  async #ofBearer(text: string): Promise<Principal> {
    const isAdmin = this.#adminHash !== null && sameHash(hashOf(text), this.#adminHash)
    if (isAdmin || !looksLikeJwt(text)) return (await this.present(text)).principal
    if (this.#jobs === null) {
      throw new GatehouseError(
        'unauthorized',
        'this server takes no identity tokens of jobs: its configuration names no issuer (oidc); send an API token',
      )
    }
    return this.#jobs.verify(text)
  }

  async #ofSession(id: string): Promise<Principal> {
    const session = await this.#store.read((reader) => reader.findSession(hashOf(id)), { single: true })
    if (session === null) throw new GatehouseError('unauthorized', 'the session is over; sign in again')
    if (session.token !== null) return this.#principalOf(session.token)
    if (this.#adminHash !== null && sameHash(session.credentialHash, this.#adminHash)) return ADMIN_PRINCIPAL
    throw new GatehouseError(
      'unauthorized',
      'the token that the session was begun with is gone; sign in again',
    )
  }

  /** Only whoever holds the token's secret learns what became of it. */
  #principalOf(token: StoredToken): Principal {
    const { name, revoked, expired, expiresAt } = token
    if (revoked !== null) {
      throw new GatehouseError(
        'unauthorized',
        `the token ${JSON.stringify(name)} was revoked at ${revoked.createdAt}`,
      )
    }
    if (expired) {
      throw new GatehouseError(
        'unauthorized',
        `the token ${JSON.stringify(name)} expired at ${expiresAt}; have another one made`,
      )
    }
    this.#uses.note(token.tokenId)
    return {
      actor: `token:${name}`,
      owner: `token:${token.tokenId}`,
      scopes: new Set(token.scopes.filter(isScope)),
      ...UNCONFINED,
      testPathPrefixes: token.testPathPrefixes,
    }
  }
}

/** A newer release may know scopes that this one does not, and grants nothing for them. */
function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text)
}

/** Who asks without a credential where none is needed. */
export function anonymousPrincipal(address: string, scopes: readonly Scope[]): Principal {
  return { actor: 'anonymous', owner: `anonymous:${address}`, scopes: new Set(scopes), ...UNCONFINED }
}
