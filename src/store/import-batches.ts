/** An import in bounded pieces, each run checked and no run twice in a piece. */
import { setImmediate } from 'node:timers/promises'
import { sameContent } from './import-content.js'
import { ImportConflict } from './errors.js'
import type { ImportedRun } from './exchange.js'
import type { RunValue } from './runs.js'
import { assertStorableImport } from './write-checks.js'

export interface ImportBatch {
  /** No id twice. */
  readonly runs: readonly ImportedRun[]
  /** How many more there were with the id and the content of one of them. */
  readonly repeated: number
}

/**
 * Pulls no further than one batch ahead of what is written.
 * @param limits a batch ends before it exceeds one of them; a run with more values is a batch of its own
 * @throws ImportConflict, NotStorable; whatever `runs` throws
 */
export async function* batchRuns(
  runs: AsyncIterable<ImportedRun>,
  limits: { readonly runs: number; readonly values: number },
): AsyncGenerator<ImportBatch, void, undefined> {
  let batch = new Map<string, ImportedRun>()
  let repeated = 0
  let values = 0
  for await (const run of runs) {
    assertStorableImport(run)
    const first = batch.get(run.runId)
    if (first !== undefined) {
      assertSameRun(first, run)
      repeated++
      continue
    }
    if (batch.size > 0 && (batch.size >= limits.runs || values + run.values.length > limits.values)) {
      yield { runs: [...batch.values()], repeated }
      // SQLite answers without ever leaving the event loop: others get their turn here.
      await setImmediate()
      batch = new Map()
      repeated = values = 0
    }
    batch.set(run.runId, run)
    values += run.values.length
  }
  if (batch.size > 0) yield { runs: [...batch.values()], repeated }
}

/** @throws ImportConflict when the run that is there has other content */
export function assertSameRun(there: Parameters<typeof sameContent>[0], run: ImportedRun): void {
  if (!sameContent(there, run)) throw new ImportConflict(run.runId, run.where)
}

export interface ValueOfRun {
  readonly runId: string
  readonly value: RunValue
}

/**
 * All values of some runs, coordinate after coordinate: the index that begins with the coordinate is touched at one
 * place for all runs. Measured over two million values on SQLite: half the time.
 */
export function valuesByCoordinate(runs: readonly ImportedRun[]): ValueOfRun[] {
  const values = runs.flatMap(({ runId, values }) => values.map((value) => ({ runId, value })))
  return values.sort((one, other) => compareCoordinates(one.value, other.value))
}

/** Any total order would do. */
function compareCoordinates(one: RunValue, other: RunValue): number {
  if (one.metricKey === other.metricKey) return one.step - other.step
  return one.metricKey < other.metricKey ? -1 : 1
}
