/** The examples of the guide do what it says. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { openClient, post } from './support.js'

const GUIDE = readFileSync('docs/evals.md', 'utf8')

t.test('the examples of docs/evals.md', async (t) => {
  const { call } = await openClient(t)
  const stored = JSON.parse(/```json\n(.*?)```/s.exec(GUIDE)![1]!) as object
  const put = await call({ method: 'PUT', url: '/v1/evals/runs/main-2026-11-30', payload: stored })
  t.equal(put.statusCode, 201)
  const posted = [...GUIDE.matchAll(/"\$BASE(\S+)" --data-binary @- <<'JSON'\n(.*?)\nJSON\n/gs)]
  const answers = new Map<string, unknown>()
  for (const [, url, text] of posted) {
    const response = await call(post(JSON.parse(text!) as object, url))
    answers.set(url!, [response.statusCode, response.json()])
  }
  t.match(
    [...answers],
    [
      [
        '/v1/evals/grids?on_fail=error',
        [422, { complete: false, counts: { errored: 1, missing: 1, scored: 2 } }],
      ],
      [
        '/v1/evals/comparisons?on_fail=error',
        [201, { result: 'pass', gates: [{ mean_drop: 0.1, limit: 0.1 }] }],
      ],
      ['/v1/evals/judge-validity', [200, { result: 'inconclusive', interval: [/^0.09/, /^0.90/] }]],
    ],
  )
})
