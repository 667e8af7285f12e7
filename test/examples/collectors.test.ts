import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Collector } from '../../examples/collector.js'
import type { VerdictDocument } from '../../src/documents/verdict.js'
import { curl } from '../support/curl.js'
import { needs } from '../support/requires.js'
import { startServer, temporaryFolder } from '../support/server.js'
import { SHA } from './support.js'

const folder = temporaryFolder(t)
const server = await startServer({ DATABASE_URL: `sqlite:${join(folder, 'g.db')}` })
t.teardown(() => server.stop())

const DECLARATIONS = JSON.stringify([
  { metric_key: 'train/loss', steps: 'all', hard_ref: { max: 3 } },
  { metric_key: 'träin/"x"', steps: 'last', hard_ref: { min: 0 } },
  { metric_key: 'bad', steps: 'last', hard_ref: { min: 0 } },
])
const EXPECTED = [
  {
    metric: 'train/loss',
    series: [
      [0, 2.5],
      [1, 2.25],
    ],
  },
  { metric: 'träin/"x"', series: [[null, 1e-7]] },
  {
    metric: 'bad',
    series: [
      [0, 'NaN'],
      [1, 'Infinity'],
      [2, '-Infinity'],
    ],
  },
]

async function check(t: Test, path: string): Promise<void> {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  t.same(
    lines.map((line) => JSON.parse(line) as unknown),
    EXPECTED,
  )
  t.notOk(
    readdirSync(folder).some((file) => file.endsWith('.partial')),
    'the snapshot is in its place',
  )
  const form = { declarations: DECLARATIONS, test_path: path, backend: 'cpu', suite: 's', commit_sha: SHA }
  const answer = await curl(
    `${server.url}/v1/runs`,
    ...[
      '-F',
      `record=@${path}`,
      ...Object.entries(form).flatMap(([name, value]) => ['--form-string', `${name}=${value}`]),
    ],
  )
  t.equal(answer.status, 200)
  const { checks } = JSON.parse(answer.body) as VerdictDocument
  t.same(
    checks.map(({ status }) => status),
    ['pass', 'pass', 'pass', 'error'],
  )
  t.match(checks.at(-1)?.reason, /-Infinity/)
}

t.test('collector.py', { skip: needs('python3') }, async (t) => {
  const path = join(folder, 'python.jsonl')
  const script = `
import sys
sys.path.insert(0, "examples")
sys.dont_write_bytecode = True
from collector import Collector
collector = Collector(sys.argv[1])
for step, loss in enumerate([2.5, 2.25]):
    collector.add("train/loss", loss, step)
    collector.save()
collector.add('träin/"x"', 1e-7)
for step, value in enumerate(["nan", "inf", "-inf"]):
    collector.add("bad", float(value), step)
collector.save()
`
  execFileSync('python3', ['-c', script, path], { env: { PATH: process.env['PATH'], PYTHONUTF8: '1' } })
  await check(t, path)
  t.ok(readFileSync('examples/collector.py', 'utf8').split('\n').length <= 50, 'it stays short')
})

t.test('collector.ts', async (t) => {
  const path = join(folder, 'node.jsonl')
  const collector = new Collector(path)
  for (const [step, loss] of [2.5, 2.25].entries()) {
    collector.add('train/loss', loss, step)
    collector.save()
  }
  collector.add('träin/"x"', 1e-7)
  for (const [step, value] of [NaN, Infinity, -Infinity].entries()) collector.add('bad', value, step)
  collector.save()
  await check(t, path)
})
