import t from 'tap'
import { planVerdict } from '../../src/gate/plan.js'
import { runToEnd } from '../../src/gate/slices.js'
import { judge } from '../../src/gate/verdict.js'
import { declare, line, recordOf } from '../support/judging.js'

t.test("another writer's non-finite values are counted for each metric", async (t) => {
  const declarations = declare([{ metric_key: 'm', steps: 'all', constraint: { rel_down: 0.5 } }])
  if (!declarations.ok) throw new Error('the declarations are sound')
  const plan = planVerdict(
    declarations.value,
    recordOf(
      line('m', [
        [0, 1],
        [1, 1],
      ]),
    ),
  )
  const history = { values: [1], runs: [{ runId: 'run', createdAt: '2026-01-01T00:00:00.000000Z' }] }
  const warnings = (nonFinite: number) =>
    runToEnd(
      judge(
        plan,
        {
          baselines: [
            { ...history, nonFinite },
            { ...history, nonFinite: 0 },
          ],
          trustedSteps: new Map(),
        },
        10,
      ),
    ).warnings
  t.same(warnings(0), [])
  t.match(warnings(1), [{ metricKey: 'm', message: /^1 stored non-finite value of "m"/, missingSteps: null }])
  t.match(warnings(2), [{ metricKey: 'm', message: /^2 stored non-finite values of "m"/ }])
})
