import { builtInGateDefaults } from '../../src/gate/defaults.js'
import { resolveDeclarations, type Declaration } from '../../src/gate/declarations.js'
import { readJsonDeclarations } from '../../src/gate/json-literals.js'
import type { Outcome } from '../../src/gate/outcome.js'
import { readRecordParts, type MergedRecord } from '../../src/gate/record.js'
import { planVerdict } from '../../src/gate/plan.js'
import { runToEnd } from '../../src/gate/slices.js'
import { judge, type Check, type Verdict } from '../../src/gate/verdict.js'
import { baselinesOf, newestFirst, type MemoryRun } from './memory-history.js'

const DEFAULTS = builtInGateDefaults()

/** Declarations from JSON text or a value, with the built-in defaults. */
export function declare(declarations: unknown): Outcome<readonly Declaration[]> {
  const text = typeof declarations === 'string' ? declarations : JSON.stringify(declarations)
  const raw = readJsonDeclarations(Buffer.from(text))
  return raw.ok ? resolveDeclarations(raw.value, DEFAULTS) : raw
}

/** One line of a record. */
export function line(metric: string, series: unknown): string {
  return `${JSON.stringify({ metric, series })}\n`
}

/** A record from its lines, which must be sound. */
export function recordOf(...lines: string[]): MergedRecord {
  const record = readRecordParts([Buffer.from(lines.join(''))])
  if (!record.ok) throw new Error(record.faults[0]?.message)
  return record.value
}

/** Judges a record against a history in memory, by declarations that must be sound. */
export function judgeInMemory(
  declarations: readonly Declaration[],
  record: MergedRecord,
  history: readonly MemoryRun[],
  { window = 20, minimum = 10 } = {},
): Verdict {
  const plan = planVerdict(declarations, record)
  const trusted = newestFirst(history.filter((run) => run.trusted))
  const trustedSteps = new Map(
    plan.allStepMetrics.flatMap((metric) => {
      const holder = trusted.find(({ values }) => values.some(([key, step]) => key === metric && step >= 0))
      const steps = holder?.values
        .filter(([key, step]) => key === metric && step >= 0)
        .map(([, step]) => step)
      return steps ? [[metric, steps.sort((a, b) => a - b)] as const] : []
    }),
  )
  const baselines = baselinesOf(history, plan.coordinates, window)
  return runToEnd(judge(plan, { baselines, trustedSteps }, minimum))
}

/** A history of runs one hour apart, oldest first, each with one value at one coordinate. */
export function historyOf(
  values: readonly number[],
  { metric = 'm', step = -1, trusted = true } = {},
): MemoryRun[] {
  return values.map((value, i) => ({
    runId: `run-${String(i).padStart(4, '0')}`,
    createdAt: new Date(Date.UTC(2026, 0, 1, i)).toISOString().replace('Z', '000Z'),
    trusted,
    values: [[metric, step, value]],
  }))
}

/** The single check of a one-coordinate judgement of `m` at `"last"`. */
export function checkOne(
  rule: object,
  value: unknown,
  history: readonly MemoryRun[],
  extra: object = {},
): Check & { verdict: Verdict } {
  const declarations = declare([{ metric_key: 'm', steps: 'last', ...rule, ...extra }])
  if (!declarations.ok) throw new Error(declarations.faults[0]?.message)
  const verdict = judgeInMemory(declarations.value, recordOf(line('m', [[0, value]])), history)
  return { ...verdict.checks[0]!, verdict }
}
