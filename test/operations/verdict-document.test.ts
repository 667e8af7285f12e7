import t from 'tap'
import { toJson } from '../../src/documents/json.js'
import { planVerdict } from '../../src/gate/plan.js'
import { runToEnd, SLICE, type Sliced } from '../../src/gate/slices.js'
import { judge, type Verdict } from '../../src/gate/verdict.js'
import { checkPieces, verdictDocument, verdictTexts } from '../../src/operations/verdict-document.js'
import { declare, judgeInMemory, line, recordOf } from '../support/judging.js'
import { checkDocument, verdictDocument as documentWith } from '../support/verdict-document.js'
import { PROVENANCE } from '../store/fixtures.js'

const FACTS = {
  verdictId: 'v',
  runId: 'r',
  createdAt: '2026-01-01T00:00:00.000000Z',
  series: { testPath: 'a', backend: 'b', suite: 'c' },
  provenance: PROVENANCE,
  job: null,
  cadence: 'nightly',
} as const

function declared(steps: unknown) {
  const declarations = declare([
    { metric_key: 'm', steps, constraint: { rel_down: 0.5 } },
    { metric_key: 'n', steps: 'last', constraint: { rel_down: 0.5 } },
  ])
  if (!declarations.ok) throw new Error('the declarations are sound')
  return declarations.value
}

function recordWith(points: number) {
  const series = Array.from({ length: points }, (_none, step) => [step, step / 7])
  return recordOf(line('m', series), line('n', [[0, 1]]))
}

const verdictOver = (points: number): Verdict => judgeInMemory(declared('all'), recordWith(points), [])

/** How often work pauses. */
function pausesOf(work: Sliced<unknown>): number {
  let pauses = 0
  while (work.next().done !== true) pauses++
  return pauses
}

t.test('large verdicts are made in turns with others, small ones in one go', async (t) => {
  const stages = (points: number) => {
    const plan = planVerdict(declared('all'), recordWith(points))
    const baselines = plan.coordinates.map(() => ({ values: [], runs: [], nonFinite: 0 }))
    const verdict = verdictOver(points)
    return {
      judged: pausesOf(judge(plan, { baselines, trustedSteps: new Map() }, 10)),
      told: pausesOf(verdictDocument(FACTS, verdict)),
      written: pausesOf(checkPieces(runToEnd(verdictDocument(FACTS, verdict)).checks)),
    }
  }
  t.same(stages(SLICE / 2), { judged: 0, told: 0, written: 0 })
  const most = 5
  for (const [stage, pauses] of Object.entries(stages(most * SLICE)))
    t.ok(pauses >= most, `${stage}: ${pauses} pauses`)
})

t.test('a text made of pieces is the text of the whole', async (t) => {
  for (const points of [0, 1, SLICE - 1, SLICE, SLICE + 1, 2 * SLICE, 5_000]) {
    const document = runToEnd(verdictDocument(FACTS, verdictOver(points)))
    const pieces = runToEnd(checkPieces(document.checks))
    t.same(
      pieces.map(({ metricKey, checks }) => [metricKey, checks]),
      ['m', 'n'].map((key) => [
        key,
        JSON.stringify(document.checks.filter((check) => check.metric_key === key)),
      ]),
      `${points} points`,
    )
    t.equal(verdictTexts(document, pieces).join(''), toJson(document))
  }
  const hostile = documentWith([checkDocument({ metric_key: '"],\u2028[', reason: ']}' })])
  hostile.provenance.github_run_id = 2n ** 60n
  for (const document of [documentWith([]), hostile])
    t.equal(verdictTexts(document, runToEnd(checkPieces(document.checks))).join(''), toJson(document))
})
