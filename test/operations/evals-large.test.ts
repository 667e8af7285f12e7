import t from 'tap'
import { OPEN_MODE_PRINCIPAL } from '../../src/auth/principal.js'
import type { EvalRun } from '../../src/evals/eval-run.js'
import { compareEvals } from '../../src/operations/evals/compare-evals.js'
import { prepareRun, putEvalRun } from '../../src/operations/evals/eval-runs.js'
import { submitGrid } from '../../src/operations/evals/grids.js'
import {
  prepareComparison,
  type ComparisonSubmission,
  type StoredSides,
} from '../../src/operations/evals/prepare-comparison.js'
import { prepareGrid } from '../../src/operations/evals/prepare-grid.js'
import { inSlices } from '../../src/operations/in-slices.js'
import { best, MOST_AT_ONCE_MS, MOST_MS, type Measured } from '../support/longest-stretch.js'
import { forEachBackend } from '../support/stores.js'
import { gatehouseOn } from './gatehouse.js'

const CALLER = { principal: OPEN_MODE_PRINCIPAL, requestId: 'r' }
const QUESTIONS = 100_000

/** Scores of one decimal, which differ between two runs where `shift` does. */
function evalRun(shift: number): EvalRun {
  return {
    answerModel: { provider: 'acme', model: 'm' },
    judge: { kind: 'single', provider: 'acme', model: 'j' },
    questions: Array.from({ length: QUESTIONS }, (_none, index) => ({
      questionId: `question-${index}`,
      contextScore: ((index * 7 + shift * (index % 3)) % 101) / 10,
      baselineScore: ((index * 3) % 41) / 10,
      errored: false,
      votes: null,
    })),
  }
}

// Busy machines take longer than a file's usual 30 seconds.
t.setTimeout(240_000)

forEachBackend((name, open) => {
  t.test(
    `${name}: 100,000 questions in two seconds, while others have their turn`,
    { timeout: 120_000 },
    async (t) => {
      const gatehouse = gatehouseOn((await open(t)).store)
      const [baseline, current] = [evalRun(0), evalRun(1)]
      const gates = { maxContextDrop: 0.1, maxLiftDrop: 0.1, minMatched: null }
      const options = { gates, strict: false, onInconclusive: 'pass' as const }
      const preparing =
        (sides: Pick<ComparisonSubmission, 'baseline' | 'current'>, keyed: boolean) =>
        (stored: StoredSides | null) =>
          inSlices(prepareComparison({ ...options, ...sides }, keyed && stored === null, stored))
      const tell = (what: string, { ms, longestMs }: Measured) =>
        t.comment(`${what}: ${ms.toFixed()} ms, the longest stretch ${longestMs.toFixed()} ms`)

      const inline = await best(async (attempt) => {
        const sides = { baseline: { name: null, run: baseline }, current: { name: null, run: current } }
        const { detail } = await compareEvals(gatehouse, CALLER, preparing(sides, true), `k${attempt}`)
        t.match(JSON.parse(detail), { questions: { matched: QUESTIONS } })
      })
      tell('inline', inline)
      const stored = await best(async (attempt) => {
        await putEvalRun(gatehouse, CALLER, `base ${attempt}`, await inSlices(prepareRun(baseline)))
      })
      tell('stored', stored)
      await putEvalRun(gatehouse, CALLER, 'next', await inSlices(prepareRun(current)))
      const named = await best(() => {
        const sides = { baseline: { name: 'base 0' }, current: { name: 'next' } }
        return compareEvals(gatehouse, CALLER, preparing(sides, false), null)
      })
      tell('by name', named)
      const tasks = Array.from({ length: 10_000 }, (_none, index) => `task-${index}`)
      const grid = await best(async () => {
        const plan = { tasks, harnesses: ['docker'], repeats: 10, dryRun: false }
        const rows = Array.from({ length: QUESTIONS }, (_none, index) => ({
          task: tasks[Math.floor(index / 10)]!,
          harness: 'docker',
          repeat: 1 + (index % 10),
          reward: (index % 11) / 10,
          error: null,
          dryRun: false,
          metrics: null,
        }))
        const submission = { name: null, plan, rewardRange: null, passThreshold: 1, rows }
        return submitGrid(gatehouse, CALLER, await inSlices(prepareGrid(submission, false)), null)
      })
      tell('grid', grid)
      for (const [what, { ms, longestMs }] of Object.entries({ inline, stored, named, grid })) {
        t.ok(ms < MOST_MS, `${what}: ${ms.toFixed()} ms`)
        t.ok(longestMs < MOST_AT_ONCE_MS, `${what}: the loop stood still for ${longestMs.toFixed()} ms`)
      }
    },
  )
})
