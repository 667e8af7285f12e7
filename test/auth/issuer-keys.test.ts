import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { ISSUER_KEYS_DEFAULTS, type IssuerKeysOptions } from '../../src/auth/issuer-keys.js'
import { createJobVerifier, type JobVerifier } from '../../src/auth/oidc.js'
import type { GatehouseError } from '../../src/errors.js'
import {
  type LocalIssuer,
  openLocalIssuer,
  SCHEDULED,
  signingKey,
  signToken,
} from '../support/local-issuer.js'

const [OLD, NEW] = [await signingKey('old'), await signingKey('new')]
const DISCOVERY = '/.well-known/openid-configuration'

interface Opened {
  readonly verifier: JobVerifier
  readonly issuer: LocalIssuer
  readonly failures: unknown[]
}

/** Everything at once and nothing kept, but for what the test sets. */
async function open(t: Test, options: Partial<IssuerKeysOptions> = {}, jwksPath?: string): Promise<Opened> {
  const issuer = await openLocalIssuer(t, OLD)
  const failures: unknown[] = []
  const rule = {
    name: 'all',
    claims: new Map([['repository', ['acme/rl']]]),
    scopes: new Set(['runs:submit'] as const),
    testPathPrefixes: null,
    onBehalf: false,
  }
  const jwksUri = jwksPath === undefined ? null : `${issuer.url}${jwksPath}`
  const verifier = createJobVerifier(
    [{ issuer: issuer.url, audience: 'gatehouse', jwksUri, rules: [rule] }],
    {
      cooldownMs: 0,
      retryAfterMs: 0,
      ...options,
      onFailure: (_issuer, error) => failures.push(error),
    },
  )
  return { verifier, issuer, failures }
}

async function codeOf(verified: Promise<unknown>): Promise<string> {
  return verified.then(
    () => 'good',
    (error: unknown) => (error as GatehouseError).code,
  )
}

t.test('a rotated key is picked up when it is first used', async (t) => {
  const { verifier, issuer } = await open(t)
  t.equal(await codeOf(verifier.verify(await signToken(issuer, OLD))), 'good')
  issuer.publish(NEW)
  t.equal(await codeOf(verifier.verify(await signToken(issuer, NEW))), 'good')
  t.equal(
    await codeOf(verifier.verify(await signToken(issuer, OLD))),
    'unauthorized',
    'and the old one is gone',
  )
})

t.test('also one that takes the id of the old, and one at another address', async (t) => {
  const { verifier, issuer } = await open(t)
  t.equal(await codeOf(verifier.verify(await signToken(issuer, OLD))), 'good')
  const same = await signingKey('old')
  issuer.publish(same)
  t.equal(await codeOf(verifier.verify(await signToken(issuer, same))), 'good')

  const moved = await openLocalIssuer(t, NEW)
  issuer.answers.discovery = () => ({ body: { issuer: issuer.url, jwks_uri: `${moved.url}/keys` } })
  t.equal(await codeOf(verifier.verify(await signToken(issuer, NEW))), 'good')
})

t.test('within the cooldown the issuer is not asked again, whatever ids strangers make up', async (t) => {
  const { verifier, issuer } = await open(t, { cooldownMs: 400 })
  t.equal(await codeOf(verifier.verify(await signToken(issuer, OLD))), 'good')
  const asked = issuer.requests.length
  issuer.publish(OLD, NEW)
  const forged = await Promise.all(
    Array.from({ length: 50 }, (_, id) => signToken(issuer, NEW, SCHEDULED, { kid: `made-up-${id}` })),
  )
  const wrong = await signToken(issuer, { ...NEW, kid: 'old' })
  const codes = await Promise.all([...forged, wrong].map((jwt) => codeOf(verifier.verify(jwt))))
  t.same(new Set(codes), new Set(['unauthorized']))
  t.equal(issuer.requests.length, asked)
  await sleep(450)
  t.equal(await codeOf(verifier.verify(await signToken(issuer, NEW))), 'good', 'after it, it is')
  t.equal(issuer.requests.length, asked + 2)
})

t.test('as it is set, a rotated key waits less than 30 s', async (t) => {
  const { cooldownMs, timeoutMs, retryAfterMs } = ISSUER_KEYS_DEFAULTS
  t.ok(cooldownMs + timeoutMs < 30_000)
  t.ok(timeoutMs + retryAfterMs + timeoutMs < 30_000, 'also when one look failed')
  t.ok(cooldownMs >= 5_000, 'and strangers cannot have the issuer asked more than now and then')
})

t.test('a withdrawn key is good until its age; many requests ask once', async (t) => {
  const { verifier, issuer } = await open(t, { maxAgeMs: 300, cooldownMs: 10_000 })
  const jwt = await signToken(issuer, OLD)
  const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(verifier.verify(jwt))))
  t.same(new Set(codes), new Set(['good']))
  t.same(issuer.requests, [DISCOVERY, '/keys'])
  issuer.publish(NEW)
  t.equal(await codeOf(verifier.verify(jwt)), 'good')
  await sleep(350)
  t.equal(await codeOf(verifier.verify(jwt)), 'unauthorized')
})

