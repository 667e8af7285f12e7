import { InvalidArgumentError, Option, type Command } from 'commander'
import { CONVERTERS, FORMATS, type Format } from '../../convert/formats.js'
import type { ConvertOptions, Target } from '../../convert/options.js'
import { readTime } from '../../convert/time.js'
import { badInput } from '../failure.js'
import { inPieces, openInput, readText, writeOutput } from '../files.js'
import { flagOf } from '../flags.js'
import type { Registration } from '../program.js'
import { say, type Terminal } from '../terminal.js'

interface Flags {
  readonly from: Format
  readonly to?: Target
  readonly output: string
  readonly prefix: string
  readonly testPath?: string
  readonly backend?: string
  readonly suite?: string
  readonly commitSha?: string
  readonly ref?: string
  readonly eventName?: string
  readonly createdAt?: string
  readonly untrusted?: true
  readonly skipFaulty?: true
  readonly stat?: readonly string[]
  readonly entry?: string
  readonly metricColumn?: string
  readonly stepColumn?: string
  readonly valueColumn?: readonly string[]
  readonly timeColumn?: string
  readonly commitColumn?: string
  readonly delimiter?: string
  readonly assumeUtc?: true
}

/** Flags that mean something for some formats or one target only; elsewhere they are refused, not ignored. */
const FORMAT_FLAGS: Readonly<Partial<Record<keyof Flags, Format>>> = {
  stat: 'pytest-benchmark',
  entry: 'github-action-benchmark',
  metricColumn: 'csv',
  stepColumn: 'csv',
  valueColumn: 'csv',
  timeColumn: 'csv',
  commitColumn: 'csv',
  delimiter: 'csv',
  assumeUtc: 'csv',
}
const IMPORT_FLAGS: ReadonlyArray<keyof Flags> = [
  ...(['testPath', 'backend', 'suite', 'commitSha', 'ref', 'eventName', 'createdAt'] as const),
  ...(['untrusted', 'skipFaulty', 'timeColumn', 'commitColumn'] as const),
]

export function convertCommand({ program, terminal, act }: Registration): void {
  const command = program
    .command('convert')
    .description('Turn the file of another tool into a record, or into runs to import.')
    .argument('<file>', 'the file, or - for standard input')
    .addOption(new Option('--from <format>', 'what the file is').choices([...FORMATS]).makeOptionMandatory())
    .addOption(
      new Option('--to <form>', 'a record for POST /v1/runs, or runs for `gatehouse import`').choices([
        'record',
        'import',
      ]),
    )
    .option('-o, --output <file>', 'where to, instead of standard output', '-')
    .option('--prefix <text>', 'put before every metric key, as perf/', '')
  importOptions(command)
  formatOptions(command)
  command
    .addHelpText('after', HELP)
    .action((file: string, flags: Flags) => act(() => convert(terminal, file, flags)))
}

function importOptions(command: Command): void {
  command
    .optionsGroup('Runs of an import:')
    .option('--test-path <path>', 'the series: the test')
    .option('--backend <name>', 'the series: what it ran on')
    .option('--suite <name>', 'the series: the stage it ran in')
    .option('--commit-sha <sha>', 'the commit, where the file tells none')
    .option('--created-at <time>', 'the time, where the file tells none, as 2026-11-01T15:00:00Z', timeOf)
    .option('--ref <ref>', 'the git ref, as refs/heads/main')
    .option('--event-name <name>', 'the event that started the run')
    .option('--untrusted', 'keep the runs out of baselines')
    .option('--skip-faulty', 'leave runs with faults out, and name them')
}

function formatOptions(command: Command): void {
  const repeat = (value: string, before: readonly string[] | undefined) => [...(before ?? []), value]
  command
    .optionsGroup('pytest-benchmark and github-action-benchmark:')
    .option('--stat <name>', 'which statistic, as median (the default), min, mean, ops; repeatable', repeat)
    .option('--entry <name>', 'take this benchmark of data.js alone')
    .optionsGroup('csv:')
    .option('--value-column <name>', 'the values; repeatable where each such column is a metric', repeat)
    .option('--metric-column <name>', 'the metric of each row, where a row is one value')
    .option('--step-column <name>', 'the step of each row')
    .option('--time-column <name>', 'the time of each row; with --to import')
    .option('--commit-column <name>', 'the commit of each row; with --to import')
    .option('--delimiter <text>', 'what stands between columns, instead of a comma; \\t is a tab')
    .option('--assume-utc', 'times without an offset are UTC')
}

