/** What decides, and what must not: held-out data, the metric history, errors, ties, people. */
import t from 'tap'
import type { CheckPage, TransitionPage } from '../../src/documents/ladder.js'
import type { EvaluationDocument } from '../../src/documents/ladder-reports.js'
import { forEachBackend, openSqlite } from '../support/stores.js'
import { CAPPED, LadderClient, seededJudge, type Pair } from '../support/ladder-client.js'
import { body, openClient, post, problemOf, SHA } from './support.js'

t.setTimeout(120_000)

const SERIES = { test_path: 'tests/e2e/test_ppo.py', backend: 'cuda', suite: 'stage-c' }

function unmet({ checks }: EvaluationDocument, version: string): string[] {
  const check = checks.find(({ variant }) => variant === version)
  return (check?.predicates ?? []).filter(({ passed }) => !passed).map(({ name }) => name)
}

forEachBackend((backend, openStore) => {
  t.test(`${backend}: poisoned held-out data decides nothing`, async (t) => {
    const { store } = await openStore(t)
    const { call } = await openClient(t, { store })
    const decided = async (name: string, poisoned: boolean) => {
      const ladder = new LadderClient(call, name)
      await ladder.create({ test: { alpha: 0.2 }, min_verified: 2 })
      const poison = async () => {
        if (!poisoned) return
        const of = (variant: string, n: number, more: object) => ({
          episode_id: `held-${variant}-${Math.random()}-${n}`,
          variant,
          split: 'held_out',
          group_id: 'g1',
          cost: 1e308,
          verifier_passed: false,
          ...more,
        })
        const taken = await ladder.episodes(
          of('v2', 1, { score: CAPPED }),
          of('v1', 2, { score: CAPPED }),
          of('v2', 3, { score: { kind: 'scored', value: -1.7e308 } }),
          of('v2', 4, { score: { kind: 'scored', value: 1.7e308 } }),
        )
        t.same(taken.transitions, [])
      }
      await ladder.register('v2')
      await poison()
      await ladder.episodes({ variant: 'v2', verifier_passed: true })
      await poison()
      const judge = seededJudge('v2', 0.8, 3)
      const issued: string[] = []
      for (let n = 0; n < 12 && (await ladder.live()).version === 'v1'; n++) {
        await ladder.round(`g${n}`, ['v1', 'v2'], (pair) => {
          issued.push(`${pair.a.episode_id}:${pair.b.episode_id}`)
          return judge(pair)
        })
        await poison()
      }
      const live = await ladder.live()
      await ladder.episodes({ variant: live.version, score: CAPPED })
      const transitions = (await ladder.transitions()).map((one) => ({
        ...one,
        at: '',
        live: one.live.version,
      }))
      const { items } = (await call(`${ladder.url}/evaluations?limit=1000`)).json<CheckPage>()
      return {
        transitions,
        test: await ladder.test('v2'),
        strengths: await ladder.strengths(),
        checks: items.map(({ created_at: _at, ...check }) => check),
        pairs: issued.length,
      }
    }
    // The ids of episodes count up within a client, and poison counts too: compared is what is decided.
    const ids = (told: object) => JSON.stringify(told).replaceAll(/"e\d{5}"/g, '"e"')
    const clean = await decided('clean', false)
    const poisoned = await decided('poisoned', true)
    t.equal(ids(poisoned), ids(clean))
    t.ok(clean.transitions.some(({ to }) => to === 'current') && clean.pairs > 0)
    const audit = await call('/v1/ladders/poisoned/episodes?split=held_out&limit=1')
    t.match(audit.json(), { items: [{ split: 'held_out' }] }, 'stored, for the audit')
  })

  t.test(`${backend}: drift is read from the history, with the trust of the moment`, async (t) => {
    const { store } = await openStore(t)
    const { call } = await openClient(t, { store })
    const ladder = new LadderClient(call)
    await ladder.create({ test: { alpha: 0.4 }, drift_series: [SERIES] })
    await ladder.register('v2', { commit_sha: SHA })
    await ladder.toTrial('v2')
    await t.rejects(ladder.toCurrent('v2', 4), 'accepted by the test, and held up by its drift series')
    const drift = async () => {
      const { predicates } = await ladder.variant('v2')
      return predicates.find(({ name }) => name === 'drift_clean')
    }
    t.match(await drift(), {
      passed: false,
      inputs: { series: [{ run_id: null, reason: 'no run of this series has the commit of the variant' }] },
    })
    t.same(unmet(await ladder.evaluate(), 'v2'), ['drift_clean'])
    const other = 'b'.repeat(40)
    await ladder.register('v3', { commit_sha: other })
    await call(post(body({ cadence: 'nightly', provenance: { commit_sha: other } })))
    t.match(
      await drift(),
      { passed: false, inputs: { series: [{ run_id: null }] } },
      'a run of another commit',
    )

    const failing = body({ cadence: 'nightly', record: [{ metric: 'other', series: [[0, 1]] }] })
    const failed = (await call(post(failing))).json<{ outcome: string; run_id: string }>()
    t.equal(failed.outcome, 'fail')
    t.match(await drift(), { inputs: { series: [{ run_id: failed.run_id, outcome: 'fail' }] } })

    // A run that is clean, and at once distrusted: on a second ladder, whose test has not accepted yet.
    const pending = new LadderClient(call, 'pending', 'p-')
    await pending.create({ test: { alpha: 0.4 }, drift_series: [SERIES] })
    await pending.register('v2', { commit_sha: SHA })
    await pending.toTrial('v2')
    const good = (await call(post(body({ cadence: 'nightly' })))).json<{ run_id: string; outcome: string }>()
    t.equal(good.outcome, 'pass')
    t.match(await ladder.live(), { version: 'v2', generation: 2 }, 'the clean run lets the swap happen')

    const revoked = await call(post({ run_id: good.run_id, reason: 'poisoned' }, '/v1/admin/revocations'))
    t.equal(revoked.statusCode, 201)
    const shown = (await pending.variant('v2')).predicates.find(({ name }) => name === 'drift_clean')
    t.match(shown, {
      passed: false,
      inputs: { series: [{ run_id: good.run_id, trusted: false, reason: 'the newest run is not trusted' }] },
    })
    await t.rejects(pending.toCurrent('v2', 4), 'the revocation blocks the swap')
    t.match(await pending.live(), { version: 'v1', generation: 1 })
    const { items } = (await call(`${pending.url}/evaluations?variant=v2&limit=1`)).json<CheckPage>()
    t.match(
      items[0]?.predicates.find(({ name }) => name === 'drift_clean'),
      { passed: false },
    )
    const undo = `/v1/admin/revocations/${revoked.json<{ revocation_id: string }>().revocation_id}/undo`
    t.equal((await call(post({ reason: 'it was sound' }, undo))).statusCode, 200)
    t.match(await pending.live(), { version: 'v2', generation: 2 }, 'restored, it goes on by itself')
    t.match(
      await ladder.live(),
      { version: 'v2', generation: 2 },
      'and what is live is not taken back by drift',
    )
  })

  t.test(`${backend}: an imported run is looked at too, and has no verdict`, async (t) => {
    const { store } = await openStore(t)
    const { call } = await openClient(t, { store })
    const ladder = new LadderClient(call)
    await ladder.create({ drift_series: [SERIES] })
    await ladder.register('v2', { commit_sha: SHA })
    const line = { series: SERIES, provenance: { commit_sha: SHA }, created_at: '2026-01-01T00:00:00Z' }
    const values = [{ metric_key: 'm', step: 0, value: 1, steps_key: '', constraint_key: '' }]
    const imported = await call({
      method: 'POST',
      url: '/v1/admin/import',
      headers: { 'content-type': 'application/x-ndjson' },
      payload: `${JSON.stringify({ ...line, trusted: true, values })}\n`,
    })
    t.equal(imported.statusCode, 201, imported.body)
    await ladder.toTrial('v2')
    t.match(
      (await ladder.evaluate()).checks[0]?.predicates.find(({ name }) => name === 'drift_clean'),
      {
        passed: false,
        inputs: { series: [{ trusted: true, outcome: null, reason: 'the newest run has no verdict' }] },
      },
    )
  })
})

