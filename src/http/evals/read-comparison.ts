import type { Sliced } from '../../gate/slices.js'
import type { ComparedSide, ComparisonSubmission } from '../../operations/evals/prepare-comparison.js'
import type { Compile } from '../schemas/ajv.js'
import { ComparisonFieldsSchema, RunNameSchema } from '../schemas/evals.js'
import { BodyFaults, readFields } from './read-items.js'
import { readRun } from './read-run.js'

/** Reads a comparison. @throws GatehouseError 422 that names the faults */
export function* readComparisonSubmission(body: unknown, compile: Compile): Sliced<ComparisonSubmission> {
  const faults = new BodyFaults()
  const fields = readFields(compile, ComparisonFieldsSchema, body, '', faults)
  faults.refuse()
  const { gates, strict, on_inconclusive: onInconclusive } = fields!
  const baseline = yield* readSide(compile, fields!.baseline, 'baseline', faults)
  const current = yield* readSide(compile, fields!.current, 'current', faults)
  faults.refuse()
  return {
    baseline: baseline!,
    current: current!,
    gates: {
      maxContextDrop: gates?.max_context_drop ?? null,
      maxLiftDrop: gates?.max_lift_drop ?? null,
      minMatched: gates?.min_matched ?? null,
    },
    strict: strict ?? false,
    onInconclusive: onInconclusive ?? 'pass',
  }
}

/** A stored run by its name alone, or a run as it would be stored. */
function* readSide(
  compile: Compile,
  value: unknown,
  where: string,
  faults: BodyFaults,
): Sliced<ComparedSide | null> {
  if (isNamed(value)) {
    const side = readFields(compile, RunNameSchema, value, where, faults)
    return side && { name: side.name }
  }
  const run = yield* readRun(compile, value, where, faults)
  return run && { name: null, run }
}

/** Whoever names a run beside questions is told that both do not go together, as by any unknown member. */
function isNamed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { name } = value as { name?: unknown }
  return name !== undefined && name !== null
}
