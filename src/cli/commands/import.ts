import { importHistory } from '../../operations/import-history.js'
import { openInput } from '../files.js'
import {
  configOf,
  databaseOptions,
  localCaller,
  withGatehouse,
  type DatabaseOptions,
} from '../open-gatehouse.js'
import type { Registration } from '../program.js'
import { startProgress } from '../progress.js'
import type { Terminal } from '../terminal.js'

export function importCommand({ program, terminal, act }: Registration): void {
  databaseOptions(
    program
      .command('import')
      .description('Take runs of an export, or of another tool, into the history: all of them or none.')
      .argument('<file>', 'an export, or a line of JSON a run; - for standard input'),
  )
    .addHelpText(
      'after',
      `
The plain form, for the data of other tools (\`gatehouse convert --to import\` writes it):
  {"series": {"test_path": "…", "backend": "…", "suite": "…"}, "provenance": {"commit_sha": "…"},
   "created_at": "2026-11-01T15:00:00Z", "trusted": true, "values": [{"metric_key": "…", "step": -1, "value": 1}]}

A run that is there already is skipped; with other content under its run_id, nothing of the file is taken. Prints
{"runs": new, "values": new, "skipped": runs}.

Examples:
  gatehouse import history.ndjson
  zcat history.ndjson.gz | gatehouse import - --database sqlite:data/copy.db
`,
    )
    .action((file: string, options: DatabaseOptions) => act(() => importFile(terminal, file, options)))
}

async function importFile(terminal: Terminal, path: string, options: DatabaseOptions): Promise<void> {
  const config = configOf(terminal, options)
  const input = await openInput(terminal, path)
  const result = await withGatehouse(terminal, config, {}, async (gatehouse) => {
    const progress = startProgress(terminal, 'read', input.size, 'runs')
    let bytes = 0
    let runs = 0
    const counted = async function* () {
      for await (const chunk of input.chunks) {
        bytes += chunk.length
        progress.update(bytes, runs)
        yield chunk
      }
    }
    try {
      return await importHistory(gatehouse, localCaller(), counted(), (count) => (runs = count))
    } finally {
      progress.stop()
    }
  })
  terminal.stdout.write(`${JSON.stringify(result)}\n`)
}