t.test('three errors and one loss of five, then silence: not promoted', async (t) => {
  const { store } = await openSqlite(t)
  const { call } = await openClient(t, { store })
  const ladder = new LadderClient(call)
  await ladder.create()
  await ladder.register('v2')
  await ladder.toTrial('v2')
  for (const [index, winner] of (['error', 'error', 'error', 'b', null] as const).entries()) {
    await ladder.episodes({ variant: 'v1', group_id: `g${index}` }, { variant: 'v2', group_id: `g${index}` })
    const [pair] = (await ladder.bracket(`g${index}`)).comparisons
    if (winner !== null) await ladder.result(pair!.comparison_id, winner)
  }
  t.same(unmet(await ladder.evaluate(), 'v2'), ['sequential_test_accepts'])
  t.match(await ladder.test('v2'), { wins: 0, losses: 1, ties: 0, errors: 3, decision: 'continue' })
  t.match(await ladder.live(), { version: 'v1', generation: 1 })
})

t.test('two empty arms, and a misspelt series, stay where they are and say why', async (t) => {
  const { store } = await openSqlite(t)
  const { call } = await openClient(t, { store })
  const ladder = new LadderClient(call)
  await ladder.create({ drift_series: [{ ...SERIES, suite: 'stage-z' }] })
  await ladder.register('v2', { commit_sha: SHA })
  t.same((await ladder.bracket('g')).comparisons, [])
  t.same(unmet(await ladder.evaluate(), 'v2'), ['min_shadow_episodes'])
  await ladder.toTrial('v2')
  const evaluated = await ladder.evaluate()
  t.same(unmet(evaluated, 'v2'), ['sequential_test_accepts', 'drift_clean'])
  t.match(JSON.stringify(evaluated.checks), /stage-z.*no run of this series has the commit/)
  const before = (await call(`${ladder.url}/evaluations`)).body
  t.same((await ladder.evaluate()).transitions, [])
  t.equal((await call(`${ladder.url}/evaluations`)).body, before, 'without news there is no new entry')
})

