import t from 'tap'
import type { ComparisonDocument, ComparisonPage } from '../../src/documents/evals-comparison.js'
import { compared, COMPARISONS, JUNIT, MARKDOWN, onBoth, put, run, RUNS } from './evals-support.js'
import { openClient, post, problemOf, whereOf, withHeaders, type Client } from './support.js'

const DROP = { max_context_drop: 0.1 }

onBoth('stored and inline runs are compared alike, and the comparison is kept', async (t, client) => {
  const { call } = client
  const [before, after] = [run([9, 8, 7, 'N/A']), run([9, 8, 6])]
  await call(put('main', before))
  await call(put('next', after))
  const gates = { max_context_drop: 1 }
  const named = await call(
    post({ baseline: { name: 'main' }, current: { name: 'next' }, gates }, COMPARISONS),
  )
  t.equal(named.statusCode, 201)
  const document = named.json<ComparisonDocument>()
  t.match(named.headers, {
    'gatehouse-outcome': 'pass',
    'gatehouse-result': 'pass',
    location: `${COMPARISONS}/${document.comparison_id}`,
  })
  t.strictSame(document, {
    result: 'pass',
    outcome: 'pass',
    comparison_id: document.comparison_id,
    created_at: document.created_at,
    baseline: { name: 'main', questions: 4 },
    current: { name: 'next', questions: 3 },
    strict: false,
    on_inconclusive: 'pass',
    min_matched: 1,
    identity: { answer: 'same', judge: 'same' },
    means: {
      baseline: { context: 8, lift: 8 },
      current: { context: 7.666666666666667, lift: 7.666666666666667 },
    },
    gates: [
      {
        gate: 'max_context_drop',
        limit: 1,
        mean_drop: 0.3333333333333333,
        ci95: [0, 1],
        method: 'bootstrap',
        small_sample: true,
        status: 'pass',
      },
    ],
    small_sample: true,
    reasons: [],
    questions: {
      baseline: 4,
      current: 3,
      matched: 3,
      only_baseline: [],
      only_baseline_total: 0,
      only_current: [],
      only_current_total: 0,
      unscored_baseline: ['q4'],
      unscored_baseline_total: 1,
      unscored_current: [],
      unscored_current_total: 0,
    },
    list_limit: 100,
  })
  t.strictSame((await call(named.headers.location!)).json(), document)
  const inline = await compared(t, client, { baseline: before, current: after, gates })
  const anonymous = { baseline: { name: null, questions: 4 }, current: { name: null, questions: 3 } }
  const { comparison_id: comparisonId, created_at: createdAt } = inline
  t.strictSame(inline, { ...document, ...anonymous, comparison_id: comparisonId, created_at: createdAt })
  const { questions: _questions, list_limit: _limit, ...head } = document
  t.strictSame((await call(`${COMPARISONS}?limit=2`)).json<ComparisonPage>().items[1], head)
})

t.test('a drop that equals its limit is none, in decimals', async (t) => {
  const client = await openClient(t)
  for (const [before, after] of [
    [6.9, 6.8],
    [0.3, 0.2],
  ] as const) {
    const body = { baseline: run([before]), current: run([after]), gates: DROP }
    t.match(await compared(t, client, body), { result: 'pass', gates: [{ mean_drop: 0.1, method: 'mean' }] })
    const below = { ...body, gates: { max_context_drop: 0.0999 } }
    t.match(await compared(t, client, below), { result: 'regression', outcome: 'fail' })
  }
})

t.test('each drop gate fails by itself, whichever stands first', async (t) => {
  const client = await openClient(t)
  const sides = (context: number, baseline: number) =>
    run([], { questions: [{ question_id: 'q', context_score: context, baseline_score: baseline }] })
  const gates = { max_context_drop: 0.5, max_lift_drop: 0.5 }
  const status = async (current: object, more: object = {}) => {
    const body = { baseline: sides(9, 4), current, gates: { ...gates, ...more } }
    const { result, outcome, gates: judged } = await compared(t, client, body)
    return [result, outcome, ...judged.map((one) => one.status)]
  }
  t.same(await status(sides(8, 3)), ['regression', 'fail', 'regression', 'pass'])
  t.same(await status(sides(9, 5)), ['regression', 'fail', 'pass', 'regression'])
  t.same(await status(sides(8, 4)), ['regression', 'fail', 'regression', 'regression'])
  t.same(await status(sides(9, 4)), ['pass', 'pass', 'pass', 'pass'])
})

