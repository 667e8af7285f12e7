/** Pairwise ladders over HTTP: the way up, the way back, and what is told of both. */
import t from 'tap'
import type { CheckPage } from '../../src/documents/ladder.js'
import { forEachBackend } from '../support/stores.js'
import { CAPPED, LadderClient, seededJudge } from '../support/ladder-client.js'
import { openClient, problemOf } from './support.js'

t.setTimeout(120_000)

forEachBackend((backend, openStore) => {
  t.test(`${backend}: a 70 % judge drives a challenger from shadow over trial to current`, async (t) => {
    const { store } = await openStore(t)
    const { call } = await openClient(t, { store })
    const ladder = new LadderClient(call)
    t.match(await ladder.create({ resource_budget: { memory_mib: 1_024 } }), {
      mode: 'pairwise',
      trial_share: 0.05,
      test: { kind: 'mixture', alpha: 0.05, beta: 0.2, min_effect: 0.1, p1: null },
      live: { version: 'v1', generation: 1 },
      shares: [{ version: 'v1', share: 1 }],
    })
    const facts = { validated: true, sandbox_clean: false, resource_profile: { memory_mib: 2_048 } }
    const registered = await ladder.register('v2', { facts })
    t.equal(registered.rung, 'registered')
    t.same(
      registered.predicates.map(({ name, passed }) => [name, passed]),
      [
        ['registered', true],
        ['validated', true],
        ['sandbox_clean', false],
        ['resource_fits', false],
      ],
    )
    const patch = (changed: object) =>
      call({ method: 'PATCH', url: `${ladder.url}/variants/v2`, payload: { facts: changed } })
    t.match((await patch({ sandbox_clean: true })).json(), { rung: 'registered' })
    t.match((await patch({ resource_profile: { memory_mib: 512 } })).json(), { rung: 'shadow' })

    const taken = await ladder.episodes({ variant: 'v2' })
    t.match(taken, {
      accepted: 1,
      duplicates: 0,
      transitions: [{ from: 'shadow', to: 'trial', share: 0.05 }],
    })
    t.same((await ladder.ladder()).shares, [
      { version: 'v1', share: 0.95 },
      { version: 'v2', share: 0.05 },
    ])

    const judge = seededJudge('v2', 0.7, 7)
    let group = 0
    for (; (await ladder.live()).version === 'v1' && group < 300; group++) {
      await ladder.round(`g${group}`, ['v1', 'v2'], judge)
    }
    t.match(await ladder.live(), { version: 'v2', generation: 2 })
    t.same((await ladder.ladder()).shares, [{ version: 'v2', share: 1 }])
    t.match(await ladder.test('v2'), { decision: 'accept', against: 'v1', generation: 1 })
    const { trajectory, wins, losses } = await ladder.test('v2')
    t.equal(trajectory.length, wins + losses)

    const path = (await ladder.transitions()).map(({ variant, from, to }) => [variant, from, to])
    t.same(path, [
      ['v2', 'registered', 'shadow'],
      ['v2', 'shadow', 'trial'],
      ['v2', 'trial', 'current'],
      ['v1', 'current', 'superseded'],
    ])
    for (const { actor, predicates, to } of (await ladder.transitions()).slice(0, 3)) {
      t.equal(actor, 'rules')
      t.ok(predicates.length > 0 && predicates.every(({ passed }) => passed), `${to} was decided`)
    }
    const { items } = (await call(`${ladder.url}/evaluations?limit=1000&variant=v2`)).json<CheckPage>()
    for (const rung of ['shadow', 'trial', 'current']) {
      const failed = items.filter((item) => item.rung === rung && !item.passed)
      t.ok(failed.length > 0, `what failed on the way to ${rung} is kept`)
      t.ok(failed.every(({ predicates }) => predicates.some(({ passed }) => !passed)))
    }
    t.ok(items.length >= group, 'each look at the test')
  })

  t.test(`${backend}: one capped episode on each rung rolls back before its answer`, async (t) => {
    const { store } = await openStore(t)
    const { call } = await openClient(t, { store })
    const ladder = new LadderClient(call)
    await ladder.create({ test: { alpha: 0.4 } })

    await ladder.register('on-shadow')
    t.match(await ladder.episodes({ variant: 'on-shadow', score: CAPPED }), {
      transitions: [{ variant: 'on-shadow', from: 'shadow', to: 'rolled_back', share: 0 }],
      live: { version: 'v1', generation: 1 },
    })

    await ladder.register('on-trial')
    await ladder.toTrial('on-trial')
    await ladder.episodes({ variant: 'on-trial', score: CAPPED })
    t.same((await ladder.ladder()).shares, [{ version: 'v1', share: 1 }])
    t.match(await ladder.variant('on-trial'), { rung: 'rolled_back', share: 0 })

    await ladder.register('live')
    await ladder.toTrial('live')
    await ladder.toCurrent('live')
    t.match(await ladder.live(), { version: 'live', generation: 2 })
    await ladder.episodes({ variant: 'live', score: { kind: 'scored', value: -1e300 } })
    t.match(await ladder.live(), { version: 'live' }, 'a low number alone rolls nothing back')
    const back = await ladder.episodes({ variant: 'live', score: CAPPED })
    t.match(back, {
      transitions: [
        { variant: 'live', from: 'current', to: 'rolled_back', cause: 'core_violation' },
        { variant: 'v1', from: 'superseded', to: 'current', cause: 'restored' },
      ],
      live: { version: 'v1', generation: 3 },
    })
    t.match(await ladder.live(), { version: 'v1', generation: 3 })

    const alarm = await ladder.episodes({ variant: 'v1', score: CAPPED })
    t.match(alarm.transitions, [{ cause: 'core_violation_without_predecessor', to: 'current' }])
    t.match(alarm.live, { version: 'v1', generation: 3 }, 'the pointer is never empty')
  })

  t.test(`${backend}: what was rolled back stays readable, and its id taken`, async (t) => {
    const { store } = await openStore(t)
    const { call } = await openClient(t, { store })
    const ladder = new LadderClient(call)
    await ladder.create({ test: { alpha: 0.4 } })
    await ladder.register('v2')
    await ladder.toTrial('v2')
    await ladder.toCurrent('v2')
    const before = await ladder.variant('v2')
    t.ok(before.comparisons.won > 0 && before.episodes > 1)
    await ladder.episodes({ variant: 'v2', score: CAPPED, episode_id: 'the-last' })
    t.match(await ladder.variant('v2'), {
      rung: 'rolled_back',
      parents: ['v1'],
      predecessor: 'v1',
      episodes: before.episodes + 1,
      comparisons: before.comparisons,
    })
    t.match(await ladder.get('/episodes/the-last'), { score: CAPPED, rung: 'current', capped_at: null })
    t.match(await ladder.test('v2'), { decision: 'accept', wins: before.comparisons.won })
    problemOf(t, await ladder.post('/variants', { version: 'v2' }), 409, 'name_taken')
    t.match(await ladder.register('v3', { parents: ['v2'] }), { rung: 'shadow' })
    t.match(await ladder.variant('v3'), { episodes: 0, comparisons: { won: 0, lost: 0 }, strength: null })
    t.match(await ladder.test('v3'), { wins: 0, losses: 0, decision: 'continue', trajectory: [] })
  })

  t.test(`${backend}: a group with a capped episode is as one without it`, async (t) => {
    const { store } = await openStore(t)
    const { call } = await openClient(t, { store })
    const told = async (name: string, extra: 'none' | 'capped' | 'capped late') => {
      const ladder = new LadderClient(call, name)
      await ladder.create({ mode: 'tournament' })
      for (const version of ['a', 'b', 'c']) await ladder.register(version)
      const of = (variant: string, more: object = {}) => ({
        episode_id: `of-${variant}`,
        variant,
        group_id: 'g',
        ...more,
      })
      if (extra === 'capped') await ladder.episodes(of('c', { score: CAPPED }))
      if (extra === 'capped late') await ladder.episodes(of('c'))
      await ladder.episodes(of('v1'), of('a'), of('b'))
      const issued = (await ladder.bracket('g')).comparisons
      const judged = new Map([
        ['a:b', 'a'],
        ['a:v1', 'b'],
        ['b:v1', 'tie'],
        ['a:c', 'b'],
        ['b:c', 'a'],
        ['c:v1', 'a'],
      ])
      for (const { comparison_id: id, a, b } of issued) {
        await ladder.result(id, judged.get(`${a.variant}:${b.variant}`) as 'a')
      }
      const before = await call(`${ladder.url}/strengths`)
      if (extra === 'capped late') await ladder.episodes(of('c', { score: CAPPED }))
      const strengths = (await call(`${ladder.url}/strengths`)).body
      const scores = await Promise.all(
        ['v1', 'a', 'b'].map(async (variant) => {
          const { comparisons, strength } = await ladder.variant(variant)
          const { score } = await ladder.get<{ score: object }>(`/episodes/of-${variant}`)
          const { won, lost, tied } = comparisons
          return { won, lost, tied, strength, score }
        }),
      )
      return { ladder, issued, before: before.body, told: JSON.stringify([strengths, scores]) }
    }
    const control = await told('control', 'none')
    const capped = await told('capped', 'capped')
    t.equal(capped.told, control.told, 'byte for byte')
    t.equal(capped.issued.length, 3)
    t.notOk(capped.issued.some(({ a, b }) => a.variant === 'c' || b.variant === 'c'))
    t.match(await capped.ladder.variant('c'), { comparisons: { won: 0, lost: 0, tied: 0, voided: 0 } })

    const late = await told('late', 'capped late')
    t.equal(late.issued.length, 6)
    t.not(late.before, control.before, 'it counted until then')
    t.equal(late.told, control.told, 'and is as if it had never been')
    t.match(await late.ladder.variant('c'), {
      rung: 'rolled_back',
      comparisons: { won: 0, lost: 0, tied: 0, voided: 3 },
    })
    const ofC = late.issued.find(({ a, b }) => a.variant === 'c' || b.variant === 'c')!
    problemOf(
      t,
      await late.ladder.post(`/comparisons/${ofC.comparison_id}/result`, { winner: 'a' }),
      409,
      'result_conflict',
    )
    t.equal((await late.ladder.bracket('g')).comparisons.length, 3)
  })
})
