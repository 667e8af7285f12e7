import fc from 'fast-check'
import t from 'tap'
import type { EvalRun, Judge, Model, Question } from '../../src/evals/eval-run.js'
import { compare, compared, faultsOf, question, runOf, type Overrides } from './support.js'

const MODEL: Model = { provider: 'acme', model: 'm-1' }
const SINGLE: Judge = { kind: 'single', provider: 'acme', model: 'j-1' }
const same = (n: number, score: unknown) => Array.from({ length: n }, () => score)

t.test('a drop equal to the limit passes, where doubles would say otherwise', async (t) => {
  for (const [before, after, limit] of [
    [6.9, 6.8, 0.1],
    [0.3, 0.2, 0.1],
    [0.7, 0.6, 0.1],
    [1.1, 1.0, 0.1],
    [4.35, 4.34, 0.01],
    [1e-7, 0, 1e-7],
    [1.57, 1, 0.57], // a hundred times 0.57 is less than 57 in doubles
  ] as const) {
    for (const n of [1, 3, 7, 100]) {
      const gates = { maxContextDrop: limit, maxLiftDrop: limit }
      const result = compared(runOf(same(n, before)), runOf(same(n, after)), { gates })
      t.match(result, { result: 'pass', outcome: 'pass' }, `${before} against ${after}, ${n} times`)
      t.same(
        result.gates.map(({ meanDrop }) => meanDrop),
        [limit, limit],
      )
    }
  }
  t.not(6.9 - 6.8, 0.1)
})

t.test('a drop above the limit, by however little, is a regression', async (t) => {
  const gates = { maxContextDrop: 0.1 }
  for (const after of [6.799999999999, 6.79, 0]) {
    const result = compared(runOf([6.9, 6.9]), runOf([6.8, after]), { gates })
    t.match(result, { result: 'regression', outcome: 'fail', gates: [{ status: 'regression' }] })
  }
  t.match(compared(runOf([0.5]), runOf([0.5]), { gates: { maxContextDrop: 0 } }), { result: 'pass' })
  t.match(compared(runOf([0.5]), runOf([0.6]), { gates: { maxContextDrop: 0 } }), { result: 'pass' })
  t.match(compared(runOf([0.5]), runOf([0.4999999999999999]), { gates: { maxContextDrop: 0 } }), {
    result: 'regression',
  })
})

t.test('each gate is judged on its own, and either one failing fails', async (t) => {
  const gates = { maxContextDrop: 0.5, maxLiftDrop: 0.5 }
  const statuses = (baseline: unknown[], current: unknown[]) => {
    const { result, outcome, gates: judged } = compared(runOf([baseline]), runOf([current]), { gates })
    return [result, outcome, ...judged.map(({ gate, status }) => `${gate} ${status}`)]
  }
  t.same(
    statuses([9, 4], [8, 3]),
    ['regression', 'fail', 'max_context_drop regression', 'max_lift_drop pass'],
    'the first fails',
  )
  t.same(
    statuses([9, 4], [9, 5]),
    ['regression', 'fail', 'max_context_drop pass', 'max_lift_drop regression'],
    'the second fails',
  )
  t.same(statuses([9, 4], [8, 4]), [
    'regression',
    'fail',
    'max_context_drop regression',
    'max_lift_drop regression',
  ])
  t.same(statuses([9, 4], [9, 4]), ['pass', 'pass', 'max_context_drop pass', 'max_lift_drop pass'])
})

t.test('a gate that was not asked for is not there', async (t) => {
  const only = (gates: Overrides['gates']) =>
    compared(runOf([[9, 4]]), runOf([[1, 4]]), { gates: gates! }).gates.map(({ gate }) => gate)
  t.same(only({ maxContextDrop: 1 }), ['max_context_drop'])
  t.same(only({ maxLiftDrop: 1 }), ['max_lift_drop'])
})