t.test('the order of the questions changes nothing', async (t) => {
  const client = await openClient(t)
  const scores = Array.from({ length: 60 }, (_none, index) => ((index * 37) % 61) / 7)
  const [baseline, current] = [run(scores), run(scores.map((score) => score - (score % 0.9)))]
  const reversed = { ...current, questions: [...current.questions].reverse() }
  const one = await compared(t, client, { baseline, current, gates: DROP })
  const other = await compared(t, client, { baseline, current: reversed, gates: DROP })
  t.strictSame(other, { ...one, comparison_id: other.comparison_id, created_at: other.created_at })
})

t.test('evidence that is not complete compares nothing under a gate', async (t) => {
  const client = await openClient(t)
  const errored = (ids: readonly number[]) => {
    const one = run([1, 1, 0, 0, 0, 0, 0, 0])
    for (const id of ids) Object.assign(one.questions[id]!, { errored: true, context_score: null })
    return one
  }
  const incomparable = async (body: object, reason: RegExp) => {
    const document = await compared(t, client, body)
    t.match(document, { result: 'incomparable', outcome: 'fail', gates: [{ status: null }] })
    t.ok(
      document.reasons.some((one) => reason.test(one)),
      document.reasons.join(),
    )
    return document
  }
  const errors = await incomparable(
    { baseline: errored([]), current: errored([6, 7]), gates: DROP },
    /scored in baseline and not in current: "q7", "q8"/,
  )
  t.match(errors.questions, { matched: 6, only_baseline: ['q7', 'q8'], unscored_current: ['q7', 'q8'] })
  t.match(errors.means, { baseline: { context: 1 / 3 }, current: { context: 1 / 3 } })
  await incomparable({ baseline: run([1]), current: run([1, 1]), gates: DROP }, /"q2"/)
  const other = run([1, 1], { judge: { kind: 'single', provider: 'acme', model: 'j-2' } })
  const judges = await incomparable(
    { baseline: run([1, 1]), current: other, gates: DROP },
    /judge .* not the same/,
  )
  t.same(judges.identity, { answer: 'same', judge: 'different' })
  const few = { max_context_drop: 0.1, min_matched: 3 }
  await incomparable({ baseline: run([1, 1]), current: run([1, 1]), gates: few }, /at least 3/)
  const none = await incomparable(
    { baseline: run([null]), current: run([null]), gates: DROP },
    /0 questions match/,
  )
  t.match(none.gates, [{ mean_drop: null, ci95: null, method: null }])
  t.same(none.means.baseline, { context: null, lift: null })
})

t.test('who is not recorded is nobody, under strict and under a gate', async (t) => {
  const client = await openClient(t)
  const names: object[] = [
    { answer_model: { provider: ' ', model: 'm' } },
    { answer_model: { provider: 'acme', model: 'Unknown' } },
    { answer_model: { provider: 'acme' } },
    { answer_model: null },
    { judge: { kind: 'single', provider: '', model: '' } },
    { judge: { kind: 'panel', members: ['j-1', 'acme/j-2'] } },
    { judge: undefined },
  ]
  for (const fields of names) {
    const one = run([1], fields)
    for (const asked of [{ gates: DROP }, { strict: true }]) {
      const document = await compared(t, client, { baseline: one, current: one, ...asked })
      t.match(document, { result: 'incomparable', outcome: 'fail' }, JSON.stringify(fields))
      t.ok(Object.values(document.identity).includes('not_recorded'))
    }
    t.match(await compared(t, client, { baseline: one, current: one }), { result: 'report', outcome: null })
  }
  const folded = run([1], { answer_model: { provider: ' ACME ', model: 'M-1' } })
  t.match(await compared(t, client, { baseline: run([1]), current: folded, strict: true }), {
    result: 'report',
    outcome: null,
    identity: { answer: 'same', judge: 'same' },
  })
  const panel = (...members: string[]) =>
    run([], { judge: { kind: 'panel', members }, questions: votes('a/b', 'c/d') })
  t.match(
    await compared(t, client, { baseline: panel('a/b', 'c/d'), current: panel('C/D', ' a/b'), gates: DROP }),
    { result: 'pass', identity: { judge: 'same' } },
  )
})

