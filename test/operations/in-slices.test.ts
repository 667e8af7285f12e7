import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { compareRuns } from '../../src/evals/compare-runs.js'
import type { EvalRun } from '../../src/evals/eval-run.js'
import { judgeGrid } from '../../src/evals/grid.js'
import type { Outcome } from '../../src/gate/outcome.js'
import { inSlices } from '../../src/operations/in-slices.js'
import type { Sliced } from '../../src/gate/slices.js'
import { question, runOf, valueOf } from '../evals/support.js'

const QUESTIONS = 100_000

t.test('work runs to its end, and others have their turn', async (t) => {
  let turns = 0
  let running = true
  const other = (async () => {
    for (; running; turns++) await setImmediate()
  })()
  function* work(): Sliced<string> {
    for (let slice = 0; slice < 10; slice++) yield
    return 'done'
  }
  t.equal(await inSlices(work()), 'done')
  running = false
  await other
  t.ok(turns >= 10, `${turns} turns`)
})

t.test('what the work throws is thrown', async (t) => {
  function* work(): Sliced<string> {
    throw new RangeError('no')
  }
  await t.rejects(inSlices(work()), RangeError)
})

/** Runs work alone in this process and tells the CPU time of the whole and of its longest slice, in ms. */
async function timed<T>(t: Test, work: Sliced<Outcome<T>>): Promise<T> {
  let longest = 0
  let total = 0
  function* measured(): Sliced<Outcome<T>> {
    for (;;) {
      const start = process.cpuUsage()
      const step = work.next()
      const { user, system } = process.cpuUsage(start)
      const spent = (user + system) / 1_000
      total += spent
      longest = Math.max(longest, spent)
      if (step.done === true) return step.value
      yield
    }
  }
  const result = valueOf(await inSlices(measured()))
  t.comment(`${total.toFixed(0)} ms in all, the longest slice ${longest.toFixed(1)} ms`)
  t.ok(total < 2_000, `${total} ms in all`)
  t.ok(longest < 50, `the longest slice ${longest} ms`)
  return result
}

function manyScores(scoreOf: (index: number) => number): EvalRun {
  const questions = Array.from({ length: QUESTIONS }, (_, index) =>
    question(`question-${index}`, scoreOf(index), (index % 50) / 10),
  )
  return { ...runOf([]), questions }
}

t.test('a hundred thousand questions', async (t) => {
  const gates = { maxContextDrop: 0.01, maxLiftDrop: 0.01, minMatched: QUESTIONS }
  for (const [name, scoreOf] of [
    ['of one decimal', (index: number) => (index % 100) / 10],
    ['of many decimals', (index: number) => ((index * 7919) % 100_003) / 100_003],
  ] as const) {
    const baseline = manyScores(scoreOf)
    const current = manyScores((index) => scoreOf((index + 1) % QUESTIONS))
    const request = { baseline, current, gates, strict: true, onInconclusive: 'pass' as const }
    const result = await timed(t, compareRuns(request))
    t.match(result, { result: /pass|inconclusive/, questions: { matched: QUESTIONS } }, name)
    t.equal(result.gates[0]?.interval?.method, 'normal')
  }
})

t.test('two runs of a hundred thousand questions that share none', async (t) => {
  const baseline = manyScores(() => 1)
  const current = {
    ...baseline,
    questions: baseline.questions.map((one) => ({ ...one, questionId: `x${one.questionId}` })).reverse(),
  }
  const gates = { maxContextDrop: 0, maxLiftDrop: null, minMatched: null }
  const result = await timed(
    t,
    compareRuns({ baseline, current, gates, strict: false, onInconclusive: 'pass' }),
  )
  t.match(result, { result: 'incomparable', questions: { onlyCurrent: { total: QUESTIONS } } })
})

t.test('a grid of a hundred thousand cells', async (t) => {
  const tasks = Array.from({ length: 10_000 }, (_, index) => `task-${index}`)
  const plan = { tasks, harnesses: ['a', 'b'], repeats: 5, dryRun: false }
  const rows = tasks.flatMap((task) =>
    plan.harnesses.flatMap((harness) =>
      [1, 2, 3, 4, 5].map((repeat) => ({
        task,
        harness,
        repeat,
        reward: repeat / 7,
        error: null,
        dryRun: false,
      })),
    ),
  )
  const report = await timed(t, judgeGrid({ plan, rewardRange: null, passThreshold: 0.5, rows }))
  t.match(report, { complete: true, scoredN: QUESTIONS })
})
