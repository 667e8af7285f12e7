import t from 'tap'
import { grid, judged, JUNIT, MARKDOWN, put, run, compared } from '../evals-support.js'
import { MAX_MARKDOWN_BYTES } from '../../../src/http/render/markdown-parts.js'
import { openClient } from '../support.js'

t.test('a grid of any size is a summary that GitHub takes', async (t) => {
  const client = await openClient(t)
  const tasks = Array.from({ length: 3_000 }, (_none, index) => `${'<@|`'.repeat(30)}${index}`)
  const document = await judged(t, client, grid(tasks, []))
  const url = `/v1/evals/grids/${document.grid_id}`
  const markdown = (await client.call({ url, headers: MARKDOWN })).body
  t.ok(Buffer.byteLength(markdown) <= MAX_MARKDOWN_BYTES, `${Buffer.byteLength(markdown)} bytes`)
  t.match(markdown, /^## Gatehouse: FAIL\n\nThe grid is not complete, and no result: 3000 missing\.\n/)
  t.match(markdown, /2900 more rows were left out/, 'what the lists do not hold is counted too')
  t.match(markdown, /\n### By harness \(1\)\n/)
  const junit = (await client.call({ url, headers: JUNIT })).body
  t.match(junit, /tests="5" failures="1" errors="0"/)
  t.match(junit, /and 2900 more/)
})

t.test('a comparison of hostile names is a summary that GitHub takes', async (t) => {
  const client = await openClient(t)
  const name = `</testsuite>@all|${'<'.repeat(400)}`
  const questions = Array.from({ length: 300 }, (_none, index) => ({
    question_id: `${'|`<@\u202e'.repeat(90)}${index}`,
    context_score: 1,
    baseline_score: 0,
  }))
  t.equal((await client.call(put(name, run([], { questions })))).statusCode, 201)
  const body = { baseline: { name }, current: run([1]), gates: { max_context_drop: 0 } }
  const { comparison_id: id, questions: listed } = await compared(t, client, body)
  t.match(listed, { only_baseline_total: 300 })
  t.equal(listed.only_baseline.length, 100)
  const url = `/v1/evals/comparisons/${id}`
  const markdown = (await client.call({ url, headers: MARKDOWN })).body
  t.ok(Buffer.byteLength(markdown) <= MAX_MARKDOWN_BYTES)
  t.match(markdown, /^## Gatehouse: FAIL, INCOMPARABLE\n/)
  t.match(markdown, /\n- and 280 more\n/)
  t.notMatch(markdown, /@all|\u202e|<\/testsuite>/)
  const junit = (await client.call({ url, headers: JUNIT })).body
  t.match(junit, /<testcase [^>]*name="comparable"[^>]*><failure type="incomparable"/)
  t.match(junit, /name="max_context_drop"[^>]*><skipped message="not judged/)
  t.equal(junit.match(/<\/testsuite>/g)?.length, 1)
})
