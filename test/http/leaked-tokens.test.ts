/** What somebody can do who holds a token that is not theirs. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import type { BaselineDocument } from '../../src/documents/baseline.js'
import type { TokenPage } from '../../src/documents/token.js'
import type { Scope } from '../../src/auth/principal.js'
import { bearing, body, issueToken, openClient, post, problemOf, SHA, withHeaders } from './support.js'

const REVOCATIONS = '/v1/admin/revocations'
const BASELINE =
  '/v1/baselines?test_path=tests/e2e/test_ppo.py&backend=cuda&suite=stage-c&metric_key=loss&step=-1'

type Send = (request: InjectOptions) => Promise<LightMyRequestResponse>

const nightly = (value: number, more: object = {}) =>
  post(body({ cadence: 'nightly', record: [{ metric: 'loss', series: [[0, value]] }], ...more }))

/** A server with a night of history, what the thief may send with, and what the owner may. */
async function leak(t: Test, scopes: readonly Scope[]) {
  const { call, gatehouse } = await openClient(t)
  const as =
    (token: string): Send =>
    (request) =>
      call(withHeaders(request, bearing(token)))
  const owner = as(await issueToken(gatehouse.store))
  const thief = as(await issueToken(gatehouse.store, { name: 'leaked', scopes }))
  const first = await owner(nightly(1))
  t.equal(first.statusCode, 201)
  const baseline = async () =>
    (await owner({ url: BASELINE })).json<BaselineDocument>().values.map(({ value }) => value)
  return { thief, owner, baseline, runId: first.json<{ run_id: string }>().run_id }
}

/** Every change that there is, but those that a test is about. */
function changes(runId: string): Record<string, InjectOptions> {
  return {
    write: nightly(9),
    revoke: post({ run_id: runId, reason: 'x' }, REVOCATIONS),
    undo: post({ reason: 'x' }, `${REVOCATIONS}/01936f0c-0000-7000-8000-000000000000/undo`),
    import: {
      method: 'POST',
      url: '/v1/admin/import',
      headers: { 'content-type': 'application/x-ndjson' },
      payload: '{}',
    },
    token: post({ name: 'mine', scopes: ['admin'] }, '/v1/admin/tokens'),
  }
}

async function refusesAllBut(
  t: Test,
  thief: Send,
  runId: string,
  ...allowed: readonly string[]
): Promise<void> {
  for (const [name, request] of Object.entries(changes(runId))) {
    if (!allowed.includes(name)) problemOf(t, await thief(request), 403, 'forbidden')
  }
  problemOf(t, await thief({ url: '/v1/admin/tokens' }), 403, 'forbidden')
}

t.test('a leaked read token reads everything and changes nothing', async (t) => {
  const { thief, baseline, runId } = await leak(t, ['history:read'])
  for (const url of ['/v1/runs', '/v1/export', '/v1/verdicts', REVOCATIONS, BASELINE]) {
    t.equal((await thief({ url })).statusCode, 200, url)
  }
  problemOf(t, await thief(post(body())), 403, 'forbidden')
  await refusesAllBut(t, thief, runId)
  t.same(await baseline(), [1])
})

t.test('a leaked submit token judges, reads verdicts, and writes no history', async (t) => {
  const { thief, baseline, runId } = await leak(t, ['runs:submit'])
  t.equal((await thief(post(body()))).statusCode, 200)
  t.equal((await thief({ url: '/v1/verdicts' })).statusCode, 200)
  for (const url of ['/v1/runs', '/v1/export', BASELINE, REVOCATIONS]) {
    problemOf(t, await thief({ url }), 403, 'forbidden')
  }
  await refusesAllBut(t, thief, runId)
  t.same(await baseline(), [1])
})

t.test('with baselines:write it adds runs, which one revocation takes out again', async (t) => {
  const { thief, owner, baseline, runId } = await leak(t, ['runs:submit', 'baselines:write'])
  const forged = { commit_sha: 'f'.repeat(40), event_name: 'schedule', ref: 'refs/heads/main' }
  t.equal((await thief(nightly(1.1, { provenance: forged }))).statusCode, 201)
  t.same(await baseline(), [1.1, 1], 'what a token says of its run is its word')
  // Neither the time nor the trust is the client's to set.
  for (const more of [{ created_at: '2020-01-01T00:00:00Z' }, { trusted: true }]) {
    problemOf(t, await thief(nightly(1, more)), 422, 'invalid_input')
  }
  await refusesAllBut(t, thief, runId, 'write')
  const taken = await owner(post({ commit_sha: forged.commit_sha, reason: 'forged' }, REVOCATIONS))
  t.match(taken.json(), { revoked: 1 })
  t.same(await baseline(), [1])
})

t.test('a leaked trust token takes trust, and gives none that was not earned', async (t) => {
  const { thief, owner, baseline, runId } = await leak(t, ['trust:revoke'])
  t.match((await owner(nightly(100))).json(), { trusted: false })
  const taken = await thief(post({ commit_sha: SHA, reason: 'x' }, REVOCATIONS))
  t.match(taken.json(), { revoked: 1, actor: 'token:leaked' })
  t.same(await baseline(), [])
  const { revocation_id: id } = taken.json<{ revocation_id: string }>()
  t.match((await thief(post({ reason: 'x' }, `${REVOCATIONS}/${id}/undo`))).json(), {
    restored: 1,
    run_ids: [runId],
  })
  t.same(await baseline(), [1], 'the run that never was trusted is not now')
  for (const url of ['/v1/runs', '/v1/export']) problemOf(t, await thief({ url }), 403, 'forbidden')
  await refusesAllBut(t, thief, runId, 'revoke', 'undo')
})

t.test(
  'a leaked admin token, or its session, makes tokens that outlive it, and the list says whose they are',
  async (t) => {
    const { call, gatehouse } = await openClient(t)
    const owner = bearing(await issueToken(gatehouse.store, { name: 'owner' }))
    const tokenId = '01936f0c-0000-7000-8000-000000000000'
    const leaked = await issueToken(gatehouse.store, { tokenId, name: 'leaked' })
    const begun = await call(post({ token: leaked }, '/v1/session'))
    const session = /gatehouse_session=[\w-]+/.exec(String(begun.headers['set-cookie']))?.[0] ?? ''
    const make = async (name: string, headers: Record<string, string>) => {
      const made = await call(withHeaders(post({ name, scopes: ['admin'] }, '/v1/admin/tokens'), headers))
      t.equal(made.statusCode, 201)
      return made.json<{ token: string }>().token
    }
    const mine = await make('mine', bearing(leaked))
    await make('by cookie', { cookie: session, 'x-gatehouse': '1' })
    await call({ method: 'DELETE', url: `/v1/admin/tokens/${tokenId}`, headers: owner })
    t.equal((await call({ url: '/v1/whoami', headers: bearing(leaked) })).statusCode, 401)
    await make('child', bearing(mine))
    const { items } = (await call({ url: '/v1/admin/tokens', headers: owner })).json<TokenPage>()
    t.same(
      items.filter(({ created_by: by }) => by !== 'test').map(({ name, created_by: by }) => [name, by]),
      [
        ['child', 'token:mine'],
        ['by cookie', 'token:leaked'],
        ['mine', 'token:leaked'],
      ],
    )
  },
)
