import { existsSync, statSync } from 'node:fs'
import type { Filled } from '../../demo/fill.js'
import type { Registration } from '../program.js'
import { EXIT } from '../exit-codes.js'
import { badInput, CliFailure } from '../failure.js'
import { configOf, localCaller, withGatehouse } from '../open-gatehouse.js'
import { startProgress } from '../progress.js'
import type { Terminal } from '../terminal.js'

interface DemoOptions {
  readonly database: string
  readonly config?: string
  readonly force?: true
}

const DEFAULT_DATABASE = 'sqlite:data/demo.db'

export function demoCommand({ program, terminal, act }: Registration): void {
  program
    .command('demo')
    .description('Fill an embedded store with forty nights of three tests, and say what to look at.')
    .option('-d, --database <url>', 'the SQLite file to fill, as sqlite:PATH', DEFAULT_DATABASE)
    .option('--config <file>', 'the configuration file, instead of GATEHOUSE_CONFIG')
    .option('--force', 'fill a store that holds other data too')
    .addHelpText(
      'after',
      `
A throughput that drifts slowly, an evaluation with one bad night, a rate that flips between zero and not, and pull
requests that pass and fail: all submitted as runners submit, on a clock that walks through the past. Filling the same
store again changes nothing. DATABASE_URL is not looked at: the demo does not belong into a history that counts.

Examples:
  gatehouse demo
  gatehouse demo --database sqlite:/tmp/demo.db
`,
    )
    .action((options: DemoOptions) => act(() => demo(terminal, options)))
}

async function demo(terminal: Terminal, options: DemoOptions): Promise<void> {
  const config = configOf(terminal, options)
  const { database } = config
  if (database.kind !== 'sqlite')
    throw badInput(
      'the demo fills an embedded store only: its nights lie in the past, and PostgreSQL has a clock of its own',
      `Name a file: --database ${DEFAULT_DATABASE}`,
    )
  const isNew = !existsSync(database.path) || statSync(database.path).size === 0
  const { DemoClock, fillDemo, holdsOtherData } = await import('../../demo/fill.js')
  const clock = new DemoClock()
  const filled = await withGatehouse(terminal, config, { clock: clock.read }, async (gatehouse) => {
    if (!isNew && options.force !== true && (await holdsOtherData(gatehouse)))
      throw new CliFailure(
        EXIT.badInput,
        `${database.path} holds data that is not the demo's`,
        'Nothing was changed. Name another file with --database sqlite:PATH, or add --force.',
      )
    const progress = startProgress(terminal, 'submitting', 1, 'runs')
    try {
      const done = (runs: number, total: number) => progress.update(runs / total, runs)
      return await fillDemo(gatehouse, clock, localCaller(), new Date(), done)
    } finally {
      progress.stop()
    }
  })
  terminal.stdout.write(`${whatToLookAt(filled, database.path).join('\n')}\n`)
}

/** Lines to read and to copy; a test runs the commands among them. */
function whatToLookAt(filled: readonly Filled[], path: string): string[] {
  const verdictOf = (name: string) => filled.find((run) => run.name === name)!.verdict
  const stored = filled.filter(({ verdict }) => verdict.run_id !== null)
  const untrusted = stored.filter(({ verdict }) => !verdict.trusted).length
  const fresh = filled.filter(({ replayed }) => !replayed).length
  const bad = verdictOf('night-27-eval')
  const pullRequest = verdictOf('pr-1207-ppo')
  const throughput = curlSeries(verdictOf('night-40-perf').series)
  const url = 'http://127.0.0.1:8080'
  return [
    fresh === filled.length
      ? `${path} holds the demo: ${stored.length} nightly runs of three tests, ${untrusted} of them untrusted, and ${filled.length - stored.length} of pull requests.`
      : `${path} holds the demo: ${filled.length - fresh} of its ${filled.length} runs were there already.`,
    '',
    'Serve it, and look from a second terminal:',
    '',
    `  DATABASE_URL=sqlite:${path} npm start`,
    `  ${url}/`,
    '',
    'The tests, with how much of each is trusted:',
    '',
    `  curl -sS '${url}/v1/series'`,
    '',
    'The throughput sinks by 0.6 % a night from night 13 on. Ten nights pass, each within 5 % of the mean before it; then',
    'nights begin to fail, and as a night that fails enters no baseline, the mean stops following it down:',
    '',
    `  curl -sS -H 'Accept: text/csv' '${url}/v1/history?${throughput}&metric_key=perf/tokens_per_s'`,
    '',
    'On night 27 the evaluation read half of its questions. The run is kept, untrusted, and the next night is judged as',
    'if it had never been:',
    '',
    `  curl -sS -H 'Accept: text/markdown' '${url}/v1/verdicts/${bad.verdict_id}'`,
    '',
    'Pull request 1207 blows up the KL divergence, and did any gate of its workflow run fail?',
    '',
    `  curl -sS -H 'Accept: text/markdown' '${url}/v1/verdicts/${pullRequest.verdict_id}'`,
    `  curl -sS '${url}/v1/verdicts?github_run_id=${String(pullRequest.provenance.github_run_id)}&limit=1'`,
    '',
    'What would go if the first night of the throughput were revoked (a dry run):',
    '',
    `  curl -sS '${url}/v1/admin/revocations' -H 'Content-Type: application/json' \\`,
    `    -d '{"run_id": "${verdictOf('night-01-perf').run_id}", "reason": "to see", "dry_run": true}'`,
    '',
    'Is the history consistent with itself? The replay names the throughput as stale (accept the new level by revoking',
    'the old runs), and the mismatch rate as flipping between zero and not (widen its band):',
    '',
    `  npx gatehouse replay --database sqlite:${path}`,
  ]
}

function curlSeries({ test_path, backend, suite }: { test_path: string; backend: string; suite: string }) {
  return `test_path=${test_path}&backend=${backend}&suite=${suite}`
}
