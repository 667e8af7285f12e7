/** `gatehouse`: the commands, their help, and what becomes of their errors. */
import { Command, CommanderError } from 'commander'
import { VERSION } from '../version.js'
import { checkSchemaCommand } from './commands/check-schema.js'
import { convertCommand } from './commands/convert.js'
import { copyHistoryCommand } from './commands/copy-history.js'
import { demoCommand } from './commands/demo.js'
import { evalCommand } from './commands/eval.js'
import { exportCommand } from './commands/export.js'
import { importCommand } from './commands/import.js'
import { replayCommand } from './commands/replay.js'
import { serveCommand } from './commands/serve.js'
import { tokenCommand } from './commands/token.js'
import { EXIT, EXIT_CODES_HELP } from './exit-codes.js'
import { explainFailure } from './failure.js'
import { say, type Terminal } from './terminal.js'

/** What a command does, given its exit code on success by what it returns. */
export type Act = (work: () => Promise<number | void>) => Promise<void>

export interface Registration {
  readonly program: Command
  readonly terminal: Terminal
  /** Runs the action of a command and keeps its exit code. */
  readonly act: Act
}

const COMMANDS = [
  serveCommand,
  demoCommand,
  checkSchemaCommand,
  tokenCommand,
  exportCommand,
  importCommand,
  replayCommand,
  convertCommand,
  evalCommand,
  copyHistoryCommand,
]

const EXAMPLES = `
Examples:
  gatehouse demo                                     fill data/demo.db with something to look at
  gatehouse serve --database sqlite:data/demo.db     and look at it
  gatehouse token create --name admin --scope admin  make a first token
  gatehouse export --output history.ndjson           take the whole history out
  gatehouse convert --from hf-trainer trainer_state.json > record.jsonl
`

/**
 * Runs one command line.
 * @param args without the program's name
 * @returns the exit code
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = EXIT.ok
  const program = new Command('gatehouse')
    .description('Keeps the metric history of CI and decides what may be trusted.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showHelpAfterError('(--help shows what there is)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .addHelpText('after', EXAMPLES + EXIT_CODES_HELP)
  const act: Act = async (work) => {
    exitCode = (await work()) ?? EXIT.ok
  }
  for (const register of COMMANDS) register({ program, terminal, act })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    // Its message is on stderr already; help that was asked for is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return EXIT.brokenPipe
    const { exitCode: code, lines } = explainFailure(error)
    say(terminal, ...lines)
    return code
  }
}
