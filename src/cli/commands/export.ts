import { exportHistory } from '../../operations/export-history.js'
import { writeOutput } from '../files.js'
import { runFilterOf, runFilters, type RunFlags } from '../filters.js'
import { configOf, databaseOptions, withGatehouse, type DatabaseOptions } from '../open-gatehouse.js'
import type { Registration } from '../program.js'
import { startProgress } from '../progress.js'
import { say, type Terminal } from '../terminal.js'

interface ExportFlags extends DatabaseOptions, RunFlags {
  readonly output: string
}

export function exportCommand({ program, terminal, act }: Registration): void {
  const command = program
    .command('export')
    .description('Write the history to a file: a header, a line a run, and a trailer that seals it.')
    .option('-o, --output <file>', 'where to, instead of standard output; it appears when it is whole', '-')
  databaseOptions(runFilters(command))
    .addHelpText(
      'after',
      `
Reads one snapshot of the store while others write. The file can be imported again, and replayed offline.

Examples:
  gatehouse export --output history.ndjson
  gatehouse export --test-path tests/e2e/test_ppo.py --since 2026-11-01T00:00:00Z | gzip > ppo.ndjson.gz
`,
    )
    .action((flags: ExportFlags) => act(() => exportToFile(terminal, flags)))
}

async function exportToFile(terminal: Terminal, flags: ExportFlags): Promise<void> {
  const config = configOf(terminal, flags)
  let runs = 0
  await withGatehouse(terminal, config, { mustExist: true }, async (gatehouse) => {
    const progress = startProgress(terminal, 'exported', null, 'runs')
    try {
      const pieces = exportHistory(gatehouse, runFilterOf(flags), (count) => {
        runs = count
        progress.update(count)
      })
      await writeOutput(terminal, flags.output, pieces)
    } finally {
      progress.stop()
    }
  })
  say(terminal, `${runs} runs exported${flags.output === '-' ? '' : ` to ${flags.output}`}`)
}
