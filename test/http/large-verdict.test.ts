/** A verdict of many checks is sent in pieces, and is the same as a small one in every other way. */
import t from 'tap'
import { submissionBody } from '../../bench/workload.js'
import { forEachBackend } from '../support/stores.js'
import { openClient } from './support.js'

t.setTimeout(120_000)

const CHECKS = 6_000

forEachBackend((name, open) => {
  t.test(`${name}: ${CHECKS} checks`, async (t) => {
    const { store } = await open(t)
    const { call } = await openClient(t, { store, deps: { pressure: { eventLoopDelayMs: 60_000 } } })
    const submitted = await call({
      method: 'POST',
      url: '/v1/runs',
      headers: { 'content-type': 'application/json' },
      payload: submissionBody('large', CHECKS, { cadence: 'nightly' }),
    })
    t.equal(submitted.statusCode, 201)
    t.equal(Number(submitted.headers['content-length']), Buffer.byteLength(submitted.body))
    t.ok(submitted.body.length > 1_000_000)
    const verdict = submitted.json<{ verdict_id: string; counts: { checks: number }; checks: unknown[] }>()
    t.equal(verdict.checks.length, CHECKS)

    const url = `/v1/verdicts/${verdict.verdict_id}`
    const read = await call({ method: 'GET', url })
    t.strictSame(read.json(), verdict)
    t.equal(Number(read.headers['content-length']), Buffer.byteLength(read.body))
    const head = await call({ method: 'HEAD', url })
    t.equal(head.statusCode, 200)
    t.equal(head.body, '')
    const markdown = await call({ method: 'GET', url, headers: { accept: 'text/markdown' } })
    t.match(markdown.headers['content-type'], /^text\/markdown/)
    const junit = await call({ method: 'GET', url, headers: { accept: 'application/junit+xml' } })
    t.equal(junit.body.match(/<testcase /g)?.length, CHECKS)
    t.equal(Number(junit.headers['content-length']), Buffer.byteLength(junit.body))
  })
})
