import { createHmac } from 'node:crypto'
import { exportSPKI, UnsecuredJWT } from 'jose'
import t, { type Test } from 'tap'
import { createJobVerifier } from '../../src/auth/oidc.js'
import type { GatehouseError, ProblemCode } from '../../src/errors.js'
import type { OidcIssuer } from '../../src/policy/oidc-rules.js'
import {
  COMMIT,
  type LocalIssuer,
  openLocalIssuer,
  PULLED,
  SCHEDULED,
  seconds,
  signingKey,
  signToken,
} from '../support/local-issuer.js'

const KEY = await signingKey('one')
const OTHER = await signingKey('one')

const trusting = ({ url }: LocalIssuer, jwksUri: string | null = null): OidcIssuer => ({
  issuer: url,
  audience: 'gatehouse',
  jwksUri,
  rules: [
    {
      name: 'nightly',
      claims: new Map([
        ['repository', ['acme/rl']],
        ['event_name', ['schedule']],
        ['ref', ['refs/heads/main']],
      ]),
      scopes: new Set(['runs:submit', 'baselines:write']),
      testPathPrefixes: ['tests/'],
      onBehalf: false,
    },
    {
      name: 'oidc[0].rules[1]',
      claims: new Map([['repository', ['acme/rl']]]),
      scopes: new Set(['runs:submit']),
      testPathPrefixes: null,
      onBehalf: false,
    },
  ],
})

/** @returns the detail of the refusal */
async function refusal(
  t: Test,
  verified: Promise<unknown>,
  code: ProblemCode = 'unauthorized',
): Promise<string> {
  const outcome = await verified.then(
    () => null,
    (error: unknown) => error as GatehouseError,
  )
  t.equal(outcome?.code, code, String(outcome))
  return outcome?.detail ?? ''
}

t.test('a good token', async (t) => {
  const issuer = await openLocalIssuer(t, KEY)
  const verifier = createJobVerifier([trusting(issuer)])
  t.strictSame(await verifier.verify(await signToken(issuer, KEY)), {
    actor: 'oidc:acme/rl@refs/heads/main',
    owner: `oidc:${issuer.url}|acme/rl`,
    scopes: new Set(['runs:submit', 'baselines:write']),
    rule: 'nightly',
    testPathPrefixes: ['tests/'],
    job: {
      claims: {
        repository: 'acme/rl',
        commitSha: COMMIT,
        ref: 'refs/heads/main',
        eventName: 'schedule',
        githubRunId: 19_876_543_210n,
        githubRunAttempt: 1,
      },
      onBehalf: false,
    },
  })
  t.match(await verifier.verify(await signToken(issuer, KEY, PULLED)), {
    rule: 'oidc[0].rules[1]',
    actor: 'oidc:acme/rl@refs/pull/7/merge',
    scopes: new Set(['runs:submit']),
  })
  t.same(issuer.requests, ['/.well-known/openid-configuration', '/keys'], 'the keys are fetched once')

  const direct = createJobVerifier([trusting(issuer, `${issuer.url}/keys`)])
  await direct.verify(await signToken(issuer, KEY, { ...SCHEDULED, aud: ['others', 'gatehouse'] }))
  t.same(issuer.requests.slice(2), ['/keys'], 'jwks_uri needs no discovery')
})

t.test('the algorithms of other issuers', async (t) => {
  for (const alg of ['PS256', 'ES256', 'ES384', 'EdDSA']) {
    const key = await signingKey(alg, alg)
    const issuer = await openLocalIssuer(t, KEY, key)
    const verifier = createJobVerifier([trusting(issuer)])
    t.match(await verifier.verify(await signToken(issuer, key)), { rule: 'nightly' }, alg)
  }
})

