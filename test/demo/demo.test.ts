import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { join } from 'node:path'
import t from 'tap'
import type { ReplayDocument } from '../../src/documents/replay.js'
import { DEMO_SERIES, demoRuns, MISMATCH, NIGHTS } from '../../src/demo/runs.js'
import { gatehouse, plainRun } from '../cli/support.js'
import { startServer, temporaryFolder } from '../support/server.js'

const folder = temporaryFolder(t)
const begun = Date.now()
const first = await gatehouse(['demo'], { cwd: folder })
const took = Date.now() - begun

t.test('the runs are the same every time', async (t) => {
  t.same(demoRuns(), demoRuns())
  t.equal(demoRuns().filter(({ pullRequest }) => pullRequest === null).length, NIGHTS * DEMO_SERIES.length)
})

t.test('fills its own store in seconds, and says what is in it', async (t) => {
  t.match(first, { code: 0, stderr: '' })
  t.match(
    first.stdout,
    /^data\/demo.db holds the demo: 120 nightly runs of three tests, 25 of them untrusted, and 6 /,
  )
  t.ok(took < 20_000, `${took} ms`)
})

t.test('filled again, nothing changes', async (t) => {
  const before = await gatehouse(['export', '--database', 'sqlite:data/demo.db'], { cwd: folder })
  const again = await gatehouse(['demo'], { cwd: folder })
  t.match(again, { code: 0, stdout: /126 of its 126 runs were there already/ })
  const after = await gatehouse(['export', '--database', 'sqlite:data/demo.db'], { cwd: folder })
  const runsOf = (text: string) => text.trim().split('\n').slice(1, -1)
  t.same(runsOf(after.stdout), runsOf(before.stdout))
})

t.test('nights are nights: forty of each test, in the past, a day apart', async (t) => {
  const { stdout } = await gatehouse(['export', '--database', 'sqlite:data/demo.db'], { cwd: folder })
  const times = new Map<string, string[]>()
  for (const line of stdout.trim().split('\n').slice(1, -1)) {
    const { run } = JSON.parse(line) as { run: { created_at: string; series: { test_path: string } } }
    times.set(run.series.test_path, [...(times.get(run.series.test_path) ?? []), run.created_at])
  }
  t.same([...times.keys()].sort(), DEMO_SERIES.map(({ testPath }) => testPath).sort())
  for (const nights of times.values()) {
    t.equal(nights.length, NIGHTS)
    t.equal(new Set(nights.map((time) => time.slice(0, 10))).size, NIGHTS)
    t.ok(Date.parse(nights.at(-1)!) < Date.now())
    t.ok(nights.every((time) => /T0[23]:/.test(time)))
  }
})

t.test(
  'the replay finds the drift and the flips, and no trusted run that contradicts its baseline',
  async (t) => {
    const { code, stdout, stderr } = await gatehouse(['replay', '--database', 'sqlite:data/demo.db'], {
      cwd: folder,
    })
    t.equal(code, 1)
    const report = JSON.parse(stdout) as ReplayDocument
    t.equal(report.trusted_inconsistencies_total, 0)
    t.equal(report.counts.failures, 25)
    t.match(report.stale_coordinates, [{ metric_key: 'perf/tokens_per_s', side: 'below', ambiguous: false }])
    t.equal(report.stale_coordinates.length, 1)
    t.match(report.zero_flip_coordinates, [{ metric_key: MISMATCH, ambiguous: false }])
    t.match(stderr, /stale: perf\/tokens_per_s .*three times below/)
    t.match(stderr, /flips to zero: .*widen its band/)
  },
)

t.test('what it says to look at is there', async (t) => {
  const server = await startServer({ DATABASE_URL: `sqlite:${join(folder, 'data/demo.db')}` })
  t.teardown(() => server.stop())
  const text = first.stdout.replaceAll('http://127.0.0.1:8080', server.url).replaceAll('\\\n', '')
  const commands = [...text.matchAll(/^ +(curl .*)$/gm)].map(([, command]) => command!)
  t.equal(commands.length, 6)
  const answers: string[] = []
  for (const command of commands) {
    const { stdout } = await promisify(execFile)('bash', ['-c', `${command} --fail-with-body --noproxy '*'`])
    answers.push(stdout)
  }
  const [series, csv, bad, pullRequest, overall, revocation] = answers as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  t.equal((JSON.parse(series) as { items: unknown[] }).items.length, 3)
  t.equal(csv.trim().split('\n').length, NIGHTS + 1)
  t.match(bad, /Gatehouse: FAIL[^]*eval\/accuracy/)
  t.match(pullRequest, /Gatehouse: FAIL[^]*4 of 25 checks fail CI[^]*train\/ppo_kl/)
  t.match(JSON.parse(overall), { overall: { outcome: 'fail', verdicts: 1 } })
  t.match(JSON.parse(revocation), { dry_run: true, revoked: 1 })
  t.equal((await fetch(`${server.url}/`)).status, 200)
})

t.test('a store with other data is left alone, unless forced', async (t) => {
  const other = ['--database', 'sqlite:other.db']
  await gatehouse(['import', '-', ...other], { input: plainRun(), cwd: folder })
  const refused = await gatehouse(['demo', ...other], { cwd: folder })
  t.match(refused, { code: 2, stdout: '', stderr: /other.db holds data that is not the demo's\n.*--force/ })
  const before = await gatehouse(['export', ...other], { cwd: folder })
  t.match(before.stderr, /^1 runs/)
  t.match(await gatehouse(['demo', '--force', ...other], { cwd: folder }), { code: 0 })
  t.match((await gatehouse(['export', ...other], { cwd: folder })).stderr, /^121 runs/)
})
