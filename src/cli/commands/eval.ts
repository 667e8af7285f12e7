import { parse } from 'node:path'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { checkNames, type EvalLog, type LogFile, type LogReader } from '../../evals/import/eval-log.js'
import { gridBody, runBody, type Side } from '../../evals/import/bodies.js'
import { readInspect } from '../../evals/import/inspect.js'
import { readLmEval } from '../../evals/import/lm-eval.js'
import { readPromptfoo } from '../../evals/import/promptfoo.js'
import type { Model } from '../../evals/eval-run.js'
import { badInput } from '../failure.js'
import { inPieces, openInput, readText, writeOutput } from '../files.js'
import { flagOf } from '../flags.js'
import type { Registration } from '../program.js'
import { say, type Terminal } from '../terminal.js'

const READERS = { inspect: readInspect, 'lm-eval': readLmEval, promptfoo: readPromptfoo } satisfies Record<
  string,
  LogReader
>

interface Flags {
  readonly from: keyof typeof READERS
  readonly as: 'grid' | 'run'
  readonly output: string
  readonly metric?: string
  readonly filter?: string
  readonly name?: string
  readonly harness?: string
  readonly baseline?: readonly string[]
  readonly baselineHarness?: string
  readonly baselineScore?: number
  readonly judge?: Model
}

/** Flags of one form of body; for the other they are refused, not ignored. */
const FORM_FLAGS = {
  name: 'grid',
  harness: 'run',
  baseline: 'run',
  baselineHarness: 'run',
  baselineScore: 'run',
  judge: 'run',
} as const satisfies Partial<Record<keyof Flags, Flags['as']>>

export function evalCommand({ program, terminal, act }: Registration): void {
  const evals = program.command('eval').description('Logs of eval tools as grids and eval runs.')
  const command = evals
    .command('import')
    .description('Turn the log of an eval tool into the body of a request, on standard output.')
    .argument('<files...>', 'the log; for lm-eval the results file and a samples file of each task')
    .addOption(
      new Option('--from <tool>', 'what wrote the log').choices(Object.keys(READERS)).makeOptionMandatory(),
    )
    .addOption(
      new Option('--as <form>', 'a grid for POST /v1/evals/grids, or a run for PUT /v1/evals/runs/NAME')
        .choices(['grid', 'run'])
        .default('grid'),
    )
    .option('-o, --output <file>', 'where to, instead of standard output', '-')
    .option('--metric <name>', 'which score, where the log holds several')
    .option('--filter <name>', 'which filter of lm-eval, where a task has several')
  runOptions(command)
  command
    .addHelpText('after', HELP)
    .action((files: string[], flags: Flags) => act(() => run(terminal, files, flags)))
  evals.addHelpText('after', HELP)
}

function runOptions(command: Command): void {
  command
    .optionsGroup('A grid:')
    .option('--name <name>', 'what the grid is called; where not given, the name of the first file')
    .optionsGroup('A run:')
    .option(
      '--baseline <file>',
      'the log without the context; repeatable, as lm-eval has several files',
      collect,
    )
    .option('--baseline-score <number>', 'one score for every question without the context, as 0', scoreFlag)
    .option('--harness <name>', 'which model (and prompt), where the log holds several')
    .option('--baseline-harness <name>', 'the same of the baseline; without --baseline, of the same log')
    .option('--judge <provider/model>', 'what gave the scores, where the log does not say', judgeFlag)
}

const HELP = `
A question is a task of the grid, a model (with its prompt) is a harness, an epoch is a repeat. What was planned comes
from what was to be run, so that a log that broke off makes a grid that is not complete. What is left out is told on stderr.

Examples:
  gatehouse eval import --from inspect log.json > grid.json
  gatehouse eval import --from lm-eval --metric acc results_*.json samples_*.jsonl > grid.json
  gatehouse eval import --from promptfoo results.json --as run --baseline-score 0 > run.json
  gatehouse eval import --from inspect with-context.json --as run --baseline without.json --judge acme/j-1 > run.json
`

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}

function scoreFlag(text: string): number {
  const score = Number(text)
  if (text.trim() === '' || !Number.isFinite(score))
    throw new InvalidArgumentError('It must be a finite number.')
  return score
}

function judgeFlag(text: string): Model {
  const at = text.indexOf('/')
  if (at <= 0 || at === text.length - 1)
    throw new InvalidArgumentError('It must be provider/model, as acme/j-1.')
  return { provider: text.slice(0, at), model: text.slice(at + 1) }
}

async function run(terminal: Terminal, paths: readonly string[], flags: Flags): Promise<void> {
  refuseStrayFlags(flags)
  const log = await readLog(terminal, paths, flags)
  const name = flags.name ?? parse(paths[0]!).name
  const body = flags.as === 'grid' ? gridBody(name, log) : await runOf(terminal, log, flags)
  await writeOutput(terminal, flags.output, inPieces(`${JSON.stringify(body)}\n`))
}

async function runOf(terminal: Terminal, log: EvalLog, flags: Flags): Promise<object> {
  const context: Side = { log, harness: flags.harness ?? null }
  const made = runBody({
    context,
    baseline: await baselineOf(terminal, log, flags),
    judge: flags.judge ?? null,
  })
  if (!made.ok)
    throw badInput(
      'the log makes no eval run',
      'Name the run without the context by --baseline or --baseline-harness, or one score by --baseline-score.',
      made.faults,
    )
  return made.value
}

async function baselineOf(terminal: Terminal, log: EvalLog, flags: Flags): Promise<Side | number | null> {
  const { baseline, baselineHarness, baselineScore } = flags
  if (baselineScore !== undefined) {
    if (baseline !== undefined || baselineHarness !== undefined)
      throw badInput('--baseline-score stands beside another baseline', 'Leave one of them out.')
    return baselineScore
  }
  if (baseline !== undefined)
    return { log: await readLog(terminal, baseline, flags), harness: baselineHarness ?? null }
  return baselineHarness === undefined ? null : { log, harness: baselineHarness }
}

async function readLog(terminal: Terminal, paths: readonly string[], flags: Flags): Promise<EvalLog> {
  const files: LogFile[] = []
  for (const path of paths) {
    const input = await openInput(terminal, path)
    files.push({ name: input.name, text: await readText(input) })
  }
  const read = READERS[flags.from](files, { metric: flags.metric ?? null, filter: flags.filter ?? null })
  const names = files.map(({ name }) => name).join(', ')
  const faults = read.ok ? checkNames(read.value) : read.faults
  if (!read.ok || faults.length > 0)
    throw badInput(`${names} cannot be read as a log of ${flags.from}`, null, faults)
  say(terminal, ...read.value.notes.map((note) => `gatehouse: ${note}`))
  return read.value
}

function refuseStrayFlags(flags: Flags): void {
  for (const [key, form] of Object.entries(FORM_FLAGS)) {
    if (flags[key as keyof Flags] !== undefined && form !== flags.as)
      throw badInput(`${flagOf(key)} belongs to --as ${form}, and this makes a ${flags.as}`)
  }
  if (flags.filter !== undefined && flags.from !== 'lm-eval')
    throw badInput(`--filter belongs to --from lm-eval, and this is ${flags.from}`)
}
