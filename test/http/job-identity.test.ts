import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { createJobVerifier } from '../../src/auth/oidc.js'
import { readConfigFile } from '../../src/config-file.js'
import {
  COMMIT,
  openLocalIssuer,
  PULLED,
  SCHEDULED,
  seconds,
  signingKey,
  signToken,
} from '../support/local-issuer.js'
import { body, openClient, post, problemOf, whereOf } from './support.js'

const KEY = await signingKey('one')
const HEAD = 'd'.repeat(40)

const RULES = [
  {
    name: 'nightly on main',
    claims: { repository: 'acme/rl', event_name: ['schedule', 'workflow_dispatch'], ref: 'refs/heads/main' },
    scopes: ['runs:submit', 'baselines:write', 'history:read'],
    test_path_prefixes: ['tests/e2e/'],
  },
  {
    name: 'approved pull request',
    claims: { repository: 'acme/rl', event_name: 'pull_request', environment: 'nightly' },
    scopes: ['runs:submit', 'baselines:write'],
  },
  {
    name: 'forks',
    claims: { repository: 'acme/rl', event_name: 'workflow_run' },
    scopes: ['runs:submit'],
    on_behalf: true,
  },
  { claims: { repository: 'acme/rl' }, scopes: ['runs:submit', 'history:read'] },
]

type Claims = Readonly<Record<string, unknown>>

interface Client {
  /** Sends a request with a job's token. */
  as(claims: Claims, options: InjectOptions): Promise<LightMyRequestResponse>
  /** How many runs are stored. */
  written(): Promise<number>
}

async function open(t: Test): Promise<Client> {
  const issuer = await openLocalIssuer(t, KEY)
  const file = readConfigFile(
    JSON.stringify({
      cadence: { schedules: { '0 15 * * 0-5': 'nightly' } },
      oidc: [{ issuer: issuer.url, audience: 'gatehouse', rules: RULES }],
    }),
  )
  if (!file.ok) throw new Error(JSON.stringify(file.faults))
  const verifier = createJobVerifier(file.value.oidc)
  const { call } = await openClient(t, {
    settings: file.value,
    credentials: { jobs: verifier },
  })
  const as: Client['as'] = async (claims, options) => {
    const authorization = `Bearer ${await signToken(issuer, KEY, claims)}`
    return call({ ...options, headers: { ...options.headers, authorization } })
  }
  const written = async () =>
    (await as({ ...SCHEDULED, event_name: 'push' }, { url: '/v1/runs' })).json<{ items: unknown[] }>().items
      .length
  return { as, written }
}

/** A submission that says of its provenance what is given, and nothing else. */
const saying = (provenance: object, more: object = {}) => post(body({ provenance, ...more }))

t.test('a scheduled job on main writes, and its token says where the run comes from', async (t) => {
  const { as, written } = await open(t)
  const answer = await as(SCHEDULED, saying({}, { schedule: '0 15 * * 0-5' }))
  t.equal(answer.statusCode, 201, answer.body)
  t.match(answer.json(), {
    cadence: 'nightly',
    provenance: {
      commit_sha: COMMIT,
      ref: 'refs/heads/main',
      event_name: 'schedule',
      github_run_id: 19_876_543_210,
      github_run_attempt: 1,
    },
    claims: { repository: 'acme/rl', sha: COMMIT, run_id: 19_876_543_210, on_behalf: false },
  })
  t.equal(await written(), 1)
  t.match((await as(SCHEDULED, { url: '/v1/whoami' })).json(), {
    actor: 'oidc:acme/rl@refs/heads/main',
    rule: 'nightly on main',
  })
})

t.test('a job need not say where its run comes from', async (t) => {
  const { as } = await open(t)
  for (const provenance of [undefined, null]) {
    const answer = await as(PULLED, post(body({ provenance })))
    t.equal(answer.statusCode, 200, answer.body)
    t.match(answer.json(), { provenance: { commit_sha: PULLED.sha, ref: PULLED.ref } })
  }
})

t.test("a pull request's job cannot write, whatever it posts", async (t) => {
  const { as, written } = await open(t)
  const lies = { commit_sha: COMMIT, event_name: 'schedule', ref: 'refs/heads/main' }
  const posted = await as(PULLED, saying(lies, { cadence: 'nightly', schedule: '0 15 * * 0-5' }))
  t.same(whereOf(problemOf(t, posted, 422, 'invalid_input')), [
    'provenance/commit_sha',
    'provenance/ref',
    'provenance/event_name',
  ])
  const attempts = [
    saying({}, { cadence: 'nightly' }),
    saying({}, { cadence: 'weekly' }),
    saying({}, { labels: ['nightly'] }),
    saying({ commit_sha: PULLED.sha, event_name: 'pull_request' }, { cadence: 'nightly' }),
  ]
  for (const attempt of attempts)
    t.match(problemOf(t, await as(PULLED, attempt), 403, 'forbidden').detail, /baselines:write/)
  const target = { ...SCHEDULED, event_name: 'pull_request_target', environment: 'nightly' }
  for (const attempt of attempts.slice(0, 2)) problemOf(t, await as(target, attempt), 403, 'forbidden')
  t.equal(await written(), 0)

  const judged = await as(PULLED, saying({ pr_number: 7 }))
  t.match(judged.json(), { cadence: 'regular', provenance: { commit_sha: PULLED.sha, pr_number: 7 } })
  t.equal(await written(), 0)
})

