import { wireDouble, wireInteger } from '../documents/json.js'
import type { HistoryPage, HistoryPointDocument } from '../documents/history.js'
import type { CheckDocument } from '../documents/verdict.js'
import type { HistoryFilter, HistoryPage as StorePage, HistoryPoint } from '../store/history.js'
import type { HistoryReader } from '../store/store.js'
import type { Gatehouse } from './gatehouse.js'
import { isText, isTimestamp, readPage, type PageRequest, type Place } from './paging.js'

type After = NonNullable<StorePage['after']>

/** A run holds several steps, and another writer's run may hold one twice: all four tell a point from the next. */
const byPoint: Place<HistoryPoint, After> = {
  // A non-finite value is no JSON number.
  of: ({ createdAt, runId, step, value }) => [createdAt, runId, step, String(value)],
  read: ([createdAt, runId, step, text, ...more]) => {
    if (!isTimestamp(createdAt) || !isText(runId) || !Number.isSafeInteger(step) || more.length > 0)
      return null
    if (typeof text !== 'string' || (text !== 'NaN' && Number.isNaN(Number(text)))) return null
    return { createdAt, runId, step: step as number, value: Number(text) }
  },
}

/** The stored values of one metric, newest first, each with what its run's own verdict said of it. */
export async function listHistory(
  { store }: Gatehouse,
  filter: HistoryFilter,
  request: PageRequest,
): Promise<HistoryPage> {
  return store.read((reader) => historyPage(reader, filter, request), { replica: true })
}

/** A page of the history as a transaction sees it. */
export function historyPage(
  reader: HistoryReader,
  filter: HistoryFilter,
  request: PageRequest,
): Promise<HistoryPage> {
  return readPage(
    ['history', filter],
    request,
    byPoint,
    (page) => reader.listHistory(filter, page),
    historyPoint,
  )
}

function historyPoint(point: HistoryPoint): HistoryPointDocument {
  const check = point.check === null ? null : (JSON.parse(point.check) as CheckDocument)
  return {
    run_id: point.runId,
    created_at: point.createdAt,
    commit_sha: point.commitSha,
    github_run_id: wireInteger(point.githubRunId),
    trusted: point.trusted,
    step: point.step,
    value: wireDouble(point.value),
    status: check?.status ?? null,
    mean: check?.baseline?.mean ?? null,
    lower: check?.baseline?.lower ?? check?.limit?.min ?? null,
    upper: check?.baseline?.upper ?? check?.limit?.max ?? null,
  }
}