t.test('without gates nothing is claimed', async (t) => {
  const result = compared(
    runOf([
      [9, 4],
      [8, 4],
    ]),
    runOf([
      [1, 1],
      [2, 4],
    ]),
  )
  t.match(result, { result: 'report', outcome: null, identity: { answer: 'same', judge: 'same' } })
  t.same(result.gates, [])
  t.same(result.reasons, [])
  t.same(result.means, { baseline: { context: 8.5, lift: 4.5 }, current: { context: 1.5, lift: -1 } })
  t.match(compared(runOf([1]), runOf([1]), { strict: true }), { result: 'report', outcome: null })
  const nothing = compared(runOf(['N/A']), runOf([1]))
  t.same(nothing.means, { baseline: { context: null, lift: null }, current: { context: null, lift: null } })
})

t.test('strict asks for identities and nothing else', async (t) => {
  const other = (model: string) => runOf([1], { answerModel: { provider: 'acme', model } })
  const strict = { strict: true }
  t.match(compared(runOf([1]), other('m-2'), strict), {
    result: 'incomparable',
    outcome: 'fail',
    identity: { answer: 'different', judge: 'same' },
    gates: [],
  })
  t.match(compared(runOf([1]), other(''), strict), { result: 'incomparable', outcome: 'fail' })
  t.match(compared(other('Unknown'), other('Unknown'), strict), { result: 'incomparable', outcome: 'fail' })
  t.match(compared(runOf([1]), other('m-2')), { result: 'report', outcome: null })
  t.match(
    compared(runOf([1, 2]), runOf([1]), strict),
    { result: 'report' },
    'missing questions are no matter',
  )
})

t.test('under a gate both identities must be the same', async (t) => {
  const gates = { maxContextDrop: 100 }
  const runs: Array<[string, Partial<EvalRun>]> = [
    ['another model', { answerModel: { provider: 'acme', model: 'm-2' } }],
    ['a blank model', { answerModel: { provider: 'acme', model: '  ' } }],
    ['an unknown model', { answerModel: { provider: 'acme', model: 'Unknown' } }],
    ['no provider', { answerModel: { provider: null, model: 'm-1' } }],
    ['another judge', { judge: { kind: 'single', provider: 'other', model: 'j-1' } }],
    ['an unknown judge', { judge: { kind: 'single', provider: ' UNKNOWN ', model: 'j-1' } }],
  ]
  for (const [name, overrides] of runs) {
    for (const strict of [false, true]) {
      const result = compared(runOf([5]), runOf([5], overrides), { gates, strict })
      t.match(result, { result: 'incomparable', outcome: 'fail' }, name)
      t.same(
        result.gates.map(({ status }) => status),
        [null],
        'no gate reads as passed',
      )
      t.equal(result.reasons.length, 1)
    }
    const both = compared(runOf([5], overrides), runOf([5], overrides), { gates })
    t.equal(both.result, name.startsWith('another') ? 'pass' : 'incomparable', `${name} on both sides`)
  }
})

t.test('under a gate every question scored on one side is scored on the other', async (t) => {
  const gates = { maxContextDrop: 100 }
  const fewer = compared(runOf([5, 5, 5]), runOf([5, 5]), { gates })
  t.match(fewer, {
    result: 'incomparable',
    outcome: 'fail',
    questions: { baseline: 3, current: 2, matched: 2 },
  })
  t.same(fewer.questions.onlyBaseline, { items: ['q3'], total: 1 })
  t.match(fewer.reasons, [/^scored in baseline and not in current: "q3"$/])
  const more = compared(runOf([5, 5]), runOf([5, 5, 5]), { gates })
  t.match(more, { result: 'incomparable', questions: { onlyCurrent: { items: ['q3'], total: 1 } } })
  t.match(compared(runOf([5, 'N/A']), runOf([5, null]), { gates }), {
    result: 'pass',
    questions: { unscoredBaseline: { items: ['q2'] }, unscoredCurrent: { items: ['q2'] } },
  })
})