t.test('ties decide nothing', async (t) => {
  const { store } = await openSqlite(t)
  const { call } = await openClient(t, { store })
  const ladder = new LadderClient(call)
  await ladder.create()
  await ladder.register('v2')
  await ladder.toTrial('v2')
  for (let n = 0; n < 30; n++) await ladder.round(`g${n}`, ['v1', 'v2'], () => 'tie')
  t.match(await ladder.test('v2'), { wins: 0, losses: 0, ties: 30, statistic: 0, decision: 'continue' })
  t.match(await ladder.variant('v2'), { rung: 'trial', comparisons: { tied: 30 } })
})

t.test('a person moves a variant by one rung, with actor and reason', async (t) => {
  const { store } = await openSqlite(t)
  const { call } = await openClient(t, { store })
  const ladder = new LadderClient(call)
  await ladder.create()
  await ladder.register('v2')
  problemOf(t, await ladder.override('v2', 'current'), 409, 'override_refused')
  problemOf(t, await ladder.override('v9', 'trial'), 422, 'invalid_input')
  problemOf(t, await ladder.override('v2', 'trial', ' '), 422, 'invalid_input')
  const moved = await ladder.override('v2', 'trial', 'the queue is long')
  t.equal(moved.statusCode, 200)
  t.match(moved.json(), {
    variant: 'v2',
    rung: 'trial',
    transitions: [{ actor: 'open-mode', reason: 'the queue is long', cause: 'override', from: 'shadow' }],
    live: { version: 'v1', generation: 1 },
  })
  t.match((await ladder.override('v2', 'current', 'tried by hand')).json(), {
    live: { version: 'v2', generation: 2 },
  })
  t.match((await ladder.override('v2', 'rolled_back')).json(), { live: { version: 'v1', generation: 3 } })
  await ladder.register('v3')
  await ladder.episodes({ variant: 'v3', score: CAPPED })
  problemOf(t, await ladder.override('v3', 'shadow'), 409, 'override_refused')
  const log = (await call(`${ladder.url}/transitions?limit=2`)).json<TransitionPage>()
  t.equal(log.items.length, 2)
  const rest = await call(`${ladder.url}/transitions?limit=1000&cursor=${log.next_cursor}`)
  t.equal(rest.json<TransitionPage>().items.length + 2, (await ladder.transitions()).length)
})

