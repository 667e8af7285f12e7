import type { InjectOptions } from 'fastify'
import t from 'tap'
import type { ComparisonDocument } from '../../src/documents/evals-comparison.js'
import type { GridDocument } from '../../src/documents/evals-grid.js'
import { INLINE_BYTES } from '../../src/http/plugins/bodies.js'
import { renderGridJunit, renderGridMarkdown } from '../../src/http/render/evals-grid.js'
import { COMPARISONS, grid, GRIDS, JUNIT, MARKDOWN, onBoth, put, row, run, RUNS } from './evals-support.js'
import { jsonText, openClient, post, problemOf, withHeaders } from './support.js'

const VALIDITY = '/v1/evals/judge-validity'
/** White space says nothing, and makes any body a large one. */
const BLANKS = ' '.repeat(INLINE_BYTES)

/** The same body, too large to be read on the event loop. */
function large(text: string, url: string): InjectOptions {
  return jsonText(
    text.replace(/^[{[]/, (open) => `${open}${BLANKS}`),
    url,
  )
}

/** A document but for what is another each time. */
function lasting(document: object): object {
  return Object.fromEntries(
    Object.entries(document).filter(([key]) => !['grid_id', 'comparison_id', 'created_at'].includes(key)),
  )
}

onBoth('a large body comes to the same as a small one', async (t, { call }) => {
  const rows = [row('a'), row('b', { error: 'died' }), row('b'), row('z', { reward: 'N/A' })]
  const gates = { max_context_drop: 0.1, max_lift_drop: 5 }
  const label = (id: string, judged: string) => ({ id, label: 'good', judged })
  const cases: Array<[url: string, body: object, status: number]> = [
    [GRIDS, grid(['a', 'b', 'c'], rows, { reward_range: { min: 0, max: 1 } }), 201],
    [GRIDS, grid(['a'], [row('a')]), 201],
    [COMPARISONS, { baseline: run([6.9, 3, null]), current: run([6.8, 2.9, 1]), gates }, 201],
    [COMPARISONS, { baseline: run([1, 2]), current: run([1, 2]), strict: true }, 201],
    [VALIDITY, { items: [label('1', 'good'), label('2', 'bad')] }, 200],
  ]
  for (const [url, body, status] of cases) {
    const text = JSON.stringify(body)
    for (const accept of [{}, MARKDOWN, JUNIT]) {
      const [small, other] = [
        await call(withHeaders(jsonText(text, url), accept)),
        await call(withHeaders(large(text, url), accept)),
      ]
      t.same([small.statusCode, other.statusCode], [status, status], other.body.slice(0, 300))
      t.equal(other.headers['content-type'], small.headers['content-type'])
      if (/json/.test(String(small.headers['content-type'])))
        t.strictSame(lasting(other.json()), lasting(small.json()))
      else t.equal(other.body.length, small.body.length)
    }
  }
})

t.test('and to the same faults', async (t) => {
  const { call } = await openClient(t)
  const good = grid(['a'], [row('a')])
  const cases: Array<[text: string, url: string]> = [
    [JSON.stringify(grid(['a', 'a'], [row(' '), row('a', { repeat: 1.5 })])), GRIDS],
    [JSON.stringify(grid([], [])), GRIDS],
    [JSON.stringify({ ...good, nam: 'x' }), GRIDS],
    [`${JSON.stringify(good).slice(0, -1)},"name":"again"}`, GRIDS],
    [JSON.stringify(good).slice(0, -1), GRIDS],
    ['[]', GRIDS],
    ['{"name":NaN}', GRIDS],
    [`{"a":${'['.repeat(70)}${']'.repeat(70)}}`, GRIDS],
    [JSON.stringify({ baseline: run([1]), current: run([]) }), COMPARISONS],
    [JSON.stringify({ baseline: run([1]), current: run([1]), gates: { min_matched: 1 } }), COMPARISONS],
    [JSON.stringify({ baseline: { name: 'no such' }, current: run([1]) }), COMPARISONS],
    [JSON.stringify({ items: [] }), VALIDITY],
  ]
  for (const [text, url] of cases) {
    const [small, other] = [await call(jsonText(text, url)), await call(large(text, url))]
    t.equal(other.statusCode, small.statusCode, text.slice(0, 80))
    const { instance: _one, detail: _detail, ...problem } = small.json<Record<string, unknown>>()
    // A position in the text is another one where there are blanks before it.
    if (small.statusCode === 400) t.match(other.json(), { type: problem['type'] })
    else t.match(other.json(), problem)
  }
  const many = `{${Array.from({ length: 9_000 }, (_none, index) => `"${index}${'x'.repeat(30)}":1`).join(',')}}`
  problemOf(t, await call(jsonText(many, GRIDS)), 413, 'too_large')
})

onBoth('a key holds for a body of either size', async (t, { call }) => {
  const key = { 'idempotency-key': 'k' }
  for (const [url, body] of [
    [GRIDS, grid(['a'], [row('a')])],
    [COMPARISONS, { baseline: run([1]), current: run([1]) }],
  ] as const) {
    const text = JSON.stringify(body)
    const first = await call(withHeaders(jsonText(text, url), key))
    const again = await call(withHeaders(large(text, url), key))
    t.match(again, { statusCode: 201, headers: { 'idempotent-replayed': 'true' } })
    t.equal(again.body, first.body)
    const other = large(text.replace('"a"', '"b"').replace('"q1"', '"q2"'), url)
    problemOf(t, await call(withHeaders(other, key)), 409, 'idempotency_conflict')
  }
  const stored = put('a', run([1]))
  t.equal((await call(stored)).statusCode, 201)
  const again = large(JSON.stringify(run([1])), `${RUNS}/a`)
  t.equal((await call({ ...again, method: 'PUT' })).statusCode, 200)
})

onBoth('large runs are compared by name as they are when they are sent', async (t, { call }) => {
  const scores = (shift: number) =>
    Array.from({ length: 3_000 }, (_none, index) => ((index * 7) % 10) + shift)
  const [baseline, current] = [run(scores(0.1)), run(scores(0))]
  const gates = { max_context_drop: 0.1 }
  const sent = (await call(post({ baseline, current, gates }, COMPARISONS))).json<ComparisonDocument>()
  t.equal(sent.result, 'pass', 'equal to the limit')
  t.equal((await call(put('base', baseline))).statusCode, 201)
  for (const side of [current, run(scores(0).slice(0, 5))]) {
    const response = await call(post({ baseline: { name: 'base' }, current: side, gates }, COMPARISONS))
    const document = response.json<ComparisonDocument>()
    t.equal(document.baseline.name, 'base')
    if (side === current) t.strictSame(document.gates, sent.gates)
    else t.match(document, { result: 'incomparable', questions: { matched: 5, only_baseline_total: 2_995 } })
  }
})

onBoth('a large verdict has the forms that a small one has', async (t, { call }) => {
  const tasks = Array.from({ length: 4_000 }, (_none, index) => `task ${index}`)
  const response = await call(post(grid(tasks, [row('task 7'), row('task 9', { error: 'x' })]), GRIDS))
  const document = response.json<GridDocument>()
  t.ok(response.body.length > INLINE_BYTES)
  const url = response.headers.location!
  t.strictSame((await call(url)).json(), document)
  t.equal((await call({ url, headers: MARKDOWN })).body, renderGridMarkdown(document))
  t.equal((await call({ url, headers: JUNIT })).body, renderGridJunit(document))
})
