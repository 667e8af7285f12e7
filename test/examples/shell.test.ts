import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { needs } from '../support/requires.js'
import { startServer, temporaryFolder } from '../support/server.js'
import { checkout, GATES, loss, record, runStep, SHA } from './support.js'

/** examples/gatehouse.sh against a started server, in a plain POSIX shell and in bash, under `set -eu`. */

const folder = temporaryFolder(t)
const server = await startServer({ DATABASE_URL: `sqlite:${join(folder, 'g.db')}` })
t.teardown(() => server.stop())
checkout(folder, 'gatehouse.sh', {
  'test.py': GATES,
  'off.py': 'import ci\nci.register_ci_gate(metric_key="loss")\n',
  'good.jsonl': loss(0.5),
  'bad.jsonl': loss(2),
})

const run = (shell: string, script: string, env: Record<string, string> = {}) =>
  runStep([shell, '-euc'], `. ./gatehouse.sh\n${script}`, {
    cwd: folder,
    env: { GATEHOUSE_URL: server.url, ...env },
  })
const submit = (test: string, record: string, more = '') =>
  `gatehouse_submit -F test_file=@test.py -F record=@${record} -F test_path=${test} -F backend=cuda -F suite=s -F commit_sha=${SHA} ${more}`

for (const shell of ['dash', 'bash'] as const) {
  t.test(shell, { skip: needs(shell) }, async (t) => {
    const passed = await run(
      shell,
      submit(`${shell}/a.py`, 'good.jsonl', '-F cadence=nightly -F github_run_id=1'),
    )
    t.match(passed, {
      code: 0,
      log: /^gatehouse: PASS \(trusted\) http:\/\/.*\/v1\/verdicts\/[0-9a-f-]{36}\n$/,
    })
    const off = await run(shell, submit(`${shell}/off.py`, 'good.jsonl').replace('@test.py', '@off.py'))
    t.match(
      off,
      { code: 0, log: /### Warnings[^]*declares no gate[^]*\ngatehouse: PASS/ },
      'a gate that is off is seen',
    )
    const failed = await run(shell, submit(`${shell}/b.py`, 'bad.jsonl', '-F cadence=regular'))
    t.match(failed, { code: 1, log: /## Gatehouse: FAIL[^]*gatehouse: FAIL \(untrusted\) http/ })
    const dry = await run(
      shell,
      'GATEHOUSE_URL="$GATEHOUSE_URL/v1/runs?dry_run=true#"; ' + submit(`${shell}/c.py`, 'good.jsonl'),
    )
    t.match(dry, { code: 0, log: /^gatehouse: PASS/ }, 'a dry run has no verdict to look up')

    const broken = await run(shell, submit(`${shell}/d.py`, 'good.jsonl', '-F colour=red'))
    t.match(broken, { code: 2, log: /colour[^]*gatehouse: NOT JUDGED \(HTTP 422\)\n$/ })
    const allowed = await run(shell, `${submit('e.py', 'good.jsonl', '-F colour=red')}; echo on`, {
      GATEHOUSE_ALLOW_UNJUDGED: '1',
    })
    t.match(allowed, { code: 0, log: /NOT JUDGED[^]*lets the job go on without a judgement\non\n$/ })
    const nobody = await run(shell, `gatehouse_submit --retry 0 -F a=b`, {
      GATEHOUSE_URL: 'http://127.0.0.1:1',
    })
    t.match(nobody, { code: 2, log: /NOT JUDGED \(HTTP 000, curl failed\)/ })
    t.match(await run(shell, 'gatehouse_submit', { GATEHOUSE_URL: '' }), {
      code: 2,
      log: /NOT JUDGED \(GATEHOUSE_URL/,
    })
    t.match(await run(shell, submit('e.py', 'missing.jsonl')), { code: 2, log: /NOT JUDGED/ })

    const id = shell === 'dash' ? 77 : 78
    const two = [
      submit(`${shell}/x.py`, 'good.jsonl', `-F github_run_id=${id}`),
      submit(`${shell}/y.py`, 'bad.jsonl', `-F github_run_id=${id} || true`),
    ]
    await run(shell, two.join('\n'))
    t.match(await run(shell, `gatehouse_overall ${id} 2`), {
      code: 1,
      log: /workflow run \d+: fail, 2 of 2 judged/,
    })
    const again = submit(`${shell}/y.py`, 'good.jsonl', `-F github_run_id=${id} -F github_run_attempt=2`)
    await run(shell, again)
    t.match(
      await run(shell, `gatehouse_overall ${id} 2`),
      { code: 0, log: /: pass, 2 of 2 judged/ },
      're-run',
    )
    t.match(await run(shell, `gatehouse_overall ${id} 3`), { code: 2, log: /NOT JUDGED \(2 of 3/ })
    t.match(await run(shell, 'gatehouse_overall 79 1'), { code: 2, log: /: none.*\n.*NOT JUDGED/ })
    for (const expected of ['', '""', 'two', '-1', '"$UNSET_BY_MISTAKE"']) {
      const unset = { UNSET_BY_MISTAKE: '' }
      t.match(
        await run(shell, `gatehouse_overall ${id} ${expected}`, unset),
        { code: 2, log: /NOT JUDGED/ },
        expected,
      )
    }
    const slash = await run(
      shell,
      `${submit(`${shell}/f.py`, 'good.jsonl', '-F github_run_id=90')}\ngatehouse_overall 90 1`,
      { GATEHOUSE_URL: `${server.url}/` },
    )
    t.match(slash, { code: 0, log: /^gatehouse: PASS .*\d\/v1\/verdicts\/.*\n.*: pass, . of 1 judged\n$/ })
    const silent = await run(shell, 'gatehouse_overall 79 1', { GATEHOUSE_URL: 'http://127.0.0.1:1/x' })
    t.match(silent, { code: 2, log: /NOT JUDGED \(no good answer from/ })
  })
}

t.test('a 2xx that is no judgement is none', async (t) => {
  const proxy = await record(t, { status: 200, body: 'It works!' })
  const answered = await run('sh', submit('a.py', 'good.jsonl'), { GATEHOUSE_URL: proxy.url })
  t.match(answered, { code: 2, log: /It works![^]*NOT JUDGED \(HTTP 200\)/ })
  const empty = await run('sh', 'gatehouse_overall 1 1', { GATEHOUSE_URL: proxy.url })
  t.match(empty, { code: 2, log: /NOT JUDGED/ })
})

t.test('the token is sent when there is one, and stands on no command line', async (t) => {
  const headers = { 'Gatehouse-Outcome': 'pass', 'Gatehouse-Trusted': 'true' }
  const fake = await record(t, { status: 201, headers, body: '{}' })
  const env = { GATEHOUSE_URL: fake.url }
  t.equal((await run('sh', submit('a.py', 'good.jsonl'), { ...env, GATEHOUSE_TOKEN: '' })).code, 0)
  t.equal((await run('sh', submit('a.py', 'good.jsonl'), { ...env, GATEHOUSE_TOKEN: 'gh_secret' })).code, 0)
  t.same(
    fake.requests.map((request) => request.headers.authorization),
    [undefined, 'Bearer gh_secret'],
  )
  const traced = await run(
    'sh',
    `curl() { echo "curl $*"; cat >/dev/null; }\n${submit('a.py', 'good.jsonl')}`,
    {
      ...env,
      GATEHOUSE_TOKEN: 'gh_secret',
    },
  )
  t.notMatch(traced.log, /gh_secret/)
})

t.test('the job summary gets the verdict', async (t) => {
  const summary = join(folder, 'summary.md')
  await run('sh', submit('summary.py', 'good.jsonl'), { GITHUB_STEP_SUMMARY: summary })
  t.match(readFileSync(summary, 'utf8'), /^## Gatehouse: PASS/)
})