t.test('four challengers in a tournament', async (t) => {
  const { store } = await openSqlite(t)
  const { call } = await openClient(t, { store })
  const ladder = new LadderClient(call)
  await ladder.create({ mode: 'tournament', sustain_groups: 5, cost_budget: 1.5, test: { alpha: 0.2 } })
  const challengers = ['a', 'b', 'c', 'd']
  for (const version of challengers) await ladder.register(version)
  // `a` is best; `b` is good and too dear; `c` is as good as the live one; `d` violates the core on its way.
  const skill: Record<string, number> = { a: 3, b: 2, c: 0, d: 1, v1: 0 }
  const judge = seededJudge('unused', 0.5, 11)
  const byStrength = (pair: Pair) => {
    const lead = skill[pair.a.variant]! - skill[pair.b.variant]!
    return lead === 0 ? judge(pair) : lead > 0 ? 'a' : 'b'
  }
  const rungs = async () =>
    Object.fromEntries((await ladder.ladder()).variants.map(({ version, rung }) => [version, rung]))
  let seenDisconnected = false
  for (let n = 0; n < 60 && (await ladder.live()).version === 'v1'; n++) {
    const { variants } = await ladder.ladder()
    const running = variants.filter(({ rung }) => !['rolled_back', 'rejected'].includes(rung))
    await ladder.episodes(
      ...running.map(({ version }) => ({
        variant: version,
        group_id: `g${n}`,
        cost: version === 'b' ? 2 : 1,
        ...(version === 'd' && n === 8 && { score: CAPPED }),
      })),
    )
    seenDisconnected ||= !(await ladder.strengths()).connected
    for (const pair of (await ladder.bracket(`g${n}`)).comparisons) {
      if ((await ladder.live()).version !== 'v1') break
      await ladder.result(pair.comparison_id, byStrength(pair))
    }
    const { shares } = await ladder.ladder()
    const sum = shares.reduce((total, { share }) => total + share, 0)
    t.ok(Math.abs(sum - 1) < 1e-9, 'shares add up to 1')
  }
  t.match(await ladder.live(), { version: 'a', generation: 2 })
  const path = (await ladder.transitions()).filter(({ variant }) => variant === 'a')
  t.same(
    path.map(({ to, share }) => [to, share]),
    [
      ['shadow', 0],
      ['canary', 0.05],
      ['ramp', 0.2],
      ['ramp', 0.5],
      // Whoever held traffic against the old live version gives it back in the same evaluation, next.
      ['current', 0.95],
    ],
  )
  t.same((await ladder.ladder()).shares, [{ version: 'a', share: 1 }])
  t.same(
    path.at(-1)?.predicates.map(({ name }) => name),
    ['sustained', 'drift_clean', 'no_core_violation'],
  )
  const end = await rungs()
  t.equal(end.d, 'rolled_back')
  t.not(end.b, 'ramp', 'the dear one never got onto the ramp')
  t.notOk((await ladder.transitions()).some(({ variant, to }) => variant === 'b' && to === 'ramp'))
  t.equal(end.v1, 'superseded')
  const { strengths } = await ladder.strengths()
  t.equal(strengths.length, 5)
  t.notOk(seenDisconnected)
})