const HELP = `
Formats:
${FORMATS.map((name) => {
  const { summary, targets } = CONVERTERS[name]
  return `  ${name.padEnd(24)} ${summary}; makes ${Object.keys(targets).join(' (or, with --to, ')}${Object.keys(targets).length > 1 ? ')' : ''}`
}).join('\n')}

A value without a step goes to the step that a gate with steps="last" reads. Values that are not finite become markers
in a record, and are refused in an import, as a history holds none. What is left out is told on stderr.

Examples:
  gatehouse convert --from hf-trainer out/checkpoint-500/trainer_state.json > record.jsonl
  gatehouse convert --from pytest-benchmark bench.json --stat min --stat ops > record.jsonl
  gatehouse convert --from github-action-benchmark data.js --test-path bench/all --backend linux -o import.ndjson
  gatehouse convert --from csv log.csv --step-column step --value-column loss --value-column lr
  gatehouse convert --from csv history.csv --to import --time-column date --commit-column sha \\
    --value-column p99_ms --test-path bench/api --backend linux --suite nightly | gatehouse import -
`

function timeOf(text: string): string {
  const read = readTime(text, false)
  if ('fault' in read) throw new InvalidArgumentError(read.fault)
  return read.time
}

async function convert(terminal: Terminal, path: string, flags: Flags): Promise<void> {
  const { targets } = CONVERTERS[flags.from]
  const target = flags.to ?? (Object.keys(targets) as Target[])[0]!
  const converter = targets[target]
  if (converter === undefined)
    throw badInput(`${flags.from} makes no ${target}`, `It makes: ${Object.keys(targets).join(', ')} (--to).`)
  refuseStrayFlags(flags, target)
  const input = await openInput(terminal, path)
  const converted = converter(await readText(input), optionsOf(flags))
  if (!converted.ok)
    throw badInput(`${input.name} cannot be converted from ${flags.from}`, null, converted.faults)
  await writeOutput(terminal, flags.output, inPieces(converted.value.text))
  say(terminal, ...converted.value.notes.map((note) => `gatehouse: ${note}`))
}

function refuseStrayFlags(flags: Flags, target: Target): void {
  for (const key of Object.keys(flags) as Array<keyof Flags>) {
    const flag = flagOf(key)
    const format = FORMAT_FLAGS[key]
    if (format !== undefined && format !== flags.from)
      throw badInput(`${flag} belongs to --from ${format}, and this is ${flags.from}`)
    if (target !== 'import' && IMPORT_FLAGS.includes(key))
      throw badInput(
        `${flag} belongs to an import, and this makes a record`,
        'A record names no run: say that when it is submitted. Or ask for --to import.',
      )
  }
}

function optionsOf(flags: Flags): ConvertOptions {
  return {
    prefix: flags.prefix,
    run: {
      testPath: flags.testPath ?? null,
      backend: flags.backend ?? null,
      suite: flags.suite ?? null,
      commitSha: flags.commitSha ?? null,
      ref: flags.ref ?? null,
      eventName: flags.eventName ?? null,
      createdAt: flags.createdAt ?? null,
      trusted: flags.untrusted !== true,
      skipFaulty: flags.skipFaulty === true,
    },
    pytestBenchmark: { stats: [...new Set(flags.stat ?? ['median'])] },
    githubActionBenchmark: { entry: flags.entry ?? null },
    csv: {
      metricColumn: flags.metricColumn ?? null,
      stepColumn: flags.stepColumn ?? null,
      valueColumns: flags.valueColumn ?? [],
      timeColumn: flags.timeColumn ?? null,
      commitColumn: flags.commitColumn ?? null,
      delimiter: (flags.delimiter ?? ',').replaceAll('\\t', '\t'),
      assumeUtc: flags.assumeUtc === true,
    },
  }
}
