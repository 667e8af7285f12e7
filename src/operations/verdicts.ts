import type { OverallDocument, VerdictPage } from '../documents/page.js'
import type { VerdictDocument } from '../documents/verdict.js'
import { GatehouseError } from '../errors.js'
import type { HistoryReader } from '../store/store.js'
import type { StoredVerdictHead, VerdictFilter } from '../store/verdicts.js'
import { encodeSeries } from './encode.js'
import type { Gatehouse } from './gatehouse.js'
import { newestFirst, readPage, type PageRequest } from './paging.js'
import { documentOf, headOf } from './verdict-document.js'

/** @throws GatehouseError not_found */
export async function readVerdict(
  { store, settings }: Gatehouse,
  verdictId: string,
): Promise<VerdictDocument> {
  const stored = await store.read((reader) => reader.findVerdict(verdictId))
  if (stored) return documentOf(stored)
  throw new GatehouseError(
    'not_found',
    `there is no verdict ${JSON.stringify(verdictId)}; verdicts that wrote no run are kept for ${settings.verdictRetentionDays} days`,
  )
}

/** Verdicts newest first, without their checks; asked for one workflow run or commit, also what they say together. */
export async function listVerdicts(
  { store }: Gatehouse,
  filter: VerdictFilter,
  request: PageRequest,
): Promise<VerdictPage> {
  return store.read(async (reader) => {
    const page = await readPage(
      ['verdicts', filter],
      request,
      newestFirst<StoredVerdictHead>(({ createdAt, verdictId }) => ({ createdAt, id: verdictId })),
      (page) => reader.listVerdicts(filter, page),
      ({ document }) => headOf(document),
    )
    const asksForAll = filter.githubRunId !== undefined || filter.commitSha !== undefined
    return asksForAll ? { ...page, overall: await readOverall(reader, filter) } : page
  })
}

/**
 * The answer for one final CI job. The filter on the outcome is left out: with it, an older passing attempt would
 * stand for a newer failing one.
 */
async function readOverall(reader: HistoryReader, filter: VerdictFilter): Promise<OverallDocument> {
  const { outcome: _outcome, ...rest } = filter
  const latest = await reader.latestVerdicts(rest)
  const failing = latest.filter(({ outcome }) => outcome === 'fail')
  return {
    outcome: latest.length === 0 ? 'none' : failing.length > 0 ? 'fail' : 'pass',
    verdicts: latest.length,
    failing: failing.map(({ verdictId, series, failingCi }) => ({
      verdict_id: verdictId,
      series: encodeSeries(series),
      failing_ci: failingCi,
    })),
  }
}
