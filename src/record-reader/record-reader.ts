/** Reads records: small ones where it is asked, large ones in a thread. */
import type { Declaration } from '../gate/declarations.js'
import type { Outcome } from '../gate/outcome.js'
import { planRecord, type PlannedRecord } from '../operations/plan-record.js'
import type { RecordSource } from '../operations/submission.js'
import { Thread } from '../thread/thread.js'
import type { PlanRequest } from './messages.js'

/** Reading this much takes some milliseconds; handing it over to a thread takes about one. */
const INLINE_BYTES = 512 * 1_024

export class RecordReader {
  readonly #thread = new Thread<PlanRequest, Outcome<PlannedRecord>>(
    new URL('./record-worker.js', import.meta.url),
    'the record',
  )

  /**
   * As `planRecord`. The memory of large parts is given away: the caller must not look at them again.
   * @throws GatehouseError unavailable when the reader is closed, or its thread broke down
   */
  async plan(
    source: RecordSource | null,
    declarations: readonly Declaration[],
  ): Promise<Outcome<PlannedRecord>> {
    if (source?.kind !== 'parts' || bytesOf(source.parts) <= INLINE_BYTES)
      return planRecord(source, declarations)
    const parts = source.parts.map(ownMemory)
    return this.#thread.ask(
      { parts, declarations },
      parts.map(({ buffer }) => buffer),
    )
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

function bytesOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}

/** Memory that can be handed over: a part of a larger buffer is copied, which takes a millisecond for some megabytes. */
function ownMemory(part: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = part
  const isWhole = buffer instanceof ArrayBuffer && part.length === buffer.byteLength
  return isWhole ? new Uint8Array(buffer) : Uint8Array.from(part)
}
