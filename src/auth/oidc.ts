import { decodeJwt, errors, type JWTPayload, jwtVerify, type JWTVerifyOptions } from 'jose'
import { GatehouseError } from '../errors.js'
import { shown } from '../gate/text.js'
import { type NamedJobClaims, readJobClaims } from '../policy/job-claims.js'
import { type Claims, grantFor, type OidcIssuer } from '../policy/oidc-rules.js'
import {
  createIssuerKeys,
  ISSUER_KEYS_DEFAULTS,
  type IssuerKeys,
  type IssuerKeysOptions,
  KeysUnavailable,
} from './issuer-keys.js'
import type { Principal } from './principal.js'

/** Says which job a token is from, and what it may do. */
export interface JobVerifier {
  /**
   * @param jwt as it stood behind `Bearer`
   * @throws GatehouseError unauthorized (not a good token), forbidden (a good one that no rule matches), unavailable
   *   (the issuer's keys cannot be had now)
   */
  verify(jwt: string): Promise<Principal>
}

/** Asymmetric ones alone. With HMAC the public key, which everyone knows, would be the secret. */
export const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]
const MAX_SHOWN = 80
/** GitHub's are about 2 KiB. */
const MAX_TOKEN = 16 * 1_024
/** How far the issuer's clock and this one may differ. */
const SKEW_SECONDS = 30

/**
 * @param issuers as the configuration has them; their keys are fetched when they are first needed
 * @param options what is not given is as in `ISSUER_KEYS_DEFAULTS`, and failures to fetch go untold
 */
export function createJobVerifier(
  issuers: readonly OidcIssuer[],
  options: Partial<IssuerKeysOptions> = {},
): JobVerifier {
  const keyOptions = { ...ISSUER_KEYS_DEFAULTS, onFailure: () => undefined, ...options }
  const known = new Map(
    issuers.map((issuer) => [issuer.issuer, { ...issuer, keys: createIssuerKeys(issuer, keyOptions) }]),
  )
  return {
    verify: async (jwt) => {
      const claimed = claimedIssuer(jwt)
      const issuer = known.get(claimed)
      if (issuer === undefined) {
        throw refused(
          `its issuer is ${shown(claimed)}, and this server takes ${[...known.keys()].join(', ') || 'none'}`,
        )
      }
      const claims = await verifiedClaims(jwt, issuer, issuer.keys)
      const job = readJobClaims(claims)
      if (!job.ok) {
        throw refused(job.faults.map(({ where, message }) => `its claim ${where} ${message}`).join('; '))
      }
      return principalOf(issuer, claims, job.value)
    },
  }
}

/** What the token says of its issuer before anything is verified: it only chooses whose keys must have signed it. */
function claimedIssuer(jwt: string): string {
  if (jwt.length > MAX_TOKEN) throw refused(`it is longer than ${MAX_TOKEN} characters`)
  let payload: JWTPayload
  try {
    payload = decodeJwt(jwt)
  } catch (cause) {
    throw refused('it is no signed JSON Web Token', cause)
  }
  if (typeof payload.iss !== 'string') throw refused('it names no issuer (iss)')
  return payload.iss
}

async function verifiedClaims(
  jwt: string,
  { issuer, audience }: OidcIssuer,
  keys: IssuerKeys,
): Promise<JWTPayload> {
  try {
    const payload = await signedPayload(jwt, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: SKEW_SECONDS,
      requiredClaims: ['exp'],
    })
    // jose looks at `iat` only where a greatest age is set; a token from the future is no better for lacking `nbf`.
    if (payload.iat !== undefined && payload.iat > Date.now() / 1_000 + SKEW_SECONDS) {
      throw refused(`it is issued at ${timeOf(payload.iat)}, which is still to come: compare the clocks`)
    }
    return payload
  } catch (error) {
    if (error instanceof GatehouseError) throw error
    if (error instanceof KeysUnavailable) {
      const detail = `the job's token cannot be verified now: ${error.message}`
      throw new GatehouseError('unavailable', detail, [], {}, { cause: error })
    }
    throw refused(reasonOf(error, audience), error)
  }
}

async function signedPayload(jwt: string, keys: IssuerKeys, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(jwt, keys.find, options)).payload
  } catch (error) {
    if (!(error instanceof errors.JWSSignatureVerificationFailed) || !(await keys.renew())) throw error
    return (await jwtVerify(jwt, keys.find, options)).payload
  }
}

/** What was wrong, without a word of the token that its signature has not vouched for. */
function reasonOf(error: unknown, audience: string): string {
  if (error instanceof errors.JWTExpired) {
    return `it expired at ${timeOf(error.payload.exp)}: fetch it right before it is sent`
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, payload } = error
    if (claim === 'aud') {
      return `its audience is ${claimText(payload.aud)}, and this server is ${shown(audience)}: ask for the token with audience=${audience}`
    }
    if (claim === 'nbf' && typeof payload.nbf === 'number') {
      return `it is not valid before ${timeOf(payload.nbf)}: compare the clocks`
    }
    return `its claim ${claim} is ${error.reason === 'missing' ? 'missing' : 'not what it must be'}`
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return `its algorithm is none of ${ALGORITHMS.join(', ')}`
  if (error instanceof errors.JWKSNoMatchingKey)
    return 'it is signed with a key that its issuer does not have'
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return 'it does not say which key of its issuer signed it'
  if (error instanceof errors.JWSSignatureVerificationFailed) return "its signature is not its issuer's"
  if (error instanceof errors.JOSEError) return 'it is no signed JSON Web Token'
  return "the issuer's key for it cannot be used"
}

function timeOf(seconds: number | undefined): string {
  const time = new Date((seconds ?? NaN) * 1_000)
  return Number.isNaN(time.getTime()) ? 'no time at all' : time.toISOString()
}

function refused(reason: string, cause?: unknown): GatehouseError {
  return new GatehouseError('unauthorized', `the job's token is not good: ${reason}`, [], {}, { cause })
}

function principalOf({ issuer, rules }: OidcIssuer, claims: Claims, job: NamedJobClaims): Principal {
  const grant = grantFor(rules, claims)
  if (grant === null) {
    throw new GatehouseError(
      'forbidden',
      `the job's token is good, and no rule for ${issuer} matches it (claims match to the letter): ${consulted(rules, claims)}`,
    )
  }
  return {
    actor: `oidc:${job.repository}${job.ref === null ? '' : `@${job.ref}`}`,
    owner: `oidc:${issuer}|${job.repository}`,
    scopes: grant.scopes,
    rule: grant.name,
    testPathPrefixes: grant.testPathPrefixes,
    job: { claims: job, onBehalf: grant.onBehalf },
  }
}

/** The claims that the rules ask for, as the token has them. */
function consulted(rules: OidcIssuer['rules'], claims: Claims): string {
  const names = new Set(rules.flatMap((rule) => [...rule.claims.keys()]))
  return [...names]
    .map((name) => {
      const value = Object.hasOwn(claims, name) ? claims[name] : undefined
      return `${name} is ${claimText(value)}`
    })
    .join(', ')
}

/** A claim as a person reads it: texts in one pair of quotes, a list as JSON has it. */
function claimText(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'string') return shown(value)
  const text = JSON.stringify(value)
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`
}