function votes(...members: string[]) {
  const cast = members.map((member) => ({ member, score: 1 }))
  return [{ question_id: 'q1', context_score: 1, baseline_score: 0, votes: cast }]
}

t.test('a panel with one failed vote leaves the question unscored', async (t) => {
  const client = await openClient(t)
  const judge = { kind: 'panel', members: ['a/b', 'c/d'] }
  const unscored = async (cast: object[] | null) => {
    const one = run([], { judge, questions: [{ ...votes()[0]!, votes: cast }] })
    return (await compared(t, client, { baseline: one, current: one })).questions.unscored_current
  }
  const good = [
    { member: 'a/b', score: 1 },
    { member: 'c/d', score: 0 },
  ]
  t.same(await unscored(good), [])
  t.same(await unscored([good[0]!, { member: 'c/d', error: 'timeout' }]), ['q1'])
  t.same(await unscored([good[0]!, { member: 'c/d', score: 'N/A' }]), ['q1'])
  t.same(await unscored(good.slice(0, 1)), ['q1'])
  t.same(await unscored(null), ['q1'])
})

/** Scores whose drop against 5 is 0 in the mean and uneven, so that its interval reaches above 0.1. */
const UNEVEN = {
  baseline: run(Array<number>(20).fill(5)),
  current: run(Array.from({ length: 20 }, (_n, i) => (i % 2 === 0 ? 4 : 6))),
}