t.test('errors do not leave the denominator unnoticed', async (t) => {
  const errored = (run: EvalRun, ...ids: string[]): EvalRun => ({
    ...run,
    questions: run.questions.map((one) => ({ ...one, errored: ids.includes(one.questionId) })),
  })
  const baseline = runOf([1, 1, 0, 0, 0, 0, 0, 0])
  const result = compared(baseline, errored(baseline, 'q7', 'q8'), { gates: { maxContextDrop: 0.1 } })
  t.match(result, { result: 'incomparable', outcome: 'fail', questions: { matched: 6 } })
  t.same(result.questions.unscoredCurrent, { items: ['q7', 'q8'], total: 2 })
  t.same(result.questions.onlyBaseline, { items: ['q7', 'q8'], total: 2 })
})

t.test('another judge, and a question that one side lacks, which is in neither mean', async (t) => {
  const judged = (model: string): Partial<EvalRun> => ({ judge: { kind: 'single', provider: 'acme', model } })
  const result = compared(runOf([8, 8, 8, 8], judged('A')), runOf([8, 8, 8, 8, 0], judged('B')), {
    gates: { maxContextDrop: 1 },
  })
  t.match(result, { result: 'incomparable', identity: { judge: 'different', answer: 'same' } })
  t.equal(result.reasons.length, 2)
  t.match(result.means, { baseline: { context: 8 }, current: { context: 8 } })
})

t.test('min_matched', async (t) => {
  const gates = { maxContextDrop: 1, minMatched: 3 }
  t.match(compared(runOf([5, 5]), runOf([5, 5]), { gates }), {
    result: 'incomparable',
    reasons: ['2 questions match, and at least 3 must (min_matched)'],
  })
  t.match(compared(runOf([5, 5, 5]), runOf([5, 5, 5]), { gates }), { result: 'pass' })
  t.match(
    compared(runOf(['N/A']), runOf(['N/A']), { gates: { maxContextDrop: 1 } }),
    { result: 'incomparable', gates: [{ meanDrop: null, interval: null, status: null }] },
    'one at least, by default',
  )
})

t.test('requests that would check nothing, or cannot be told apart, are refused', async (t) => {
  const places = (overrides: Overrides, baseline = runOf([1]), current = runOf([1])) =>
    faultsOf(compare(baseline, current, overrides)).map(({ where }) => where)
  t.same(places({ gates: { minMatched: 2 } }), ['gates/min_matched'])
  t.same(places({ gates: { minMatched: 0, maxLiftDrop: 1 } }), ['gates/min_matched'])
  t.same(places({ gates: { minMatched: 1.5, maxLiftDrop: 1 } }), ['gates/min_matched'])
  for (const limit of [-1, NaN, Infinity]) {
    t.same(places({ gates: { maxContextDrop: limit } }), ['gates/max_context_drop'])
    t.same(places({ gates: { maxLiftDrop: limit } }), ['gates/max_lift_drop'])
  }
  t.same(places({}, runOf([])), ['baseline/questions'], 'an empty run')
  t.same(places({}, runOf([1]), runOf([])), ['current/questions'])
  const twice: EvalRun = { ...runOf([1]), questions: [question('q', 1), question('q', 'N/A')] }
  t.same(places({}, twice), ['baseline/questions/1/question_id'])
  t.same(places({}, runOf([1]), twice), ['current/questions/1/question_id'])
  for (const [first, second] of [
    ['N/A', 1],
    ['N/A', null],
  ]) {
    const unscored: EvalRun = { ...runOf([1]), questions: [question('q', first), question('q', second)] }
    t.same(places({}, unscored), ['baseline/questions/1/question_id'])
  }
  t.same(places({}, runOf([1], { judge: { kind: 'panel', members: [] } })), ['baseline/judge/members'])
})

