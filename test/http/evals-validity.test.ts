import t from 'tap'
import type { JudgeValidityDocument } from '../../src/documents/evals-validity.js'
import { MARKDOWN } from './evals-support.js'
import { openClient, post, problemOf, whereOf, withHeaders } from './support.js'

const URL = '/v1/evals/judge-validity'

/** As many items, of which the first agree. */
function items(agreed: number, n: number) {
  return Array.from({ length: n }, (_none, index) => ({
    id: `i${index}`,
    label: index % 2 === 0 ? 'good' : 'bad',
    judged: index < agreed === (index % 2 === 0) ? 'good' : 'bad',
  }))
}

t.test('valid, invalid and inconclusive', async (t) => {
  const { call } = await openClient(t)
  const ask = async (agreed: number, n: number, fields: object = {}, path = URL) =>
    call(post({ items: items(agreed, n), min_agreement: 0.8, confidence: 0.95, ...fields }, path))
  const valid = await ask(98, 100)
  t.equal(valid.statusCode, 200)
  t.match(valid.json(), { result: 'valid', outcome: 'pass', n: 100, agreement: 0.98, kappa: 0.96 })
  t.match((await ask(50, 100)).json(), { result: 'invalid', outcome: 'fail' })
  for (const policy of ['pass', 'fail']) {
    const one = await ask(85, 100, { on_inconclusive: policy }, `${URL}?on_fail=error`)
    t.equal(one.statusCode, policy === 'pass' ? 200 : 422)
    t.match(one.headers, { 'gatehouse-outcome': policy, 'gatehouse-result': 'inconclusive' })
    t.match(one.body, /^\{"result":"inconclusive"/)
    const body = { items: items(85, 100), on_inconclusive: policy }
    const markdown = await call(withHeaders(post(body, URL), MARKDOWN))
    t.match(markdown.body, new RegExp(`^## Gatehouse: INCONCLUSIVE, which counts as ${policy}\n`))
  }
  // The interval of 10 of 10 at 95 %: Wilson gives 0.7225 to 1.
  const { interval, kappa } = (await ask(10, 10)).json<JudgeValidityDocument>()
  t.equal(interval[0]!.toFixed(4), '0.7225')
  t.equal(interval[1], 1)
  t.equal(kappa, 1)
  const same = { items: [{ id: 'a', label: 1, judged: 1 }] }
  t.strictSame((await call(post(same, URL))).json(), {
    result: 'inconclusive',
    outcome: 'pass',
    n: 1,
    agreement: 1,
    interval: [0.2065493143772375, 1],
    kappa: null,
    min_agreement: 0.8,
    confidence: 0.95,
    on_inconclusive: 'pass',
  })
  const typed = {
    items: [
      { id: 'a', label: 1, judged: '1' },
      { id: 'b', label: true, judged: 'true' },
    ],
  }
  t.match((await call(post(typed, URL))).json(), { agreement: 0 }, 'labels are compared with their types')
})

t.test('what is refused', async (t) => {
  const { call } = await openClient(t)
  const one = items(1, 1)[0]!
  const cases: Array<[body: object, where: string]> = [
    [{ items: [] }, 'items'],
    [{}, 'items'],
    [{ items: [one, one] }, 'items/1/id'],
    [{ items: [{ ...one, label: null }] }, 'items/0/label'],
    [{ items: [{ ...one, judged: ['good'] }] }, 'items/0/judged'],
    [{ items: [{ ...one, label: '\0' }] }, 'items/0/label'],
    [{ items: [{ id: 'a', label: 'x' }] }, 'items/0/judged'],
    [{ items: [one], min_agreement: 1.1 }, 'min_agreement'],
    [{ items: [one], min_agreement: '0.8' }, 'min_agreement'],
    [{ items: [one], confidence: 1 }, 'confidence'],
    [{ items: [one], confidence: 0 }, 'confidence'],
    [{ items: [one], on_inconclusive: 'warn' }, 'on_inconclusive'],
    [{ items: [one], minimum: 1 }, 'minimum'],
  ]
  for (const [body, where] of cases) {
    const problem = problemOf(t, await call(post(body, URL)), 422, 'invalid_input')
    t.same(whereOf(problem), [where], JSON.stringify(body))
  }
  problemOf(t, await call(URL), 405, 'method_not_allowed')
})
