import type { Declaration } from './declarations.js'
import type { MergedRecord } from './record.js'
import type { Baseline, Coordinate } from './run.js'
import { select, type Selection } from './selection.js'

export interface PlannedDeclaration {
  readonly declaration: Declaration
  readonly selection: Selection
}

/** What a run is judged on, before any history is read. */
export interface Plan {
  readonly declarations: readonly PlannedDeclaration[]
  /** The coordinates that need a baseline, in the order of their checks. */
  readonly coordinates: readonly Coordinate[]
  /** The metrics whose trusted steps tell whether the run is shorter than its history. */
  readonly allStepMetrics: readonly string[]
  readonly checks: number
  readonly undeclaredMetrics: readonly string[]
}

/** What the store read for a plan. */
export interface History {
  /** One a coordinate of the plan, in its order. */
  readonly baselines: readonly Baseline[]
  /** The steps of the newest trusted run that holds the metric. */
  readonly trustedSteps: ReadonlyMap<string, readonly number[]>
}

/** Selects what each declaration judges. */
export function planVerdict(declarations: readonly Declaration[], record: MergedRecord): Plan {
  const planned = declarations.map((declaration) => ({
    declaration,
    selection: select(declaration.steps, record.get(declaration.metricKey)),
  }))
  const coordinates: Coordinate[] = []
  const allStepMetrics: string[] = []
  let checks = 0
  for (const { declaration, selection } of planned) {
    checks += selection.ok ? selection.values.length : 1
    if (!selection.ok) continue
    if (declaration.steps.kind === 'all') allStepMetrics.push(declaration.metricKey)
    if (declaration.rule.kind === 'hard_ref') continue
    for (const { step } of selection.values) coordinates.push({ metricKey: declaration.metricKey, step })
  }
  const declared = new Set(declarations.map(({ metricKey }) => metricKey))
  const undeclaredMetrics = [...record.keys()].filter((metric) => !declared.has(metric))
  return { declarations: planned, coordinates, allStepMetrics, checks, undeclaredMetrics }
}
