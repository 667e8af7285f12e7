import t from 'tap'
import { gridBody, runBody, type GridBody, type RunParts } from '../../../src/evals/import/bodies.js'
import { checkNames, type EvalLog } from '../../../src/evals/import/eval-log.js'
import { readInspect } from '../../../src/evals/import/inspect.js'
import { readPromptfoo } from '../../../src/evals/import/promptfoo.js'
import { judgeGrid } from '../../../src/evals/grid.js'
import { runToEnd } from '../../../src/gate/slices.js'
import { faultsOf, valueOf } from '../support.js'
import { ANY, fixture } from './support.js'

const INSPECT = valueOf(readInspect([fixture('inspect.json')], ANY))
const PROMPTFOO = valueOf(readPromptfoo([fixture('promptfoo.json')], ANY))

function parts(overrides: Partial<RunParts> = {}): RunParts {
  return { context: { log: INSPECT, harness: null }, baseline: 0, judge: null, ...overrides }
}

const of = (log: EvalLog, harness: string | null = null) => ({ log, harness })
const refusals = (overrides: Partial<RunParts>) =>
  faultsOf(runBody(parts(overrides))).map(({ where, message }) => `${where} ${message}`)

function judged({ plan, results }: GridBody) {
  return valueOf(
    runToEnd(
      judgeGrid({
        plan: { ...plan, dryRun: plan.dry_run },
        rewardRange: null,
        passThreshold: 1,
        rows: results.map((row) => ({ ...row, dryRun: false })),
      }),
    ),
  )
}

t.test('what a crash leaves in a message does not keep the grid from being kept', async (t) => {
  const [row] = INSPECT.rows
  const errors = ['died \0 of \ud800', '', null].map((error) => ({ ...row!, error }))
  const { results } = gridBody('arith', { ...INSPECT, rows: errors })
  t.same(
    results.map(({ error }) => error),
    ['died \ufffd of \ufffd', '', null],
  )
})

t.test('what cannot name a task or a harness is told before it is sent', async (t) => {
  t.same(checkNames(INSPECT), [])
  const long = 'x'.repeat(513)
  const unfit = {
    ...INSPECT,
    questions: ['a', ' b', long],
    harnesses: [{ ...INSPECT.harnesses[0]!, name: 'm\0' }],
  }
  t.match(checkNames(unfit), [
    { where: 'the question " b"', message: /white space/ },
    { where: /^the question "xxx/, message: /512/ },
    { where: 'the harness "m\\u0000"', message: /NUL/ },
  ])
})

t.test('a log as a grid: what was planned and not run is missing', async (t) => {
  const body = gridBody('arith', INSPECT)
  t.match(body, {
    name: 'arith',
    plan: { tasks: ['add', '2', 'sub', 'div'], harnesses: ['acme/m-1'], repeats: 2 },
  })
  t.same(body.results[2], { task: 'sub', harness: 'acme/m-1', repeat: 1, reward: 0.5, error: null })
  const report = judged(body)
  t.match(report, {
    complete: false,
    counts: { plannedCells: 8, scored: 5, errored: 1, unscored: 1, missing: 1, duplicate: 0, unplanned: 0 },
  })
  t.same(report.cells.missing.items, [{ task: 'div', harness: 'acme/m-1', repeat: 2 }])
  t.match(judged(gridBody('prompts', PROMPTFOO)).counts, {
    plannedCells: 6,
    scored: 4,
    errored: 2,
    missing: 0,
  })
})

t.test('one log as a run, with a score for those without the context', async (t) => {
  const body = valueOf(runBody(parts()))
  t.same(body.answer_model, { provider: 'acme', model: 'm-1' })
  t.same(body.judge, { kind: 'single', provider: 'inspect', model: 'match' })
  t.same(
    body.questions.map((one) => [one.question_id, one.context_score, one.baseline_score, one.errored]),
    [
      ['add', 1, 0, false],
      ['2', 0, 0, false],
      ['sub', null, 0, false],
      ['div', null, 0, true],
    ],
    'the mean of all repeats, or none',
  )
})

t.test('two sides of one file as a run', async (t) => {
  const body = valueOf(
    runBody(parts({ context: of(PROMPTFOO, 'acme:m-1 with'), baseline: of(PROMPTFOO, 'acme:m-1 without') })),
  )
  t.same(body.questions, [
    { question_id: 'greets', context_score: 1, baseline_score: 0.25, errored: false, votes: null },
    { question_id: 'refuses', context_score: 0.75, baseline_score: 0, errored: true, votes: null },
  ])
})

t.test('a question that one log lacks has no score there', async (t) => {
  const more = { ...INSPECT, questions: [...INSPECT.questions, 'new'] }
  const body = valueOf(runBody(parts({ context: of(INSPECT), baseline: of(more) })))
  t.same(body.questions.at(-1), {
    question_id: 'new',
    context_score: null,
    baseline_score: null,
    errored: false,
    votes: null,
  })
})

t.test('repeats: decimal mean; a second row of one repeat is no score', async (t) => {
  const row = (repeat: number, score: number | null) => ({
    question: 'q',
    harness: 'acme/m-1',
    repeat,
    score,
    error: null,
  })
  const scoreWith = (rows: EvalLog['rows'], repeats: number) =>
    valueOf(runBody(parts({ context: of({ ...INSPECT, questions: ['q'], repeats, rows }) }))).questions[0]!
      .context_score
  t.equal(scoreWith([row(1, 0.1), row(2, 0.1), row(3, 0.1)], 3), 0.1)
  t.equal(scoreWith([row(1, 0.1), row(2, 0.1)], 3), null)
  t.equal(scoreWith([row(1, 0.1), row(2, null)], 2), null)
  t.equal(scoreWith([row(1, 0.1), row(1, 0.3)], 2), null)
  t.equal(scoreWith([row(1, 0.1), row(2, 0.1), row(2, 0.1)], 2), null)
})

t.test('names that are not recorded on both sides are not recorded', async (t) => {
  const nameless = { provider: null, model: null }
  const other = { ...INSPECT, judge: nameless, harnesses: [{ name: 'acme/m-1', model: nameless }] }
  const body = valueOf(runBody(parts({ baseline: of(other) })))
  t.match(body, { answer_model: nameless, judge: nameless })
  const judge = { provider: 'acme', model: 'j-1' }
  t.match(valueOf(runBody(parts({ baseline: of(other), judge }))), { judge: { kind: 'single', ...judge } })
  t.match(valueOf(runBody(parts({ judge }))), { judge: { kind: 'single', ...judge } })
})

t.test('refusals say what is missing, or what does not belong together', async (t) => {
  t.match(refusals({ baseline: null }), [/^baseline is missing: give the log of the run without the context/])
  t.match(refusals({ baseline: NaN }), [/^baseline must be a finite score/])
  t.match(refusals({ context: of(PROMPTFOO) }), [
    /^harness holds more than one harness, name one of "acme:m-1 with"/,
  ])
  t.match(refusals({ context: of(PROMPTFOO, 'x') }), [/^harness is none of "acme:m-1 with"/])
  t.match(refusals({ baseline: of(PROMPTFOO) }), [/^baseline harness holds more than one/])
  t.match(refusals({ context: of(PROMPTFOO, 'acme:m-1 with'), baseline: of(PROMPTFOO, 'acme:m-2') }), [
    /^baseline was answered by another model/,
  ])
  t.match(refusals({ baseline: of({ ...INSPECT, judge: { provider: 'inspect', model: 'f1' } }) }), [
    /^baseline was judged by another judge/,
  ])
})
