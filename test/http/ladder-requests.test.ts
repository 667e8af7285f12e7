/** What is refused, what is taken twice, and which version serves whom. */
import t from 'tap'
import type { EpisodePage, LadderPage } from '../../src/documents/ladder.js'
import type { AssignmentDocument } from '../../src/documents/ladder-reports.js'
import { CAPPED, LadderClient } from '../support/ladder-client.js'
import { jsonText, openClient, post, problemOf, whereOf } from './support.js'

t.test('a ladder is made once, and only from what makes sense', async (t) => {
  const { call } = await openClient(t)
  const ladder = new LadderClient(call)
  const make = (more: object) => call(post({ ladder: 'x', live: { version: 'v1' }, ...more }, '/v1/ladders'))
  const made = await call(post({ ladder: 'summarizer', live: { version: 'v1' } }, '/v1/ladders'))
  t.equal(made.statusCode, 201)
  t.equal(made.headers.location, '/v1/ladders/summarizer')
  t.match(made.json(), {
    ladder: 'summarizer',
    min_shadow_episodes: 1,
    pass_rate_margin: 0.05,
    min_verified: 20,
    resource_budget: {},
    drift_series: [],
    canary_share: 0.05,
    ramp_shares: [0.2, 0.5],
    sustain_groups: 20,
    cost_budget: null,
    variants: [{ version: 'v1', rung: 'current', share: 1 }],
    created_by: 'open-mode',
  })
  const same = await call(post({ ladder: 'summarizer', live: { version: 'v1' } }, '/v1/ladders'))
  problemOf(t, same, 409, 'name_taken')
  const faults: Array<[object, string]> = [
    [{ live: undefined }, 'live'],
    [{ live: { version: '' } }, 'live/version'],
    [{ live: { version: 'v1', generation: 2 } }, 'live/generation'],
    [{ trial_shares: 0.1 }, 'trial_shares'],
    [{ trial_share: 1 }, 'trial_share'],
    [{ min_shadow_episodes: 0 }, 'min_shadow_episodes'],
    [{ min_verified: 1.5 }, 'min_verified'],
    [{ test: { kind: 'sprt', p1: 0.5 } }, 'test/p1'],
    [{ test: { kind: 'sprt', min_effect: 0.1 } }, 'test/min_effect'],
    [{ test: { alpha: 0 } }, 'test/alpha'],
    [{ resource_budget: { memory_mib: -1 } }, 'resource_budget/memory_mib'],
    [{ ramp_shares: [0.5, 0.2] }, 'ramp_shares'],
    [{ drift_series: [{ test_path: 'a', backend: 'b' }] }, 'drift_series/0/suite'],
    [{ drift_series: [{ test_path: ' a', backend: 'b', suite: 'c' }] }, 'drift_series/0/test_path'],
    [{ ladder: 'x'.repeat(129) }, 'ladder'],
    [{ ladder: '..' }, 'ladder'],
    [{ live: { version: '.' } }, 'live/version'],
    [{ trial_share: 1e-9 }, 'trial_share'],
  ]
  for (const [more, where] of faults) {
    t.same(whereOf(problemOf(t, await make(more), 422, 'invalid_input')), [where], JSON.stringify(more))
  }
  const series = { test_path: '€'.repeat(500), backend: '€'.repeat(100), suite: '€'.repeat(100) }
  problemOf(t, await make({ drift_series: [series] }), 422, 'invalid_input')
  const nulls = { mode: null, test: null, trial_share: null, drift_series: null, cost_budget: null }
  t.equal((await make(nulls)).statusCode, 201, 'null means absent')
  t.equal((await make({ ladder: 'Ä/ö ?', test: { kind: 'sprt' } })).statusCode, 201)
  t.match(await new LadderClient(call, 'Ä/ö ?').ladder(), {
    test: { kind: 'sprt', p1: 0.6, min_effect: null },
  })
  const page = (await call('/v1/ladders?limit=2')).json<LadderPage>()
  t.same(
    page.items.map((one) => one.ladder),
    ['summarizer', 'x'],
  )
  const rest = (await call(`/v1/ladders?cursor=${page.next_cursor}`)).json<LadderPage>()
  t.same(
    rest.items.map((one) => one.ladder),
    ['Ä/ö ?'],
  )
  for (const path of [
    '',
    '/live',
    '/variants/v1',
    '/episodes',
    '/test?variant=v1',
    '/strengths',
    '/transitions',
  ]) {
    problemOf(t, await call(`/v1/ladders/none${path}`), 404, 'not_found')
  }
  problemOf(t, await ladder.post('/variants', { version: 'v2', parents: ['v0', 'v1'] }), 422, 'invalid_input')
  problemOf(t, await call(`${ladder.url}/variants/v9`), 404, 'not_found')
  problemOf(t, await call(`${ladder.url}/test?variant=v9`), 404, 'not_found')
  problemOf(t, await call(`${ladder.url}/episodes/none`), 404, 'not_found')
  const patch = { method: 'PATCH' as const, url: `${ladder.url}/variants/v9`, payload: { facts: {} } }
  problemOf(t, await call(patch), 404, 'not_found')
  problemOf(t, await ladder.post('/comparisons/nonsense/result', { winner: 'a' }), 404, 'not_found')
})

