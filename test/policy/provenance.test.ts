import t from 'tap'
import { mayTouch } from '../../src/policy/confinement.js'
import { type Job, type JobClaims, resolveProvenance } from '../../src/policy/provenance.js'

const SHA = 'a'.repeat(40)
const OTHER = 'b'.repeat(40)
const CLAIMS: JobClaims = {
  repository: 'acme/rl',
  commitSha: SHA,
  ref: 'refs/heads/main',
  eventName: 'schedule',
  githubRunId: 19_876_543_210n,
  githubRunAttempt: 2,
}
const JOB: Job = { claims: CLAIMS, onBehalf: false }
const NOTHING = {
  commitSha: null,
  prNumber: null,
  githubRunId: null,
  githubRunAttempt: null,
  eventName: null,
  ref: null,
}
const { repository: _repository, ...PROVEN } = CLAIMS

t.test('without a job the client is taken at its word', async (t) => {
  const given = { ...NOTHING, ...PROVEN, prNumber: 7 }
  t.strictSame(resolveProvenance(given, null), { ok: true, provenance: given })
})

t.test('a commit is named by someone', async (t) => {
  t.match(resolveProvenance({ ...NOTHING, ref: 'x' }, null), {
    ok: false,
    faults: [{ where: 'commitSha', message: /missing.*whole SHA/ }],
  })
  const silent: Job = { ...JOB, claims: { ...CLAIMS, commitSha: null } }
  t.match(resolveProvenance(NOTHING, silent), { ok: false, faults: [{ where: 'commitSha' }] })
})

t.test('a token fills in what is left out', async (t) => {
  t.strictSame(resolveProvenance({ ...NOTHING, prNumber: 7 }, JOB), {
    ok: true,
    provenance: { ...PROVEN, prNumber: 7 },
  })
})

t.test('the same as the token is no contradiction; each other value is one, all at once', async (t) => {
  t.ok(resolveProvenance({ ...PROVEN, prNumber: null }, JOB).ok)
  const lies = {
    commitSha: OTHER,
    ref: 'refs/heads/x',
    eventName: 'push',
    githubRunId: 1n,
    githubRunAttempt: 1,
    prNumber: 1,
  }
  const all = resolveProvenance(lies, JOB)
  t.strictSame(all.ok ? [] : all.faults.map(({ where }) => where), [
    'commitSha',
    'ref',
    'eventName',
    'githubRunId',
    'githubRunAttempt',
  ])
  for (const field of ['commitSha', 'ref', 'eventName', 'githubRunId', 'githubRunAttempt'] as const) {
    t.match(resolveProvenance({ ...NOTHING, [field]: lies[field] }, JOB), {
      ok: false,
      faults: [{ where: field, message: new RegExp(`^is ${lies[field]}, and .* says ${CLAIMS[field]}`) }],
    })
  }
})

t.test(
  "on behalf of another run, commit and ref are told by the client; the rest is the job's own",
  async (t) => {
    const job: Job = { claims: CLAIMS, onBehalf: true }
    const told = { ...NOTHING, commitSha: OTHER, ref: 'refs/pull/7/head', prNumber: 7 }
    t.strictSame(resolveProvenance(told, job), {
      ok: true,
      provenance: {
        ...PROVEN,
        ...told,
        ...{
          eventName: CLAIMS.eventName,
          githubRunId: CLAIMS.githubRunId,
          githubRunAttempt: CLAIMS.githubRunAttempt,
        },
      },
    })
    t.match(resolveProvenance(NOTHING, job), { ok: false, faults: [{ where: 'commitSha' }] })
    t.match(resolveProvenance({ ...told, eventName: 'push' }, job), {
      ok: false,
      faults: [{ where: 'eventName' }],
    })
  },
)

t.test('confinement', async (t) => {
  t.ok(mayTouch(null, 'anything'))
  t.ok(mayTouch(['rl/', 'eval/'], 'eval/a.py'))
  for (const path of ['rl', 'other/rl/', 'RL/a', '/rl/a', '']) t.notOk(mayTouch(['rl/', 'eval/'], path), path)
  t.notOk(mayTouch([], 'rl/a'))
})
