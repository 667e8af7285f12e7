import { invalidInput } from '../errors.js'
import { InputFault } from '../exchange/input-fault.js'
import type { Chunks } from '../exchange/lines.js'
import { readImport } from '../exchange/read-import.js'
import type { ImportResult } from '../store/exchange.js'
import { askedBy } from './asked-by.js'
import { copyHistory } from './copy-history.js'
import type { Gatehouse } from './gatehouse.js'
import { evaluateWatching } from './ladders/evaluate.js'
import type { Caller } from './submission.js'

/**
 * Takes a file of runs, an export or the plain form: all of them or none.
 * @param onProgress told how many runs were read so far
 * @throws GatehouseError invalid_input, naming the line
 * @throws ImportConflict where a run id holds other content
 */
export async function importHistory(
  { store, log }: Gatehouse,
  caller: Caller,
  chunks: Chunks,
  onProgress: (runs: number) => void = () => undefined,
): Promise<ImportResult> {
  const { principal, requestId } = caller
  const now = await store.read((reader) => reader.now())
  try {
    const result = await store.importRuns(readImport(chunks, { now }), onProgress)
    log.info({ ...askedBy({ principal, requestId }), ...result }, 'history imported')
    if (result.runs > 0) {
      await copyImported({ store, log })
      // Which series a long file held is not remembered; ladders that have nothing new change nothing.
      await evaluateWatching({ store, log }, caller, (reader) => reader.laddersWatching(null))
    }
    return result
  } catch (error) {
    throw error instanceof InputFault ? invalidInput(error.faults) : error
  }
}

/** The import is done: without copies its runs are only read more slowly, until the next hour makes them. */
async function copyImported(gatehouse: Pick<Gatehouse, 'store' | 'log'>): Promise<void> {
  try {
    await copyHistory(gatehouse)
  } catch (error) {
    gatehouse.log.warn({ err: error }, 'the imported runs are not copied yet')
  }
}