t.test('a labelled one writes behind a protected environment', async (t) => {
  const { as, written } = await open(t)
  const answer = await as(
    { ...PULLED, environment: 'nightly' },
    saying({ pr_number: 7 }, { labels: ['nightly'] }),
  )
  t.equal(answer.statusCode, 201, answer.body)
  problemOf(
    t,
    await as({ ...PULLED, environment: 'other' }, saying({}, { labels: ['nightly'] })),
    403,
    'forbidden',
  )
  t.equal(await written(), 1)
})

t.test('on behalf of another run: what is submitted is that run, judged and never written', async (t) => {
  const { as, written } = await open(t)
  const claims = { ...SCHEDULED, event_name: 'workflow_run' }
  const other = { commit_sha: HEAD, ref: 'refs/pull/7/merge', pr_number: 7 }
  for (const more of [{}, { cadence: 'nightly' }, { cadence: 'release' }, { labels: ['nightly'] }]) {
    const answer = await as(claims, saying(other, more))
    t.equal(answer.statusCode, 200, answer.body)
    t.match(answer.json(), {
      cadence: 'regular',
      run_id: null,
      provenance: { ...other, event_name: 'workflow_run', github_run_id: 19_876_543_210 },
      claims: { sha: COMMIT, ref: 'refs/heads/main', event_name: 'workflow_run', on_behalf: true },
    })
  }
  const { verdict_id: id } = (await as(claims, saying(other))).json<{ verdict_id: string }>()
  t.match((await as(PULLED, { url: `/v1/verdicts/${id}` })).json(), {
    provenance: { commit_sha: HEAD },
    claims: { sha: COMMIT, on_behalf: true },
  })
  t.same(whereOf(problemOf(t, await as(claims, saying({})), 422, 'invalid_input')), ['provenance/commit_sha'])
  const run = await as(claims, saying({ ...other, github_run_id: 1 }))
  t.same(whereOf(problemOf(t, run, 422, 'invalid_input')), ['provenance/github_run_id'])
  t.equal(await written(), 0)
})

t.test('a rule may be confined to test paths', async (t) => {
  const { as, written } = await open(t)
  const elsewhere = { series: { test_path: 'other/test_ppo.py', backend: 'cuda', suite: 'stage-c' } }
  const refused = await as(SCHEDULED, saying({}, { ...elsewhere, cadence: 'nightly' }))
  t.match(
    problemOf(t, refused, 403, 'forbidden').detail,
    /oidc:acme\/rl@refs\/heads\/main is confined to .*tests\/e2e\//,
  )
  t.equal(await written(), 0)
})

t.test('tokens that are not good, and good ones that no rule matches', async (t) => {
  const { as } = await open(t)
  const expired = await as({ ...SCHEDULED, exp: seconds(-60) }, saying({}))
  t.match(problemOf(t, expired, 401, 'unauthorized').detail, /expired/)
  t.match(expired.headers['www-authenticate'], /^Bearer/)
  problemOf(t, await as({ ...SCHEDULED, aud: 'cloud' }, saying({})), 401, 'unauthorized')
  problemOf(t, await as({ ...SCHEDULED, sha: 'short' }, saying({})), 401, 'unauthorized')
  const strangers = await as({ ...SCHEDULED, repository: 'evil/rl' }, saying({}))
  t.match(problemOf(t, strangers, 403, 'forbidden').detail, /no rule/)
})

t.test('an idempotency key belongs to its repository', async (t) => {
  const { as, written } = await open(t)
  const keyed = { ...saying({}, { cadence: 'nightly' }), headers: { 'idempotency-key': 'k' } }
  const first = (await as(SCHEDULED, keyed)).json<{ verdict_id: string }>()
  const again = await as({ ...SCHEDULED, jti: 'another token' }, keyed)
  t.equal(
    again.json<{ verdict_id: string }>().verdict_id,
    first.verdict_id,
    'whichever of its tokens brings it',
  )
  t.equal(await written(), 1)
})

t.test(
  'a pull request can take an Idempotency-Key of its repository, but not the key of another run',
  async (t) => {
    const { as, written } = await open(t)
    const keyed = (provenance: object, more: object) => ({
      ...saying(provenance, more),
      headers: { 'idempotency-key': 'tonight' },
    })
    t.equal((await as(PULLED, keyed({}, {}))).statusCode, 200)
    const held = await as(SCHEDULED, keyed({}, { cadence: 'nightly' }))
    t.match(problemOf(t, held, 409, 'idempotency_conflict').detail, /send another key/)
    t.equal(await written(), 0)

    const { run_id: runId } = SCHEDULED
    const natural = await as(PULLED, saying({ github_run_id: Number(runId) }))
    t.same(whereOf(problemOf(t, natural, 422, 'invalid_input')), ['provenance/github_run_id'])
    t.equal((await as(SCHEDULED, saying({}, { cadence: 'nightly' }))).statusCode, 201)
  },
)
