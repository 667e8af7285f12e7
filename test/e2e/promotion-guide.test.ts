import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type {
  EpisodesTakenDocument,
  LadderDocument,
  RegisteredDocument,
  TransitionPage,
} from '../../src/documents/ladder.js'
import type {
  EvaluationDocument,
  LadderTestDocument,
  ResultTakenDocument,
} from '../../src/documents/ladder-reports.js'
import { startServer, temporaryFolder } from '../support/server.js'

/** The guide's blocks run as they stand, and do what the guide says beside them. */
const BLOCK = /```sh\n(.*?)```/gs
const END_OF_ANSWER = '=== end of answer'

/** What each command prints, in order; the shell stops at the first that fails. */
function run(script: string): Promise<{ error: Error | null; answers: string[]; printed: string }> {
  return new Promise((resolve) => {
    // `curl` is the real one; what follows each of its answers makes them countable.
    const marked = `curl() { command curl "$@" || return; printf '\n${END_OF_ANSWER}\n'; }`
    const text = `set -euo pipefail\n${marked}\n${script}`
    execFile('bash', ['-c', text], { timeout: 60_000 }, (error, stdout, stderr) => {
      const answers = stdout.split(END_OF_ANSWER).map((answer) => answer.trim())
      resolve({ error, answers, printed: stdout + stderr })
    })
  })
}

t.test('the guide to ladders', async (t) => {
  const server = await startServer({ DATABASE_URL: `sqlite:${join(temporaryFolder(t), 'gatehouse.db')}` })
  t.teardown(() => server.stop())
  const blocks = [...readFileSync('docs/promotion.md', 'utf8').matchAll(BLOCK)].map(([, block]) => block!)
  t.equal(blocks.length, 2)
  const script = blocks.join('').replaceAll('http://127.0.0.1:8080', server.url)
  t.match(script, server.url)
  const { error, answers, printed } = await run(script)
  t.equal(error, null, printed)
  const said = <Document>(place: number) => JSON.parse(answers[place]!) as Document
  // The bracket goes into a variable.
  t.equal(answers.length, 9)
  t.match(said<LadderDocument>(0), { ladder: 'summarizer', trial_share: 0.05, live: { version: 'v1' } })
  t.match(said<RegisteredDocument>(1), { version: 'v2', rung: 'shadow' })
  const taken = said<EpisodesTakenDocument>(2)
  t.match(taken, { accepted: 2, transitions: [{ variant: 'v2', from: 'shadow', to: 'trial', share: 0.05 }] })
  t.match(said<ResultTakenDocument>(3), { test: { variant: 'v2', wins: 1, losses: 0 } })
  t.equal(said<LadderTestDocument>(4).trajectory.length, 1)
  const [check] = said<EvaluationDocument>(5).checks
  t.match(check, { variant: 'v2', rung: 'current', passed: false })
  t.match(said<TransitionPage>(6).items, [{ to: 'trial' }, { to: 'shadow' }])
  t.match(said<EpisodesTakenDocument>(7), {
    transitions: [{ variant: 'v2', from: 'trial', to: 'rolled_back', cause: 'core_violation', share: 0 }],
    live: { version: 'v1', generation: 1 },
  })
})