t.test('episodes are stored once', async (t) => {
  const { call } = await openClient(t)
  const ladder = new LadderClient(call)
  await ladder.create()
  await ladder.register('v2')
  const one = { episode_id: 'e1', variant: 'v2', group_id: 'g', split: 'selection' }
  const scored = { ...one, score: { kind: 'scored', value: 0.25 }, verifier_passed: true, cost: 1.5 }
  const send = (...episodes: object[]) => ladder.post('/episodes', { episodes })
  t.match((await send(scored, scored)).json(), { accepted: 1, duplicates: 1 })
  t.match((await send(scored)).json(), {
    accepted: 0,
    duplicates: 1,
    transitions: [],
    live: { generation: 1 },
  })
  t.match(await ladder.get('/episodes/e1'), { ...scored, rung: 'shadow', capped_at: null })
  for (const other of [
    { score: { kind: 'scored', value: 0.5 } },
    { cost: null },
    { verifier_passed: false },
    { group_id: 'h' },
    { split: 'held_out' },
    { variant: 'v1' },
    { score: CAPPED, cost: 9 },
  ]) {
    const refused = await send({ ...scored, episode_id: 'e2' }, { ...scored, ...other })
    t.same(whereOf(problemOf(t, refused, 409, 'content_conflict')), ['episodes/1'], JSON.stringify(other))
  }
  problemOf(t, await call(`${ladder.url}/episodes/e2`), 404, 'not_found')

  const late = await send({ ...scored, score: CAPPED })
  t.match(late.json(), { accepted: 1, transitions: [{ to: 'rolled_back', cause: 'core_violation' }] })
  const capped = await ladder.get<Record<string, unknown>>('/episodes/e1')
  t.match(capped, { score: CAPPED, capped_at: String })
  t.same(Object.keys(capped['score'] as object), ['kind', 'violations'], 'and has no number')
  t.match((await send({ ...scored, score: CAPPED })).json(), { accepted: 0, duplicates: 1 })
  t.match((await send(scored)).json(), { accepted: 0, duplicates: 1 }, 'the first sending, retried')
  t.match(await ladder.get('/episodes/e1'), { score: CAPPED }, 'takes nothing back')
  const else_ = { ...scored, score: { kind: 'capped', violations: ['another'] } }
  problemOf(t, await send(else_), 409, 'content_conflict')

  const faults: Array<[object, string]> = [
    [{ variant: 'v9' }, 'episodes/0/variant'],
    [{ score: { kind: 'scored' } }, 'episodes/0/score'],
    [{ score: { kind: 'capped' } }, 'episodes/0/score'],
    [{ score: { kind: 'capped', violations: ['x'], value: 1 } }, 'episodes/0/score'],
    [{ score: { kind: 'scored', violations: ['x'], value: 1 } }, 'episodes/0/score'],
    [{ score: { kind: 'scored', value: 'high' } }, 'episodes/0/score/value'],
    [{ split: 'train' }, 'episodes/0/split'],
    [{ rung: 'trial' }, 'episodes/0/rung'],
  ]
  for (const [more, where] of faults) {
    const refused = await send({ ...scored, episode_id: 'e3', ...more })
    t.same(whereOf(problemOf(t, refused, 422, 'invalid_input')), [where], JSON.stringify(more))
  }
  const text = JSON.stringify({ episodes: [{ ...scored, episode_id: 'e4' }] })
  for (const literal of ['1e999', '-1e999']) {
    const huge = await call(jsonText(text.replace('0.25', literal), `${ladder.url}/episodes`))
    problemOf(t, huge, 422, 'invalid_input')
  }
  problemOf(t, await send(), 422, 'invalid_input')
  const many = Array.from({ length: 1_000 }, (_none, n) => ({
    ...scored,
    episode_id: `${'m'.repeat(250)}${n}`,
  }))
  t.match((await send(...many)).json(), { accepted: 1_000, duplicates: 0 })
  problemOf(t, await send(...many, { ...scored, episode_id: 'z' }), 422, 'invalid_input')
  const page = (await call(`${ladder.url}/episodes?variant=v2&limit=1000`)).json<EpisodePage>()
  t.equal(page.items.length, 1_000)
  const rest = await call(`${ladder.url}/episodes?variant=v2&limit=1000&cursor=${page.next_cursor}`)
  t.equal(rest.json<EpisodePage>().items.length, 1)
})

