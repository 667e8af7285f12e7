import t from 'tap'
import { best, MOST_AT_ONCE_MS, MOST_MS } from '../support/longest-stretch.js'
import { COMPARISONS, run } from './evals-support.js'
import { jsonText, openClient } from './support.js'

// Busy machines take longer than a file's usual 30 seconds.
t.setTimeout(240_000)

t.test('100,000 questions are compared while others have their turn', { timeout: 120_000 }, async (t) => {
  const { call } = await openClient(t)
  const scores = (shift: number) =>
    Array.from({ length: 100_000 }, (_none, index) => ((index * 7 + shift) % 101) / 10)
  const text = JSON.stringify({
    baseline: run(scores(0)),
    current: run(scores(1)),
    gates: { max_context_drop: 0.1, max_lift_drop: 0.1 },
  })
  const payload = Buffer.from(text)
  const { ms, longestMs } = await best(async () => {
    const response = await call({ ...jsonText('', COMPARISONS), payload })
    t.match(response.json(), { questions: { matched: 100_000 } })
  })
  t.comment(`${ms.toFixed()} ms, the longest stretch ${longestMs.toFixed()} ms`)
  t.ok(ms < MOST_MS, `${ms.toFixed()} ms`)
  t.ok(longestMs < MOST_AT_ONCE_MS, `the loop stood still for ${longestMs.toFixed()} ms`)
})
