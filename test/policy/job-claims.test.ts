import t from 'tap'
import { readJobClaims } from '../../src/policy/job-claims.js'

const SHA = 'a'.repeat(40)
const WHOLE = {
  repository: 'acme/rl',
  sha: SHA,
  ref: 'refs/heads/main',
  event_name: 'schedule',
  run_id: '9007199254740993',
  run_attempt: '2',
}

t.test('what a token proves', async (t) => {
  t.strictSame(readJobClaims({ ...WHOLE, others: {} }), {
    ok: true,
    value: {
      repository: 'acme/rl',
      commitSha: SHA,
      ref: 'refs/heads/main',
      eventName: 'schedule',
      githubRunId: 9_007_199_254_740_993n,
      githubRunAttempt: 2,
    },
  })
  t.match(readJobClaims({ ...WHOLE, run_id: 7, run_attempt: 1 }), {
    value: { githubRunId: 7n, githubRunAttempt: 1 },
  })
})

t.test('what it leaves out, or empty, it does not prove', async (t) => {
  const silent = { commitSha: null, ref: null, eventName: null, githubRunId: null, githubRunAttempt: null }
  const nothing = { repository: 'a/b', sha: '', ref: null, event_name: undefined }
  t.strictSame(readJobClaims(nothing), { ok: true, value: { repository: 'a/b', ...silent } })
  const inherited = Object.create(WHOLE) as Record<string, unknown>
  t.match(readJobClaims(inherited), { ok: false, faults: [{ where: 'repository', message: 'is missing' }] })
})

t.test('what is malformed is named, all at once', async (t) => {
  const cases: ReadonlyArray<readonly [claim: string, value: unknown]> = [
    ['repository', ''],
    ['repository', 'acme'],
    ['repository', 'acme/rl/x'],
    ['repository', 'acme/r l'],
    ['repository', `acme/${'x'.repeat(256)}`],
    ['repository', 7],
    ['sha', 'abc'],
    ['sha', SHA.toUpperCase()],
    ['ref', 'x'.repeat(1_025)],
    ['ref', 'a\0b'],
    ['ref', ['refs/heads/main']],
    ['event_name', '\ud800'],
    ['event_name', true],
    ['run_id', '-1'],
    ['run_id', '1.5'],
    ['run_id', String(2n ** 63n)],
    ['run_id', 2 ** 60],
    ['run_id', 1.5],
    ['run_attempt', '0'],
    ['run_attempt', '2147483648'],
    ['run_attempt', {}],
  ]
  for (const [claim, value] of cases) {
    const read = readJobClaims({ ...WHOLE, [claim]: value })
    t.match(read, { ok: false, faults: [{ where: claim }] }, `${claim} ${JSON.stringify(value)}`)
    t.equal(read.ok ? 0 : read.faults.length, 1)
  }
  const all = readJobClaims({ repository: 1, sha: 1, ref: 1, event_name: 1, run_id: 'x', run_attempt: 'x' })
  t.equal(all.ok ? 0 : all.faults.length, 6)
})