t.test('a bracket is issued once, grows, and takes one result each', async (t) => {
  const { call } = await openClient(t)
  const ladder = new LadderClient(call)
  await ladder.create()
  await ladder.register('v2')
  const both = (n: number) =>
    ladder.episodes(
      { variant: 'v1', group_id: 'g', episode_id: `l${n}` },
      { variant: 'v2', group_id: 'g', episode_id: `c${n}` },
    )
  await both(5)
  await ladder.episodes({ variant: 'v2', group_id: 'g', split: 'held_out' })
  const [first, ...none] = (await ladder.bracket('g')).comparisons
  t.same(none, [])
  t.match(first, {
    a: { variant: 'v2', episode_id: 'c5' },
    b: { variant: 'v1', episode_id: 'l5' },
    winner: null,
  })
  t.same((await ladder.bracket('g')).comparisons, [first], 'a second call returns the same')
  await both(1)
  const grown = (await ladder.bracket('g')).comparisons
  t.equal(grown.length, 2)
  t.same(grown[0], first, 'what was issued stays paired')
  t.match(grown[1], { a: { episode_id: 'c1' }, b: { episode_id: 'l1' } })
  const id = first!.comparison_id
  t.match(await ladder.result(id, 'a'), { test: { variant: 'v2', against: 'v1', wins: 1 }, transitions: [] })
  t.match(await ladder.result(id, 'a'), { test: { wins: 1, losses: 0 } }, 'the same again')
  problemOf(t, await ladder.post(`/comparisons/${id}/result`, { winner: 'b' }), 409, 'result_conflict')
  problemOf(t, await ladder.post(`/comparisons/${id}/result`, { winner: 'c' }), 422, 'invalid_input')
  await new LadderClient(call, 'other').create()
  const elsewhere = await new LadderClient(call, 'other').post(`/comparisons/${id}/result`, { winner: 'a' })
  problemOf(t, elsewhere, 404, 'not_found')
  t.match((await call(post({}, `${ladder.url}/groups/g/bracket`))).statusCode, 201)
  const typed = { ...jsonText(''), url: `${ladder.url}/groups/g/bracket` }
  t.equal((await call(typed)).statusCode, 201, 'a type of nothing')
  problemOf(t, await call({ ...typed, url: `${ladder.url}/episodes` }), 400, 'malformed_body')
  t.match((await call(post({ x: 1 }, `${ladder.url}/groups/g/bracket`))).statusCode, 422)
})

t.test('units keep their version, in the shares of the moment', async (t) => {
  const { call } = await openClient(t)
  const ladder = new LadderClient(call)
  await ladder.create({ trial_share: 0.25 })
  await ladder.register('v2')
  const assigned = async () => {
    const told = new Map<string, AssignmentDocument>()
    for (let n = 0; n < 200; n++) {
      told.set(`user ${n}`, await ladder.get(`/assignment?unit=${encodeURIComponent(`user ${n}`)}`))
    }
    return told
  }
  const before = await assigned()
  t.ok([...before.values()].every(({ version, rung }) => version === 'v1' && rung === 'current'))
  await ladder.toTrial('v2')
  const during = await assigned()
  const onTrial = [...during].filter(([, { version, rung }]) => version === 'v2' && rung === 'trial')
  t.ok(onTrial.length > 25 && onTrial.length < 75, `${onTrial.length} of 200`)
  t.same([...(await assigned())], [...during])
  await ladder.episodes({ variant: 'v2', score: CAPPED })
  t.same([...(await assigned())], [...before])
  problemOf(t, await call(`${ladder.url}/assignment`), 400, 'invalid_query')
})
