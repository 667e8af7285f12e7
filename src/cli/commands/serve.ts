import type { Registration } from '../program.js'
import { configWarnings } from '../../config-warnings.js'
import { createLogger, secretsOf } from '../../logger.js'
import { explainStart } from '../../start-faults.js'
import { badInput, CliFailure } from '../failure.js'
import { configOf, databaseOptions, type DatabaseOptions } from '../open-gatehouse.js'
import type { Terminal } from '../terminal.js'

interface ServeOptions extends DatabaseOptions {
  readonly host?: string
  readonly port?: string
}

export function serveCommand({ program, terminal, act }: Registration): void {
  databaseOptions(program.command('serve').description('Serve the HTTP API until SIGTERM or SIGINT.'))
    .option('--host <address>', 'where to listen, instead of HOST (127.0.0.1)')
    .option('-p, --port <number>', 'where to listen, instead of PORT (8080); 0 takes a free one')
    .addHelpText(
      'after',
      `
Everything else is set by environment variables, as the README lists them. Logs go to stdout.

Examples:
  gatehouse serve
  gatehouse serve --database sqlite:data/demo.db --port 9000
  DATABASE_URL=postgres://gatehouse_server:…@db/gatehouse gatehouse serve
`,
    )
    .action((options: ServeOptions) => act(() => serve(terminal, options)))
}

async function serve(terminal: Terminal, options: ServeOptions): Promise<void> {
  const env = {
    ...terminal.env,
    ...(options.host !== undefined && { HOST: options.host }),
    ...(options.port !== undefined && { PORT: options.port }),
  }
  const config = configOf({ ...terminal, env }, options, true)
  // The server's modules take a second to load, which no other command should wait for.
  const { serve: start } = await import('../../serve.js')
  try {
    await start(config, createLogger(config.logLevel, secretsOf(config)), configWarnings(env, config))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw badInput(
        `something listens at ${config.host}:${config.port} already`,
        'Stop it, or choose another port with --port.',
      )
    const explained = explainStart(error, config)
    if (explained === null) throw error
    throw new CliFailure(explained.exitCode, explained.reason)
  }
}
