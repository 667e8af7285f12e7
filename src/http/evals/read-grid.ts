import type { Sliced } from '../../gate/slices.js'
import { textFault } from '../../gate/text.js'
import type { GridSubmission, SubmittedRow } from '../../operations/evals/prepare-grid.js'
import type { Compile } from '../schemas/ajv.js'
import { GridFieldsSchema, GridRowField, NameField, type GridRowFields } from '../schemas/evals.js'
import { BodyFaults, readFields, readItems } from './read-items.js'

/**
 * Reads a grid. What the reward and the error hold is data, whatever its type.
 * @throws GatehouseError 422 that names the faults
 */
export function* readGridSubmission(body: unknown, compile: Compile): Sliced<GridSubmission> {
  const faults = new BodyFaults()
  const fields = readFields(compile, GridFieldsSchema, body, '', faults)
  faults.refuse()
  const { name, plan, results, reward_range: range, pass_threshold: threshold } = fields!
  const names = (list: readonly unknown[], where: string) =>
    readItems(compile, NameField, list, where, faults, (one) => one)
  const tasks = yield* names(plan.tasks, 'plan/tasks')
  const harnesses = yield* names(plan.harnesses, 'plan/harnesses')
  const rows = yield* readItems(compile, GridRowField, results, 'results', faults, (row, index) =>
    readRow(row, index, faults),
  )
  faults.refuse()
  return {
    name: name ?? null,
    plan: { tasks, harnesses, repeats: plan.repeats ?? 1, dryRun: plan.dry_run ?? false },
    rewardRange: range ?? null,
    passThreshold: threshold ?? 1,
    rows,
  }
}

function readRow(row: GridRowFields, index: number, faults: BodyFaults): SubmittedRow {
  const { task, harness, repeat, reward, error, dry_run: dryRun, metrics } = row
  const message = typeof error === 'string' ? textFault(error) : null
  if (message !== null) faults.add({ where: `results/${index}/error`, message })
  return {
    task,
    harness,
    repeat: repeat ?? 1,
    reward,
    error,
    dryRun: dryRun ?? false,
    metrics: metrics ?? null,
  }
}