t.test('an issuer that is down', async (t) => {
  await t.test('from the start: 503 until it is up', async (t) => {
    const { verifier, issuer, failures } = await open(t)
    await issuer.stop()
    const jwt = await signToken(issuer, OLD)
    t.equal(await codeOf(verifier.verify(jwt)), 'unavailable')
    t.equal(failures.length, 1)
    await issuer.start()
    t.equal(await codeOf(verifier.verify(jwt)), 'good')
  })

  await t.test('later: its last keys go on working, up to an age', async (t) => {
    const { verifier, issuer, failures } = await open(t, { maxAgeMs: 0, maxStaleMs: 400 })
    const jwt = await signToken(issuer, OLD)
    t.equal(await codeOf(verifier.verify(jwt)), 'good')
    await issuer.stop()
    t.equal(await codeOf(verifier.verify(jwt)), 'good')
    t.equal(failures.length, 1, 'which is told')
    const forged = await signToken(issuer, { ...NEW, kid: 'old' })
    t.equal(await codeOf(verifier.verify(forged)), 'unauthorized', 'and they still tell what is forged')
    t.equal(
      await codeOf(verifier.verify(await signToken(issuer, NEW))),
      'unavailable',
      'it may have this key',
    )
    await sleep(450)
    t.equal(await codeOf(verifier.verify(jwt)), 'unavailable')
  })

  await t.test('it is left alone between attempts', async (t) => {
    const { verifier, issuer, failures } = await open(t, { retryAfterMs: 300 })
    issuer.answers.discovery = () => ({ status: 500, body: {} })
    const jwt = await signToken(issuer, OLD)
    for (let i = 0; i < 20; i++) t.equal(await codeOf(verifier.verify(jwt)), 'unavailable')
    t.equal(issuer.requests.length, 1)
    t.equal(failures.length, 1)
    issuer.answers.discovery = () => ({ body: { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` } })
    await sleep(350)
    t.equal(await codeOf(verifier.verify(jwt)), 'good')
  })

  await t.test('one that never answers has its time', async (t) => {
    const { verifier, issuer, failures } = await open(t, { timeoutMs: 200 }, '/keys')
    issuer.answers.jwks = () => ({ body: '{"keys": [', hangs: true })
    const before = Date.now()
    t.equal(await codeOf(verifier.verify(await signToken(issuer, OLD))), 'unavailable')
    t.ok(Date.now() - before < 2_000)
    t.match(failures, [{ name: 'TimeoutError' }])
  })
})

t.test('what an issuer must not answer', async (t) => {
  const good = { keys: [OLD.jwk] }
  const padded = { ...good, padding: 'x'.repeat(300_000) }
  const keys = [
    ['too large', { body: padded }, /more than 262144 bytes/],
    [
      'too large once unpacked',
      {
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync(JSON.stringify({ ...good, padding: ' '.repeat(9_000_000) })),
      },
      /more than 262144 bytes/,
    ],
    ['no JSON', { body: '<html>' }, /no JSON/],
    ['no UTF-8', { body: Buffer.from([0x7b, 0xff, 0x7d]) }, /no JSON/],
    ['no key set', { body: { keys: {} } }, /malformed/],
    ['an error', { status: 404, body: good }, /answered 404/],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: good }, /answered 302/],
    ['nothing', null, /fetch failed/],
  ] as const
  for (const [what, answer, message] of keys) {
    await t.test(`keys: ${what}`, async (t) => {
      const { verifier, issuer, failures } = await open(t)
      issuer.answers.jwks = () => answer
      t.equal(await codeOf(verifier.verify(await signToken(issuer, OLD))), 'unavailable')
      t.match(failures, [{ message }])
    })
  }

  const discovery = [
    [
      'of another issuer',
      () => ({ issuer: 'https://evil.example', jwks_uri: 'https://evil.example/keys' }),
      /another issuer/,
    ],
    ['without an issuer', (url: string) => ({ jwks_uri: `${url}/keys` }), /another issuer/],
    ['without keys', (url: string) => ({ issuer: url }), /jwks_uri is missing/],
    [
      'keys by plain http',
      (url: string) => ({ issuer: url, jwks_uri: 'http://keys.example/' }),
      /must begin with https/,
    ],
    [
      'keys in a file',
      (url: string) => ({ issuer: url, jwks_uri: 'file:///etc/passwd' }),
      /must begin with https/,
    ],
    [
      'keys with a password',
      (url: string) => ({ issuer: url, jwks_uri: 'https://u:p@keys.example/' }),
      /password/,
    ],
    ['a list', () => [], /another issuer/],
    ['null', () => null, /another issuer/],
  ] as const
  for (const [what, document, message] of discovery) {
    await t.test(`discovery: ${what}`, async (t) => {
      const { verifier, issuer, failures } = await open(t)
      issuer.answers.discovery = () => ({ body: document(issuer.url) })
      t.equal(await codeOf(verifier.verify(await signToken(issuer, OLD))), 'unavailable')
      t.match(failures, [{ message }])
      t.same(issuer.requests, [DISCOVERY], 'nothing else is asked')
    })
  }
})

t.test('keys that are no public signing keys', async (t) => {
  const secret = { kty: 'oct', k: Buffer.from('secret').toString('base64url'), kid: 'old' }
  for (const key of [secret, { ...OLD.jwk, use: 'enc' }, { ...OLD.jwk, n: 'AQAB' }, { kid: 'old' }]) {
    const { verifier, issuer } = await open(t)
    issuer.answers.jwks = () => ({ body: { keys: [key] } })
    t.equal(await codeOf(verifier.verify(await signToken(issuer, OLD))), 'unauthorized')
  }
})