onBoth('an undecided gate shows first in every form, under both policies', async (t, { call }) => {
  for (const policy of ['pass', 'fail'] as const) {
    const body = { ...UNEVEN, gates: DROP, on_inconclusive: policy }
    const response = await call(post(body, `${COMPARISONS}?on_fail=error`))
    t.equal(response.statusCode, policy === 'pass' ? 201 : 422)
    t.match(response.headers, { 'gatehouse-outcome': policy, 'gatehouse-result': 'inconclusive' })
    t.match(response.body, /^\{"result":"inconclusive",/)
    t.match(response.json(), { outcome: policy, gates: [{ status: 'undecided' }], small_sample: false })
    const url = String(response.headers.location)
    for (const [accept, first] of [
      [MARKDOWN, new RegExp(`^## Gatehouse: INCONCLUSIVE, which counts as ${policy}\\n`)],
      [JUNIT, /^<\?xml[^\n]*\n<testsuites name="gatehouse: INCONCLUSIVE"/],
    ] as const) {
      const sent = await call(withHeaders(post(body, COMPARISONS), accept))
      t.match(sent.body, first)
      t.match((await call({ url, headers: accept })).body, first, 'and when it is read again')
    }
    const junit = (await call({ url, headers: JUNIT })).body
    t.match(junit, policy === 'pass' ? /<skipped message="INCONCLUSIVE/ : /<failure type="inconclusive"/)
  }
  const defaulted = await call(post({ ...UNEVEN, gates: DROP }, COMPARISONS))
  t.match(defaulted.json(), { result: 'inconclusive', outcome: 'pass', on_inconclusive: 'pass' })
})

t.test('a report claims nothing', async (t) => {
  const { call } = await openClient(t)
  const response = await call(post({ baseline: run([9]), current: run([1]) }, `${COMPARISONS}?on_fail=error`))
  t.equal(response.statusCode, 201)
  t.equal(response.headers['gatehouse-outcome'], undefined)
  t.match(response.json(), { result: 'report', outcome: null, gates: [], min_matched: null })
  const markdown = (await call({ url: String(response.headers.location), headers: MARKDOWN })).body
  t.match(markdown, /^## Gatehouse: REPORT, without a gate: nothing is claimed\n/)
  t.match(markdown, /\| current \| sent along \| 1 \| 1 \| 1 \|/, "both runs' tables are there")
})

t.test('requests that compare nothing are refused', async (t) => {
  const { call } = await openClient(t)
  await call(put('main', run([1])))
  await call(put('gone', run([1])))
  await call({ method: 'DELETE', url: `${RUNS}/gone` })
  const both = { baseline: run([1]), current: run([1]) }
  const twice = run([], { questions: [...run([1]).questions, ...run([2]).questions] })
  const cases: Array<[body: object, where: string]> = [
    [{ ...both, gates: { min_matched: 1 } }, 'gates/min_matched'],
    [{ ...both, gates: { ...DROP, min_matched: 0 } }, 'gates/min_matched'],
    [{ ...both, gates: { max_context_drop: -0.1 } }, 'gates/max_context_drop'],
    [{ ...both, gates: { max_lift_drop: '1' } }, 'gates/max_lift_drop'],
    [{ ...both, gates: { max_drop: 1 } }, 'gates/max_drop'],
    [{ ...both, strict: 'yes' }, 'strict'],
    [{ ...both, on_inconclusive: 'warn' }, 'on_inconclusive'],
    [{ ...both, baseline: run([]) }, 'baseline/questions'],
    [{ ...both, current: run([]) }, 'current/questions'],
    [{ ...both, current: twice }, 'current/questions/1/question_id'],
    [{ ...both, current: run([1], { judge: { kind: 'panel', members: [] } }) }, 'current/judge/members'],
    [{ ...both, current: { name: 'main', questions: [] } }, 'current/questions'],
    [{ ...both, current: { name: 7 } }, 'current/name'],
    [{ ...both, current: {} }, 'current/questions'],
    [{ ...both, current: 'main' }, 'current'],
    [{ baseline: run([1]) }, 'current'],
    [{ ...both, gate: {} }, 'gate'],
  ]
  for (const [body, where] of cases) {
    const problem = problemOf(t, await call(post(body, COMPARISONS)), 422, 'invalid_input')
    t.same(whereOf(problem), [where], JSON.stringify(body).slice(0, 200))
  }
  for (const name of ['never', 'gone']) {
    const problem = problemOf(
      t,
      await call(post({ ...both, baseline: { name } }, COMPARISONS)),
      404,
      'not_found',
    )
    t.same(whereOf(problem), ['baseline/name'])
  }
  t.same((await call(COMPARISONS)).json<ComparisonPage>().items, [])
  problemOf(t, await call(`${COMPARISONS}/x`), 404, 'not_found')
})

onBoth('a retry is the same comparison, also when a run was deleted since', async (t, client: Client) => {
  const { call } = client
  await call(put('main', run([1])))
  const body = { baseline: { name: 'main' }, current: run([1]), gates: DROP }
  const send = (one: object) => call(withHeaders(post(one, COMPARISONS), { 'idempotency-key': 'k' }))
  const first = await send(body)
  await call({ method: 'DELETE', url: `${RUNS}/main` })
  const again = await send(body)
  t.equal(again.statusCode, 201)
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.equal(again.body, first.body)
  for (const other of [
    { ...body, gates: { max_context_drop: 0.2 } },
    { ...body, current: run([2]) },
    { ...body, current: run([1], { judge: null }) },
    { ...body, baseline: { name: 'other' } },
    { ...body, strict: true },
    { baseline: run([1]), current: { name: 'main' }, gates: DROP },
  ])
    problemOf(t, await send(other), 409, 'idempotency_conflict')
  t.equal((await call(COMPARISONS)).json<ComparisonPage>().items.length, 1)
  const long = await call(withHeaders(post(body, COMPARISONS), { 'idempotency-key': 'k'.repeat(256) }))
  problemOf(t, long, 422, 'invalid_input')
})
