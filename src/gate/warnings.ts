import { shown } from './text.js'
import type { History, Plan } from './plan.js'

/** Something that a reader of the verdict should know and that fails nothing. */
export interface Warning {
  readonly metricKey: string | null
  readonly message: string
  /** For a run that is shorter than its history: at most the first 100 steps that it lacks. */
  readonly missingSteps: readonly number[] | null
}

interface Judged {
  readonly status: 'pass' | 'fail' | 'error' | 'inactive'
}

const MAX_MISSING_STEPS = 100

/** The warnings of a verdict: what is missing beside the history, what was left out, and when nothing was compared. */
export function collectWarnings(plan: Plan, history: History, checks: readonly Judged[]): Warning[] {
  const warnings = [...missingSteps(plan, history), ...nonFiniteHistory(plan, history)]
  if (!checks.some(({ status }) => status === 'pass' || status === 'fail')) {
    const cause =
      plan.declarations.length === 0
        ? 'the test declares no gate'
        : checks.some(({ status }) => status === 'error')
          ? 'no declared value could be read beside a history'
          : 'there is no trusted history yet'
    warnings.push({ metricKey: null, message: `Nothing was compared: ${cause}.`, missingSteps: null })
  }
  return warnings
}

/** A run that died early and exited 0 sends fewer steps than the newest trusted run that holds the metric. */
function missingSteps(plan: Plan, history: History): Warning[] {
  const warnings: Warning[] = []
  for (const { declaration, selection } of plan.declarations) {
    if (!selection.ok || declaration.steps.kind !== 'all') continue
    const sent = new Set(selection.values.map(({ step }) => step))
    const missing = (history.trustedSteps.get(declaration.metricKey) ?? []).filter((step) => !sent.has(step))
    if (missing.length === 0) continue
    const named = missing.slice(0, MAX_MISSING_STEPS)
    const list = `${named.slice(0, 10).join(', ')}${missing.length > 10 ? ', …' : ''}`
    const message =
      `${shown(declaration.metricKey)} lacks ${missing.length} of the steps that its newest trusted run holds ` +
      `(${list}); was the run cut short?`
    warnings.push({ metricKey: declaration.metricKey, message, missingSteps: named })
  }
  return warnings
}

function nonFiniteHistory(plan: Plan, history: History): Warning[] {
  const left = new Map<string, number>()
  history.baselines.forEach(({ nonFinite }, i) => {
    const { metricKey } = plan.coordinates[i]!
    if (nonFinite > 0) left.set(metricKey, (left.get(metricKey) ?? 0) + nonFinite)
  })
  return [...left].map(([metricKey, count]) => ({
    metricKey,
    message: `${count} stored non-finite ${count === 1 ? 'value' : 'values'} of ${shown(metricKey)} (another writer's) left out of the baseline`,
    missingSteps: null,
  }))
}
