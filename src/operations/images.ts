import type { HistoryPointDocument } from '../documents/history.js'
import type { Series } from '../gate/run.js'
import type { HistoryFilter } from '../store/history.js'
import type { Gatehouse } from './gatehouse.js'
import { historyPage } from './history.js'

/** What pictures of the history are drawn from; both may come from a replica, as lists do. */

export interface PicturedHistory {
  /** Newest first, as `GET /v1/history` tells them. */
  readonly items: readonly HistoryPointDocument[]
  /** Those of their runs whose trust was taken away. */
  readonly revoked: ReadonlySet<string>
  /** Whether there are older ones. */
  readonly more: boolean
}

/** The newest values of one coordinate; none where it is unknown. */
export async function readPicturedHistory(
  { store }: Gatehouse,
  filter: HistoryFilter & { readonly step: number },
  limit: number,
): Promise<PicturedHistory> {
  return store.read(
    async (reader) => {
      const { items, next_cursor } = await historyPage(reader, filter, { limit, cursor: null })
      const untrusted = items.filter(({ trusted }) => !trusted).map(({ run_id }) => run_id)
      const revoked = await reader.revokedAmong([...new Set(untrusted)])
      return { items, revoked: new Set(revoked), more: next_cursor !== null }
    },
    { replica: true },
  )
}

/** What a series' newest run came to. */
export interface SeriesState {
  /** What the run's verdict said; null where it came another way than by a submission. */
  readonly outcome: 'pass' | 'fail' | null
  readonly trust: 'trusted' | 'untrusted' | 'revoked'
  readonly createdAt: string
}

/** The state of a series after its newest stored run; null where it has none. */
export async function readSeriesState({ store }: Gatehouse, series: Series): Promise<SeriesState | null> {
  return store.read(
    async (reader) => {
      const [run] = await reader.listRuns(series, { limit: 1, after: null })
      if (run === undefined) return null
      const { outcome, createdAt, runId, trusted } = run
      if (trusted) return { outcome, trust: 'trusted', createdAt }
      const isRevoked = (await reader.revokedAmong([runId])).length > 0
      return { outcome, trust: isRevoked ? 'revoked' : 'untrusted', createdAt }
    },
    { replica: true },
  )
}
