import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

/** A key pair of a local issuer, with the JWK that it publishes. */
export interface SigningKey {
  readonly kid: string
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly jwk: JWK
}

export async function signingKey(kid: string, alg = 'RS256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** What an issuer's server answers; null closes the connection without a word. */
export type IssuerAnswer = {
  readonly status?: number
  readonly headers?: object
  readonly body: unknown
  /** Never comes to the end of the body. */
  readonly hangs?: boolean
} | null

export interface LocalIssuer {
  readonly url: string
  /** Paths that were asked for, in order. */
  readonly requests: string[]
  /** What it answers now; tests change it. */
  answers: { discovery: () => IssuerAnswer; jwks: () => IssuerAnswer }
  /** Publishes these keys from now on. */
  publish(...keys: readonly SigningKey[]): void
  stop(): Promise<void>
  /** Listens again, on the same port. */
  start(): Promise<void>
}

const JWKS_PATH = '/keys'

/** An OpenID issuer on loopback, which answers discovery and its keys over HTTP. */
export async function openLocalIssuer(
  t: { teardown(work: () => unknown): unknown },
  ...keys: readonly SigningKey[]
): Promise<LocalIssuer> {
  const server = createServer((request, response) => {
    issuer.requests.push(request.url ?? '')
    const answer = request.url === JWKS_PATH ? issuer.answers.jwks() : issuer.answers.discovery()
    if (answer === null) return void response.destroy()
    const { status = 200, headers = {}, body, hangs = false } = answer
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers })
    response.write(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
    if (!hangs) response.end()
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const stop = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  const port = await listen(0)
  t.teardown(stop)
  const url = `http://127.0.0.1:${port}`
  const issuer: LocalIssuer = {
    url,
    requests: [],
    answers: {
      discovery: () => ({ body: { issuer: url, jwks_uri: `${url}${JWKS_PATH}` } }),
      jwks: () => ({ body: { keys: [] } }),
    },
    publish: (...published) => {
      issuer.answers.jwks = () => ({ body: { keys: published.map(({ jwk }) => jwk) } })
    },
    stop,
    start: async () => void (await listen(port)),
  }
  issuer.publish(...keys)
  return issuer
}

export const COMMIT = '4f2b6c1d8e9a0b3c5d7e9f1a2b4c6d8e0f1a3b5c'

/** The claims that GitHub gives a job of a scheduled workflow on main, as far as they matter here. */
export const SCHEDULED = {
  repository: 'acme/rl',
  repository_owner: 'acme',
  repository_id: '1296269',
  sha: COMMIT,
  ref: 'refs/heads/main',
  event_name: 'schedule',
  run_id: '19876543210',
  run_attempt: '1',
  workflow: 'Gated tests',
  job_workflow_ref: 'acme/rl/.github/workflows/gates.yml@refs/heads/main',
  head_ref: '',
  base_ref: '',
} as const

/** Those of a job of a pull request from a branch of the same repository. */
export const PULLED = {
  ...SCHEDULED,
  sha: 'c'.repeat(40),
  ref: 'refs/pull/7/merge',
  event_name: 'pull_request',
  run_id: '19876543211',
  head_ref: 'feature',
  base_ref: 'main',
} as const

export function seconds(fromNow: number): number {
  return Math.floor(Date.now() / 1_000) + fromNow
}

/**
 * A token as GitHub makes them, valid for five minutes.
 * @param claims beside and over the standard ones; undefined takes one away
 */
export function signToken(
  issuer: Pick<LocalIssuer, 'url'>,
  key: SigningKey,
  claims: Readonly<Record<string, unknown>> = SCHEDULED,
  header: { readonly kid?: string | undefined } = { kid: key.kid },
): Promise<string> {
  const standard = {
    iss: issuer.url,
    aud: 'gatehouse',
    sub: 'repo:acme/rl:ref:refs/heads/main',
    nbf: seconds(-5),
    iat: seconds(0),
    exp: seconds(300),
  }
  const payload = JSON.parse(JSON.stringify({ ...standard, ...claims })) as JWTPayload
  const protectedHeader = JSON.parse(JSON.stringify({ alg: key.alg, typ: 'JWT', ...header })) as {
    alg: string
  }
  return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(key.privateKey)
}