t.test('tokens that are not good', async (t) => {
  const issuer = await openLocalIssuer(t, KEY)
  const verifier = createJobVerifier([trusting(issuer)])
  const sign = (claims: Readonly<Record<string, unknown>>) =>
    signToken(issuer, KEY, { ...SCHEDULED, ...claims })
  const good = await signToken(issuer, KEY)
  const [header = '', payload = '', signature = ''] = good.split('.')
  const pem = await exportSPKI(KEY.publicKey)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const hmac = `${part({ alg: 'HS256', kid: 'one' })}.${payload}`
  const hs256 = `${hmac}.${createHmac('sha256', pem).update(hmac).digest('base64url')}`
  const elliptic = { ...(await signingKey('one', 'ES256')), kid: 'one' }

  const cases: ReadonlyArray<readonly [what: string, jwt: string, detail: RegExp]> = [
    [
      'another audience',
      await sign({ aud: 'cloud' }),
      /audience is "cloud", and this server is "gatehouse":/,
    ],
    ['two other audiences', await sign({ aud: ['a', 'b"'] }), /audience is \["a","b\\""\], and/],
    ['no audience', await sign({ aud: undefined }), /aud/],
    ['an unknown issuer', await sign({ iss: 'https://evil.example' }), /issuer is "https:\/\/evil.example"/],
    ['a trusted name with a slash', await sign({ iss: `${issuer.url}/` }), /issuer is/],
    ['no issuer', await sign({ iss: undefined }), /names no issuer/],
    ['expired', await sign({ exp: seconds(-60) }), /expired at 20\d\d-/],
    ['without an end', await sign({ exp: undefined }), /exp is missing/],
    ['not yet valid', await sign({ nbf: seconds(90) }), /not valid before 20\d\d-/],
    ['from the future', await sign({ nbf: undefined, iat: seconds(90) }), /issued at .* to come/],
    ['an end that is no number', await sign({ exp: 'never' }), /exp/],
    ['alg none', new UnsecuredJWT({ ...SCHEDULED, iss: issuer.url }).encode(), /algorithm/],
    ['alg none with the signature', `${part({ alg: 'none' })}.${payload}.${signature}`, /algorithm/],
    ['HMAC with the public key', hs256, /algorithm/],
    [
      'a key of another kind under the id',
      await signToken(issuer, elliptic),
      /key that its issuer does not have/,
    ],
    ['an unknown key id', await signToken(issuer, KEY, SCHEDULED, { kid: 'two' }), /does not have/],
    ['another key under the id', await signToken(issuer, OTHER), /signature/],
    ['a changed payload', `${header}.${part({ ...SCHEDULED, iss: issuer.url })}.${signature}`, /signature/],
    ['no signature', `${header}.${payload}.`, /signature|no signed/],
    ['half of it', `${header}.${payload}`, /no signed JSON Web Token/],
    ['no JSON', 'eyJhbGciOiJSUzI1NiJ9.AAAA.AAAA', /no signed JSON Web Token/],
    ['a list', `${header}.${Buffer.from('[1]').toString('base64url')}.${signature}`, /no signed/],
    [
      'a critical extension',
      `${part({ alg: 'RS256', crit: ['x'], x: 1 })}.${payload}.${signature}`,
      /no signed/,
    ],
    ['too large', await sign({ padding: 'x'.repeat(17_000) }), /longer than 16384/],
    ['without a repository', await sign({ repository: undefined }), /claim repository is missing/],
    ['a short SHA', await sign({ sha: 'abc1234' }), /claim sha has 7 digits/],
    ['a run id that is no number', await sign({ run_id: '0x10' }), /claim run_id/],
  ]
  for (const [what, jwt, detail] of cases) {
    await t.test(what, async (t) => {
      const said = await refusal(t, verifier.verify(jwt))
      t.match(said, detail)
      for (const secret of jwt.split('.').filter((text) => text.length > 8)) t.notOk(said.includes(secret))
    })
  }
  t.match(
    await verifier.verify(await sign({ exp: seconds(-20) })),
    { rule: 'nightly' },
    'clocks may differ a little',
  )
  t.match(await verifier.verify(await sign({ nbf: seconds(20), iat: seconds(20) })), { rule: 'nightly' })
  t.match(await verifier.verify(good), { rule: 'nightly' }, 'the bad ones did not spoil it')
})

t.test('a good token that no rule matches', async (t) => {
  const issuer = await openLocalIssuer(t, KEY)
  const verifier = createJobVerifier([trusting(issuer)])
  const detail = await refusal(
    t,
    verifier.verify(await signToken(issuer, KEY, { ...PULLED, repository: 'evil/rl' })),
    'forbidden',
  )
  t.match(
    detail,
    /no rule .* repository is "evil\/rl", event_name is "pull_request", ref is "refs\/pull\/7\/merge"/,
  )
})

t.test('an issuer vouches for its own name alone', async (t) => {
  const first = await openLocalIssuer(t, KEY)
  const second = await openLocalIssuer(t, await signingKey('one'))
  const verifier = createJobVerifier([trusting(first), trusting(second)])
  t.match(await refusal(t, verifier.verify(await signToken(second, KEY))), /signature/)
  t.match(await verifier.verify(await signToken(first, KEY)), { owner: `oidc:${first.url}|acme/rl` })
  t.match(await refusal(t, createJobVerifier([]).verify(await signToken(first, KEY))), /takes none/)
})
