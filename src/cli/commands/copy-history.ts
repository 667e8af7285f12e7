import { copyHistory } from '../../operations/copy-history.js'
import { databaseOptions, storeConfigOf, withGatehouse, type DatabaseOptions } from '../open-gatehouse.js'
import type { Registration } from '../program.js'
import { startProgress } from '../progress.js'
import { say, type Terminal } from '../terminal.js'

export function copyHistoryCommand({ program, terminal, act }: Registration): void {
  databaseOptions(
    program
      .command('copy-history')
      .description('Copy runs into the form that verdicts read fastest, as the server does every hour.'),
  )
    .addHelpText(
      'after',
      `
Runs that came through the server are copied already; those of another writer, and those of before an upgrade, are read
by their rows until they are. It changes nothing that anybody can ask for but the time that the answer takes. It works
in batches beside the running service, and may be stopped and begun again at any time.

Examples:
  gatehouse copy-history
  DATABASE_URL=postgres://gatehouse_server:…@db/gatehouse gatehouse copy-history
`,
    )
    .action((options: DatabaseOptions) => act(() => copy(terminal, options)))
}

async function copy(terminal: Terminal, options: DatabaseOptions): Promise<void> {
  const config = storeConfigOf(terminal, options)
  const copied = await withGatehouse(terminal, config, { mustExist: true }, async (gatehouse) => {
    const progress = startProgress(terminal, 'copied', null, 'runs')
    try {
      return await copyHistory(gatehouse, (runs) => progress.update(runs, runs))
    } finally {
      progress.stop()
    }
  })
  say(terminal, `${copied} ${copied === 1 ? 'run' : 'runs'} copied`)
}
