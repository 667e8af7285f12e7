import { createReadStream } from 'node:fs'
import { toJson } from '../../documents/json.js'
import type { ReplayDocument } from '../../documents/replay.js'
import { replayExport, replayHistory, type ReplayRequest } from '../../operations/replay-history.js'
import type { GateDefaults } from '../../gate/declarations.js'
import { readDeclaredSeries } from '../../replay/read-declared.js'
import { EXIT } from '../exit-codes.js'
import { badInput } from '../failure.js'
import { openInput, readText, sizeOf } from '../files.js'
import { seriesFilterOf, seriesFilters, timeFilters, type SeriesFlags, type TimeFlags } from '../filters.js'
import { configOf, databaseOptions, withGatehouse, type DatabaseOptions } from '../open-gatehouse.js'
import type { Registration } from '../program.js'
import { say, type Terminal } from '../terminal.js'

interface ReplayFlags extends DatabaseOptions, SeriesFlags, TimeFlags {
  readonly export?: string
  readonly declarations?: string
}

export function replayCommand({ program, terminal, act }: Registration): void {
  const command = program
    .command('replay')
    .description('Judge every stored value by today’s declarations: is the history consistent with itself?')
    .option('--export <file>', 'replay this export, and touch no store')
    .option(
      '--declarations <file>',
      'JSON: [{"series": {…}, "declarations": […]}, …]; without it, those of the newest run of each series',
    )
  databaseOptions(timeFilters(seriesFilters(command), 'candidates'))
    .addHelpText(
      'after',
      `
Writes nothing. The report goes to standard output, a summary of it to standard error. Exit code 1: a value fails,
a run lacks what is declared, or nothing could be compared.

Examples:
  gatehouse replay > report.json
  gatehouse replay --test-path tests/e2e/test_ppo.py --since 2026-11-01T00:00:00Z
  gatehouse replay --export history.ndjson --declarations gates.json
`,
    )
    .action((flags: ReplayFlags) => act(() => replay(terminal, flags)))
}

async function replay(terminal: Terminal, flags: ReplayFlags): Promise<number> {
  if (flags.export !== undefined && flags.database !== undefined)
    throw badInput('--export replays a file, and --database names a store; leave one of them out')
  const config = configOf(terminal, flags)
  const request: ReplayRequest = {
    declarations:
      flags.declarations === undefined
        ? null
        : await readDeclarations(terminal, flags.declarations, config.gateDefaults),
    series: seriesFilterOf(flags),
    since: flags.since ?? null,
    until: flags.until ?? null,
  }
  const path = flags.export
  const report =
    path === undefined
      ? await withGatehouse(terminal, config, { mustExist: true }, (gatehouse) =>
          replayHistory(gatehouse, request),
        )
      : await replayExport(await rereadable(path), request, config)
  terminal.stdout.write(`${toJson(report)}\n`)
  say(terminal, ...summaryOf(report))
  return report.outcome === 'pass' ? EXIT.ok : EXIT.negative
}

async function readDeclarations(terminal: Terminal, path: string, defaults: GateDefaults) {
  const text = await readText(await openInput(terminal, path))
  const declared = readDeclaredSeries(text, 'declarations', defaults)
  if (declared.ok) return declared.value
  throw badInput(`${path} holds no declarations that can be replayed`, null, declared.faults)
}

/** The declarations may be the file's own, and then it is read twice. */
async function rereadable(path: string) {
  if (path === '-') throw badInput('--export takes a file, not standard input: it may be read twice')
  // Told now when it is missing.
  await sizeOf(path)
  return () => Promise.resolve(createReadStream(path, { highWaterMark: 1 << 18 }))
}

function summaryOf(report: ReplayDocument): string[] {
  const { counts, snapshot } = report
  const place = ({
    series,
    metric_key,
    step,
  }: ReplayDocument['zero_flip_coordinates'][number] | ReplayDocument['stale_coordinates'][number]) =>
    `${metric_key} at ${step} of ${series.test_path} (${series.backend}, ${series.suite})`
  return [
    `${report.outcome.toUpperCase()}: ${counts.comparisons} comparisons over ${snapshot.runs} runs, ${counts.failures} fail` +
      ` (${report.trusted_inconsistencies_total} of trusted runs, ${report.untrusted_regressions_total} of untrusted ones)`,
    `${counts.cold_starts} cold starts, ${counts.insufficient_history} with too little history, ${counts.incomplete} incomplete, ${counts.ambiguous_window} ambiguous windows`,
    ...report.stale_coordinates
      .slice(0, 20)
      .map(
        (item) =>
          `stale: ${place(item)}, three times ${item.side}; a reset revokes ${item.reset_run_ids_total} runs`,
      ),
    ...report.zero_flip_coordinates
      .slice(0, 20)
      .map(
        (item) =>
          `flips to zero: ${place(item)}, ${item.zeros} zeros of ${item.zeros + item.non_zeros}; widen its band`,
      ),
    ...(counts.comparisons === 0
      ? ['nothing was compared: are the series and the declarations the right ones?']
      : []),
  ]
}
