import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { ReplayDocument } from '../../src/documents/replay.js'
import { forEachBackend } from '../support/stores.js'
import { temporaryFolder } from '../support/server.js'
import { gatehouse, MAIN, plainRun, plainRuns } from './support.js'

/** export, import and replay, on real files and both backends. */

const RUNS = plainRuns([1, 1.1, 0.9, 1, 1, 1.05, 0.95, 1, 1, 1, 1.02, 0.98])
const SERIES = { test_path: 'bench/all', backend: 'linux', suite: 'nightly' }
const gates = (constraint: object) =>
  JSON.stringify([{ series: SERIES, declarations: [{ metric_key: 'loss', steps: 'last', constraint }] }])
/** Without the header, which tells when the export was made, and the trailer, which seals it. */
const runsOf = (text: string) => text.trim().split('\n').slice(1, -1)

forEachBackend((name, open) => {
  t.test(`${name}: what is imported comes out again, and goes in again without a difference`, async (t) => {
    const folder = temporaryFolder(t)
    const { location } = await open(t)
    const env = { DATABASE_URL: name === 'sqlite' ? `sqlite:${location}` : location }
    writeFileSync(join(folder, 'plain.ndjson'), RUNS)
    const imported = await gatehouse(['import', 'plain.ndjson'], { env, cwd: folder })
    t.same(imported, { code: 0, stdout: '{"runs":12,"values":12,"skipped":0}\n', stderr: '' })
    const again = await gatehouse(['import', '-'], { env, input: RUNS })
    t.equal(again.stdout, '{"runs":0,"values":0,"skipped":12}\n')

    const exported = await gatehouse(['export', '-o', 'out.ndjson'], { env, cwd: folder })
    t.match(exported, { code: 0, stdout: '', stderr: '12 runs exported to out.ndjson\n' })
    const text = readFileSync(join(folder, 'out.ndjson'), 'utf8')
    t.equal(runsOf(text).length, 12)
    const copy = ['--database', 'sqlite:copy.db']
    t.equal((await gatehouse(['import', 'out.ndjson', ...copy], { cwd: folder })).code, 0)
    const copied = await gatehouse(['export', ...copy], { cwd: folder })
    t.same(runsOf(copied.stdout), runsOf(text))

    writeFileSync(join(folder, 'gates.json'), gates({ rel_up: 0.2, rel_down: 0.2 }))
    const online = await gatehouse(['replay', '--declarations', 'gates.json'], { env, cwd: folder })
    t.match(online, { code: 0, stderr: /^PASS: 11 comparisons over 12 runs, 0 fail/ })
    const offline = await gatehouse(['replay', '--export', 'out.ndjson', '--declarations', 'gates.json'], {
      cwd: folder,
    })
    t.same(offline, online, 'one code, one report')

    const filtered = await gatehouse(
      ['export', '--since', '2015-01-10T00:00:00+00:00', '--trusted', 'true'],
      {
        env,
      },
    )
    t.equal(runsOf(filtered.stdout).length, 3)
    const none = await gatehouse(['export', '--backend', 'other', '--github-run-id', '7'], { env })
    t.equal(runsOf(none.stdout).length, 0)
  })
})

forEachBackend((name, open) => {
  t.test(`${name}: copy-history copies what another writer inserted`, async (t) => {
    const { location, sql } = await open(t)
    const env = { DATABASE_URL: name === 'sqlite' ? `sqlite:${location}` : location }
    await sql(`insert into runs (run_id, test_path, backend, suite, commit_sha, created_at, trusted)
      values ('theirs', 't', 'b', 's', 'c', '2026-01-01T00:00:00.000000Z', ${name === 'sqlite' ? 1 : true})`)
    t.match(await gatehouse(['copy-history'], { env }), { code: 0, stdout: '', stderr: '1 run copied\n' })
    t.match(await gatehouse(['copy-history'], { env }), { code: 0, stderr: '0 runs copied\n' })
    await gatehouse(['import', '-'], { env, input: RUNS })
    const [left] = await sql<{ n: number }>('select count(*) as n from uncopied_runs')
    t.equal(Number(left?.n), 0, 'an import copies its runs itself')
  })
})

t.test('replay: exit code 1 where a value fails, a run is incomplete, or nothing was compared', async (t) => {
  const folder = temporaryFolder(t)
  const runs = RUNS + plainRun({ created_at: '2015-02-01T00:00:00Z', values: [] })
  writeFileSync(join(folder, 'tight.json'), gates({ rel_up: 0.01, rel_down: 0.01 }))
  writeFileSync(join(folder, 'wide.json'), gates({ rel_up: 1, rel_down: 1 }))
  const db = ['--database', 'sqlite:x.db']
  await gatehouse(['import', '-', ...db], { input: runs, cwd: folder })
  const replay = (...args: string[]) => gatehouse(['replay', ...db, ...args], { cwd: folder })
  const [tight, incomplete, bounded, none] = await Promise.all([
    replay('--declarations', 'tight.json'),
    replay('--declarations', 'wide.json'),
    replay('--declarations', 'wide.json', '--until', '2015-02-01T00:00:00Z'),
    replay(),
  ])
  t.match(tight, { code: 1, stderr: /^FAIL: 11 comparisons/ })
  t.match(incomplete, { code: 1, stderr: /1 incomplete/ })
  t.match(bounded, { code: 0, stderr: /^PASS/ })
  t.match(none, { code: 1, stderr: /nothing was compared/ })
  t.equal((JSON.parse(none.stdout) as ReplayDocument).snapshot.declarations, 'newest_run')
  const outside = await replay('--declarations', 'wide.json', '--backend', 'cuda')
  t.match(outside, { code: 2, stdout: '', stderr: /declarations\/0\/series: is outside the filter/ })
})

