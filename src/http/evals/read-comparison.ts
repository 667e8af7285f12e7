import type { FastifyRequest } from 'fastify'
import type { Sliced } from '../../evals/slices.js'
import type { ComparedSide, ComparisonSubmission } from '../../operations/evals/compare-evals.js'
import { ComparisonFieldsSchema, RunNameSchema } from '../schemas/evals.js'
import { BodyFaults, jsonBody, readFields } from './read-items.js'
import { readRun } from './read-run.js'

/** Reads a comparison. @throws GatehouseError 422 that names the faults */
export function* readComparisonSubmission(request: FastifyRequest): Sliced<ComparisonSubmission> {
  const faults = new BodyFaults()
  const fields = readFields(request, ComparisonFieldsSchema, jsonBody(request), '', faults)
  faults.refuse()
  const { gates, strict, on_inconclusive: onInconclusive } = fields!
  const baseline = yield* readSide(request, fields!.baseline, 'baseline', faults)
  const current = yield* readSide(request, fields!.current, 'current', faults)
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
  request: FastifyRequest,
  value: unknown,
  where: string,
  faults: BodyFaults,
): Sliced<ComparedSide | null> {
  if (isNamed(value)) {
    const side = readFields(request, RunNameSchema, value, where, faults)
    return side && { name: side.name }
  }
  const run = yield* readRun(request, value, where, faults)
  return run && { name: null, run }
}

/** Whoever names a run beside questions is told that both do not go together, as by any unknown member. */
function isNamed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { name } = value as { name?: unknown }
  return name !== undefined && name !== null
}
