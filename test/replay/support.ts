import type { Declaration } from '../../src/gate/declarations.js'
import type { Series } from '../../src/gate/run.js'
import { Replay, type ReplayRun } from '../../src/replay/replay.js'
import type { ReplayReport } from '../../src/replay/report.js'
import { declare } from '../support/judging.js'

export const SERIES: Series = { testPath: 'tests/test_a.py', backend: 'cuda', suite: 'nightly' }
export const BAND = { rel_up: 0.1, rel_down: 0.1 }

/** Minutes after a fixed moment. */
export function at(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString().replace('Z', '000Z')
}

/** The values of a run by metric: one value at `"last"`, or pairs of step and value. */
export type Values = Readonly<Record<string, number | ReadonlyArray<readonly [step: number, value: number]>>>

let ids = 0

/** A run; its id ascends, so that runs made one after another stand in order also at one time. */
export function run(minute: number, values: Values, changes: Partial<ReplayRun> = {}): ReplayRun {
  return {
    runId: `r${String(ids++).padStart(6, '0')}`,
    createdAt: at(minute),
    trusted: true,
    series: SERIES,
    values: Object.entries(values).flatMap(([metricKey, given]) =>
      (typeof given === 'number' ? [[-1, given] as const] : given).map(([step, value]) => ({
        metricKey,
        step,
        value,
      })),
    ),
    ...changes,
  }
}

/** A run a minute, each with one value of `m` at `"last"`. */
export function runsOf(values: readonly number[], changes: Partial<ReplayRun> = {}): ReplayRun[] {
  return values.map((value, minute) => run(minute, { m: value }, changes))
}

export function sound(declarations: unknown): readonly Declaration[] {
  const read = declare(declarations)
  if (!read.ok) throw new Error(read.faults[0]?.message)
  return read.value
}

interface Options {
  readonly window?: number
  readonly minimum?: number
  readonly listLimit?: number
  readonly since?: string
  readonly until?: string
  readonly series?: Series
}

/** Replays runs of one series by declarations; without any, `m` at `"last"` under a band of a tenth. */
export function replay(
  runs: readonly ReplayRun[],
  declarations: unknown = [{ metric_key: 'm', steps: 'last', constraint: BAND }],
  { window = 20, minimum = 10, listLimit = 1_000, since, until, series = SERIES }: Options = {},
): ReplayReport {
  const replay = new Replay(
    [{ series, declarations: sound(declarations) }],
    { window, minimum, listLimit },
    { since: since ?? null, until: until ?? null },
  )
  for (const one of runs) replay.add(one)
  return replay.report()
}

/** Equal values, as many. */
export function repeat(count: number, value: number): number[] {
  return Array.from({ length: count }, () => value)
}