t.test('a score that is no finite number leaves its question unscored', async (t) => {
  for (const score of ['N/A', '1', true, false, null, undefined, NaN, Infinity, [], {}]) {
    const result = compared(runOf([1, [score, 1], [1, score]]), runOf([1, 1, 1]))
    t.same(result.questions.unscoredBaseline, { items: ['q2', 'q3'], total: 2 }, JSON.stringify(score))
    t.equal(result.questions.matched, 1)
  }
  t.equal(compared(runOf([0, -1]), runOf([0, -1])).questions.matched, 2, 'zero is a score')
})

t.test('a panel scores a question with every vote of its members', async (t) => {
  const judge: Judge = { kind: 'panel', members: ['acme/j-1', 'other/j-2'] }
  const vote = (member: string, score: unknown = 5, error: unknown = null) => ({ member, score, error })
  const scored = (votes: Question['votes'], panel: Judge = judge) => {
    const run = { ...runOf([1], { judge: panel }), questions: [{ ...question('q', 1), votes }] }
    return compared(run, run).questions.matched === 1
  }
  t.ok(scored([vote('acme/j-1'), vote('other/j-2')]))
  t.ok(scored([vote('other/j-2'), vote(' Acme/J-1 ', 0)]), 'names are compared as identities are')
  t.ok(
    scored([vote('acme/j-1'), vote('other/j-2'), vote('third/j-3', null, 'boom')]),
    'a stranger says nothing',
  )
  t.notOk(scored([vote('acme/j-1'), vote('other/j-2', null, 'timeout')]), 'one failed vote')
  t.notOk(scored([vote('acme/j-1'), vote('other/j-2', 5, '')]), 'an empty error is one')
  t.notOk(scored([vote('acme/j-1')]), 'one vote lacks')
  t.notOk(scored([vote('acme/j-1'), vote('other/j-2', 'N/A')]))
  t.notOk(scored([vote('acme/j-1'), vote('acme/j-1')]), 'one member twice is not both')
  t.notOk(scored([vote('acme/j-1'), vote('other/j-2'), vote('other/j-2', null, 'boom')]))
  t.notOk(scored([]))
  t.notOk(scored(null))
  t.ok(scored(null, SINGLE), 'a single judge needs no votes')
  t.ok(scored([vote('x', null, 'boom')], SINGLE))
})

t.test('an undecided gate makes the result inconclusive, under either policy', async (t) => {
  const baseline = runOf([1, 1, 1, 1, 1, 1, 1, 1])
  const current = runOf([1, 1, 1, 1, 1, 1, 1, 0])
  const gates = { maxContextDrop: 0.2 }
  for (const onInconclusive of ['pass', 'fail'] as const) {
    const result = compared(baseline, current, { gates, onInconclusive })
    t.match(result, {
      result: 'inconclusive',
      outcome: onInconclusive,
      gates: [{ status: 'undecided', meanDrop: 0.125, interval: { method: 'bootstrap' }, smallSample: true }],
    })
    t.match(
      result.reasons[0],
      /^max_context_drop: the mean drop 0.125 is within the limit 0.2, and its interval/,
    )
  }
  const both = { maxContextDrop: 0.2, maxLiftDrop: 5 }
  t.match(compared(baseline, current, { gates: both }), {
    result: 'inconclusive',
    gates: [{ status: 'undecided' }, { status: 'pass' }],
  })
})

t.test('incomparable before regression before inconclusive before pass', async (t) => {
  const pairs = (...after: unknown[]) =>
    [
      runOf([
        [9, 0],
        [9, 0],
        [9, 0],
      ]),
      runOf(after),
    ] as const
  const gates = { maxContextDrop: 0.5, maxLiftDrop: 4 }
  // The context regresses; the lift is within its limit, and undecided.
  const [baseline, current] = pairs([8, 0], [8, 0], [3, 0])
  const result = compared(baseline, current, { gates, onInconclusive: 'pass' })
  t.same(
    result.gates.map(({ status }) => status),
    ['regression', 'undecided'],
  )
  t.match(result, { result: 'regression', outcome: 'fail' })
  t.match(result.reasons, [/^max_context_drop/, /^max_lift_drop/])
  const other = { ...current, answerModel: { ...MODEL, model: 'm-2' } }
  t.match(compared(baseline, other, { gates }), { result: 'incomparable', outcome: 'fail' })
})

