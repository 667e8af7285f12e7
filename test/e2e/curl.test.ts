import { createServer, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import t from 'tap'
import type { VerdictDocument } from '../../src/documents/verdict.js'
import { curl } from '../support/curl.js'
import { line } from '../support/judging.js'
import { startServer, temporaryFolder } from '../support/server.js'

/** A thin client: the real curl against the real process. */
const folder = temporaryFolder(t)
const server = await startServer({ DATABASE_URL: `sqlite:${join(folder, 'gatehouse.db')}` })
t.teardown(() => server.stop())

const file = (name: string, content: string) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return `@${path}`
}
const SHA = 'c'.repeat(40)
const SERIES = [
  '-F',
  'test_path=tests/e2e/test_ppo.py',
  '-F',
  'backend=cuda',
  '-F',
  'suite=stage-c',
  '-F',
  `commit_sha=${SHA}`,
]
const TEST_FILE = file(
  'test_ppo.py',
  'register_ci_gate(metric_key="train/ppo_kl")\nregister_ci_gate(metric_key="reward", steps="last", hard_ref={"min": 0.5})\n',
)
const count = async () =>
  (JSON.parse((await curl(`${server.url}/v1/runs?limit=1000`)).body) as { items: unknown[] }).items.length

t.test('multipart with three record files and a test file', async (t) => {
  const records = [
    file('driver.jsonl', line('reward', [[0, 0.9]])),
    file('actor.jsonl', line('train/ppo_kl', [[1, 0.013]])),
    file('critic.jsonl', line('train/ppo_kl', [[0, 0.011]]) + line('perf/tokens_per_s', [[0, 12]])),
  ]
  const answer = await curl(
    '--fail-with-body',
    `${server.url}/v1/runs?on_fail=error`,
    ...['-F', `test_file=${TEST_FILE}`, ...records.flatMap((record) => ['-F', `record=${record}`])],
    ...[
      ...SERIES,
      '-F',
      'github_run_id=19876543210',
      '-F',
      'github_run_attempt=1',
      '-F',
      'pr_number=',
      '-F',
      'cadence=nightly',
    ],
  )
  t.match({ exitCode: answer.exitCode, status: answer.status }, { exitCode: 0, status: 201 })
  const verdict = JSON.parse(answer.body) as VerdictDocument
  t.match(verdict, {
    trusted: true,
    provenance: { github_run_id: 19876543210, pr_number: null },
    checks: [
      { step: 0, value: 0.011 },
      { step: 1, value: 0.013 },
      { metric_key: 'reward', step: -1, status: 'pass' },
    ],
    undeclared_metrics: ['perf/tokens_per_s'],
  })
  t.equal(answer.headers.get('gatehouse-outcome'), 'pass')
  t.equal(answer.headers.get('location'), `/v1/verdicts/${verdict.verdict_id}`)
  const summary = await curl('-H', 'Accept: text/markdown', `${server.url}${answer.headers.get('location')}`)
  t.match(summary.body, /PASS/)
})

t.test('--fail-with-body fails the job on a failing outcome, and still shows the verdict', async (t) => {
  const record = file('low.jsonl', line('reward', [[0, 0.1]]) + line('train/ppo_kl', [[0, 0.01]]))
  const args = ['-F', `test_file=${TEST_FILE}`, '-F', `record=${record}`, ...SERIES, '-F', 'cadence=regular']
  const failed = await curl('--fail-with-body', `${server.url}/v1/runs?on_fail=error`, ...args)
  t.match({ exitCode: failed.exitCode, status: failed.status }, { exitCode: 22, status: 422 })
  t.equal(failed.headers.get('gatehouse-outcome'), 'fail')
  t.match(JSON.parse(failed.body), { outcome: 'fail', checks: [{}, { fails_ci: true }] })
  const told = await curl('--fail-with-body', `${server.url}/v1/runs`, ...args)
  t.match({ exitCode: told.exitCode, status: told.status }, { exitCode: 0, status: 200 })
})

t.test('--retry after a killed connection counts the run once', async (t) => {
  const before = await count()
  const record = file('retry.jsonl', line('reward', [[0, 0.9]]) + line('train/ppo_kl', [[0, 0.01]]))
  const proxy = await lossyProxy(new URL(server.url), 2)
  t.teardown(() => proxy.close())
  const answer = await curl(
    ...[
      '--retry',
      '5',
      '--retry-all-errors',
      '--retry-delay',
      '0',
      '--fail-with-body',
      `http://127.0.0.1:${proxy.port}/v1/runs`,
    ],
    ...[
      '-F',
      `test_file=${TEST_FILE}`,
      '-F',
      `record=${record}`,
      ...SERIES,
      '-F',
      'github_run_id=777',
      '-F',
      'cadence=nightly',
    ],
  )
  t.match({ exitCode: answer.exitCode, status: answer.status }, { exitCode: 0, status: 201 })
  t.equal(
    answer.headers.get('idempotent-replayed'),
    'true',
    'the first two were judged, and their answers lost',
  )
  t.equal(proxy.lost(), 2)
  t.equal(await count(), before + 1)
})

t.test('what curl gets wrong by itself is told', async (t) => {
  const before = await count()
  const record = file('plain.jsonl', line('reward', [[0, 0.9]]))
  const form = await curl(`${server.url}/v1/runs`, '--data', record)
  t.equal(form.status, 415)
  t.match(form.body, /--data-binary/)
  t.match(form.body, /-F/)
  const large = file('large.jsonl', `${line('reward', [[0, 0.9]])}${' '.repeat(33 * 1024 * 1024)}\n`)
  t.equal(
    (await curl(`${server.url}/v1/runs`, '-F', `test_file=${TEST_FILE}`, '-F', `record=${large}`, ...SERIES))
      .status,
    413,
  )
  const chunked = await curl(
    ...['-H', 'Transfer-Encoding: chunked', `${server.url}/v1/runs`],
    ...['-F', `test_file=${TEST_FILE}`, '-F', `record=${large}`, ...SERIES],
  )
  t.equal(chunked.status, 413)
  t.equal(await count(), before)
})

/** Forwards to the server, and cuts the first connections once the server has begun to answer. */
async function lossyProxy(target: URL, losses: number) {
  let lost = 0
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream)
    upstream.on('data', (chunk: Buffer) => {
      // `100 Continue` is no answer yet.
      if (lost < losses && /^HTTP\/1\.1 2\d\d/.test(chunk.toString('latin1'))) {
        lost++
        client.destroy()
        upstream.destroy()
      } else client.write(chunk)
    })
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    port: (proxy.address() as { port: number }).port,
    lost: () => lost,
    close: () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
