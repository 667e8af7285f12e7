import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import type { OidcIssuer } from '../policy/oidc-rules.js'
import { fetchJson } from './fetch-json.js'
import { discoveredKeysUrl } from './issuer-url.js'

export interface IssuerKeysOptions {
  /**
   * A token with an unknown key id makes the issuer be asked again, at most this often: strangers can make up ids. A
   * rotated key that comes into use right after the last look waits this long.
   */
  readonly cooldownMs: number
  /** After a failure the issuer is left alone for this long. */
  readonly retryAfterMs: number
  /** Keys are asked for again at this age: a key that the issuer has withdrawn is good for no longer. */
  readonly maxAgeMs: number
  /** While the issuer does not answer, its last keys are good up to this age. */
  readonly maxStaleMs: number
  /** For discovery and keys together. */
  readonly timeoutMs: number
  /** The issuer did not answer, whether or not older keys help. */
  readonly onFailure: (issuer: string, error: unknown) => void
}

export const ISSUER_KEYS_DEFAULTS = {
  cooldownMs: 10_000,
  retryAfterMs: 5_000,
  maxAgeMs: 600_000,
  maxStaleMs: 86_400_000,
  timeoutMs: 5_000,
} as const

export interface IssuerKeys {
  /**
   * For jose: the key that a token's header names.
   * @throws KeysUnavailable, or jose's error where the issuer has no such key
   */
  readonly find: JWTVerifyGetKey
  /**
   * Asks the issuer again, for a signature that the key it named does not fit: it may have put another key in its place.
   * @returns whether there are newer keys now; false too within the cooldown
   */
  renew(): Promise<boolean>
}

/** The issuer's keys could not be fetched, and none that was fetched before helps. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

/**
 * The keys of one issuer, fetched when the first token needs them. Discovery is asked along with the keys, no less often:
 * an issuer that moves its keys is followed as one that rotates them.
 */
export function createIssuerKeys(
  { issuer, jwksUri }: Pick<OidcIssuer, 'issuer' | 'jwksUri'>,
  options: IssuerKeysOptions,
): IssuerKeys {
  let last: { keys: JWTVerifyGetKey; fetchedAt: number } | null = null
  let failure: { error: KeysUnavailable; at: number } | null = null

  const fetchKeys = async (signal: AbortSignal): Promise<Response> => {
    if (failure !== null && Date.now() < failure.at + options.retryAfterMs) throw failure.error
    try {
      const jwks = await fetchJson(jwksUri ?? (await discoverKeysUrl(issuer, signal)), signal)
      // Refuses what is no key set.
      last = {
        keys: createLocalJWKSet(jwks as Parameters<typeof createLocalJWKSet>[0]),
        fetchedAt: Date.now(),
      }
      failure = null
      return Response.json(jwks)
    } catch (cause) {
      const error = new KeysUnavailable(`the keys of ${issuer} cannot be fetched`, { cause })
      failure = { error, at: Date.now() }
      options.onFailure(issuer, cause)
      throw error
    }
  }
  const remote = createRemoteJWKSet(new URL(jwksUri ?? issuer), {
    cooldownDuration: options.cooldownMs,
    cacheMaxAge: options.maxAgeMs,
    timeoutDuration: options.timeoutMs,
    [customFetch]: (_url, { signal }) => fetchKeys(signal),
  })

  const find: JWTVerifyGetKey = async (header, token) => {
    try {
      return await remote(header, token)
    } catch (error) {
      if (!(error instanceof KeysUnavailable) || last === null) throw error
      if (Date.now() > last.fetchedAt + options.maxStaleMs) throw error
      try {
        return await last.keys(header, token)
      } catch (missing) {
        // It may be a key that the issuer has and cannot show now.
        throw missing instanceof errors.JWKSNoMatchingKey ? error : missing
      }
    }
  }
  const renew = async () => {
    if (remote.coolingDown) return false
    return remote.reload().then(
      () => true,
      () => false,
    )
  }
  return { find, renew }
}

/** Asks the issuer where its keys are. */
async function discoverKeysUrl(issuer: string, signal: AbortSignal): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  return discoveredKeysUrl(await fetchJson(address, signal), issuer)
}