t.test('bad files are exit code 2, say where, and leave nothing behind', async (t) => {
  const folder = temporaryFolder(t)
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return name
  }
  const db = ['--database', 'sqlite:x.db']
  await gatehouse(['import', '-', ...db], { input: RUNS, cwd: folder })
  const { stdout: whole } = await gatehouse(['export', ...db], { cwd: folder })
  const truncated = file('truncated', whole.slice(0, whole.indexOf('{"end"')))
  const altered = file('altered', whole.replace('"value":1.1', '"value":1.2'))
  const sealed = `${whole}${plainRun()}`
  const foreign = file(
    'foreign',
    (await gatehouse(['export', '--backend', 'x', ...db], { cwd: folder })).stdout,
  )
  const declared = ['--declarations', file('gates', gates({ rel_down: 0.5 }))]
  const into = (name: string) => ['import', name, '--database', 'sqlite:y.db']
  const cases: ReadonlyArray<readonly [args: string[], words: RegExp]> = [
    [['replay', '--export', truncated], /trailer.*missing.*cut off/],
    [['replay', '--export', altered, ...declared], /sha256/],
    [['replay', '--export', file('sealed', sealed), ...declared], /after the trailer/],
    [['replay', '--export', foreign, ...declared], /another scope/],
    [['replay', '--export', file('plain', RUNS)], /no export's header/],
    [['replay', '--export', 'nowhere'], /there is no file nowhere/],
    [['replay', ...db, '--declarations', file('no', '{}')], /must be a list/],
    [into(truncated), /cut off/],
    [into(altered), /sha256/],
    [into(file('empty', '')), /holds no run/],
    [into(file('future', plainRun({ created_at: '2099-01-01T00:00:00Z' }))), /line 1: created_at/],
    [into(file('typo', RUNS + plainRun({ trustd: true }))), /line 13: .*"trustd"/],
    [into('.'), /is a folder/],
    [
      ['import', file('other', plainRun({ run_id: 'a' }) + plainRun({ run_id: 'a', values: [] })), ...db],
      /run a/,
    ],
  ]
  const ran = await Promise.all(cases.map(([args]) => gatehouse(args, { cwd: folder })))
  for (const [i, [args, words]] of cases.entries()) {
    t.match(ran[i], { code: 2, stdout: '', stderr: words }, args.join(' '))
    t.notMatch(ran[i]!.stderr, /\n {4}at /, 'no stack trace')
  }
  const left = await gatehouse(['export', '--database', 'sqlite:y.db'], { cwd: folder })
  t.equal(runsOf(left.stdout).length, 0, 'all or nothing')
})

t.test('a store that is not there, or is none, is exit code 3', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'text.db'), 'this is no database, whatever its name says'.repeat(50))
  const [missing, none, served] = await Promise.all([
    gatehouse(['export', '--database', 'sqlite:nowhere.db'], { cwd: folder }),
    gatehouse(['replay', '--database', 'sqlite:text.db'], { cwd: folder }),
    gatehouse(['serve', '--port', '0', '--database', 'sqlite:text.db'], { cwd: folder }),
  ])
  t.match(missing, { code: 3, stderr: /there is no database nowhere.db\nName it with --database/ })
  t.match(none, { code: 3, stderr: /text.db cannot be used: it is no SQLite database/ })
  t.match(served, { code: 3, stderr: /text.db cannot be used: it is no SQLite database/ })
  t.same(readdirSync(folder), ['text.db'], 'a misspelt path makes no file')
})

t.test('output: a file appears when it is whole, and a reader may go', async (t) => {
  const folder = temporaryFolder(t)
  const db = ['--database', 'sqlite:x.db']
  const many = plainRuns(Array.from({ length: 2_000 }, () => 1))
  await gatehouse(['import', '-', ...db], { input: many, cwd: folder })
  const nowhere = await gatehouse(['export', ...db, '-o', 'no/folder/x'], { cwd: folder })
  t.match(nowhere, { code: 2, stderr: /no such folder/ })
  const files = readdirSync(folder)
  t.notOk(files.some((file) => file.includes('partial')))
  const { stdout } = spawnSync(
    'bash',
    ['-c', `"${process.execPath}" "${MAIN}" export ${db.join(' ')} | head -n 1; echo "\${PIPESTATUS[0]}"`],
    { cwd: folder, encoding: 'utf8' },
  )
  t.match(stdout, /^\{"gatehouse_export":1.*\n141\n$/)
})