t.test('25 of 25 against 24 of 25 has an interval that is not zero wide', async (t) => {
  const result = compared(runOf(same(25, 1)), runOf([...same(24, 1), 0]), { gates: { maxContextDrop: 0.05 } })
  t.match(result, { result: 'inconclusive', gates: [{ meanDrop: 0.04, smallSample: false }] })
  t.same(result.gates[0]!.interval, { low: 0, high: 0.12, method: 'bootstrap' })
})

t.test('a truncated retry cannot excuse a regression', async (t) => {
  const gates = { maxContextDrop: 0.1 }
  t.equal(compared(runOf([9, 9, 9]), runOf([9, 9, 1]), { gates }).result, 'regression')
  t.equal(compared(runOf([9, 9, 9]), runOf([9, 9]), { gates }).outcome, 'fail')
})

t.test('lists are bounded, ordered by code point, and know their totals', async (t) => {
  const many = Array.from({ length: 250 }, (_, index) => question(`q${250 - index}`, 1))
  const result = compared({ ...runOf([]), questions: many }, runOf(['N/A']))
  const { onlyBaseline } = result.questions
  t.equal(onlyBaseline.total, 250)
  t.equal(onlyBaseline.items.length, 100)
  t.same(onlyBaseline.items.slice(0, 3), ['q1', 'q10', 'q100'])
})

t.test('the order of questions changes nothing', async (t) => {
  const score = fc.oneof(
    fc.double({ min: 0, max: 10, noNaN: true }),
    fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
    fc.constantFrom('N/A', null, 1e300, 1e-300),
  )
  const questions = fc.uniqueArray(
    fc.record({
      questionId: fc.string({ maxLength: 3 }),
      contextScore: score,
      baselineScore: score,
      errored: fc.boolean(),
      votes: fc.constant(null),
    }),
    { minLength: 1, maxLength: 12, selector: ({ questionId }) => questionId },
  )
  const shuffledPair = questions.chain((some) =>
    fc.tuple(
      fc.constant(some),
      fc.shuffledSubarray(some, { minLength: some.length, maxLength: some.length }),
    ),
  )
  const gates = { maxContextDrop: 0.1, maxLiftDrop: 0.1 }
  fc.assert(
    fc.property(shuffledPair, shuffledPair, ([a, shuffledA], [b, shuffledB]) => {
      const run = (some: Question[]) => ({ ...runOf([]), questions: some })
      const one = compare(run(a), run(b), { gates })
      const two = compare(run(shuffledA), run(shuffledB), { gates })
      return JSON.stringify(one) === JSON.stringify(two)
    }),
    { numRuns: 30 },
  )
  t.pass('no order changed a comparison')
})

t.test('a comparison of a run with itself shows no drop; sides swapped show the opposite one', async (t) => {
  const scores = fc.array(
    fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  const gates = { maxContextDrop: 0 }
  fc.assert(
    fc.property(scores, (some) => {
      const itself = compared(runOf(some), runOf(some), { gates })
      const worse = runOf(some.map((one, index) => one - index))
      const there = compared(runOf(some), worse, { gates }).gates[0]!.meanDrop!
      const back = compared(worse, runOf(some), { gates }).gates[0]!.meanDrop!
      return itself.result === 'pass' && itself.gates[0]!.meanDrop === 0 && there === -back + 0
    }),
    { numRuns: 20 },
  )
  t.pass('drops have a sign')
})
