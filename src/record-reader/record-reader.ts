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
   * As `planRecord`. The memory that large parts lie in is given away, with all that lies in it besides: the caller must
   * not look at it again.
   * @throws GatehouseError unavailable when the reader is closed, or its thread broke down
   */
  async plan(
    source: RecordSource | null,
    declarations: readonly Declaration[],
  ): Promise<Outcome<PlannedRecord>> {
    if (source?.kind !== 'parts' || bytesOf(source.parts) <= INLINE_BYTES)
      return planRecord(source, declarations)
    const parts = source.parts.map(transferable)
    return this.#thread.ask({ parts, declarations }, [...new Set(parts.map(({ buffer }) => buffer))])
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

function bytesOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}

/** What is small may lie in Node's pool, which belongs to all. To copy what is large takes the loop as long as to read it. */
function transferable(part: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = part
  const isPooled = buffer.byteLength <= Buffer.poolSize
  return buffer instanceof ArrayBuffer && !isPooled
    ? (part as Uint8Array<ArrayBuffer>)
    : Uint8Array.from(part)
}
