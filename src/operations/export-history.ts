import { writeExport } from '../exchange/write-export.js'
import type { ExportedRun } from '../store/exchange.js'
import type { RunFilter } from '../store/runs.js'
import type { Gatehouse } from './gatehouse.js'
import { streamed } from './streamed.js'

/**
 * The history that a filter selects, as the text of an export, from one snapshot and with flat memory.
 * @param onRun told how many runs went out so far
 * @throws StoreUnavailable, also in the middle: an export without its trailer is cut off, and its readers refuse it
 */
export function exportHistory(
  { store }: Gatehouse,
  filter: RunFilter,
  onRun: (runs: number) => void = () => undefined,
): AsyncGenerator<string, void, undefined> {
  return streamed((write) =>
    store.read(
      async (reader) => {
        const facts = { createdAt: await reader.now(), filter }
        for await (const piece of writeExport(facts, counted(reader.exportRuns(filter), onRun))) {
          await write(piece)
        }
      },
      { replica: true, long: true },
    ),
  )
}

async function* counted(
  runs: AsyncIterable<ExportedRun>,
  onRun: (runs: number) => void,
): AsyncGenerator<ExportedRun> {
  let count = 0
  for await (const run of runs) {
    yield run
    onRun(++count)
  }
}
