import { createHash } from 'node:crypto'
import type { Declaration } from '../gate/declarations.js'
import { compareCodePoints } from '../gate/literal.js'
import { refused, type Outcome } from '../gate/outcome.js'
import { planVerdict, type Plan } from '../gate/plan.js'
import { readRecordArray, readRecordParts, type MergedRecord } from '../gate/record.js'
import type { RecordSource } from './submission.js'

/** What a record comes to: the values that are judged, and what tells it from another record. */
export interface PlannedRecord {
  readonly plan: Plan
  /** SHA-256 (hex) of the merged record, however it was spread over parts. */
  readonly digest: string
}

/** Checks per run: what one verdict may cost. */
export const MAX_CHECKS = 100_000

/**
 * Reads a record and selects from it what is judged. All of a run's work that grows with the size of its record.
 * @param source null where none was sent
 * @returns faults of its structure, or of how much it asks for
 */
export function planRecord(
  source: RecordSource | null,
  declarations: readonly Declaration[],
): Outcome<PlannedRecord> {
  const record = readRecord(source, declarations.length)
  if (!record.ok) return record
  const plan = planVerdict(declarations, record.value)
  if (plan.checks > MAX_CHECKS) {
    const message = `makes ${plan.checks} checks; a run has at most ${MAX_CHECKS}: declare fewer steps, or split the test`
    return refused({ where: 'record', message })
  }
  return { ok: true, value: { plan, digest: digestOf(record.value) } }
}

function readRecord(source: RecordSource | null, declared: number): Outcome<MergedRecord> {
  if (source === null) {
    if (declared === 0) return { ok: true, value: new Map() }
    const message = `is missing, and the test declares ${declared} ${declared === 1 ? 'metric' : 'metrics'}; send the record, an empty one if nothing was measured`
    return refused({ where: 'record', message })
  }
  return source.kind === 'parts' ? readRecordParts(source.parts) : readRecordArray(source.items)
}

function digestOf(record: MergedRecord): string {
  const hash = createHash('sha256')
  for (const [metric, { points, invalid }] of [...record].sort(([a], [b]) => compareCodePoints(a, b))) {
    hash.update(JSON.stringify([metric, points.length, invalid.map(({ pair }) => pair)]))
    // As doubles: text would cost ten times as much, and JSON has no form for a NaN. An unknown step is -1.
    const numbers = new Float64Array(points.length * 2)
    points.forEach(([step, value], i) => {
      numbers[2 * i] = step ?? -1
      numbers[2 * i + 1] = value
    })
    hash.update(new Uint8Array(numbers.buffer))
  }
  return hash.digest('hex')
}
