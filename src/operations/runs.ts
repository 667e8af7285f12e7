import type { RunDocument, RunItem, RunPage } from '../documents/run.js'
import { wireDouble } from '../documents/json.js'
import { GatehouseError } from '../errors.js'
import type { RunFilter, RunListing } from '../store/runs.js'
import { encodeProvenance, encodeSeries } from './encode.js'
import type { Gatehouse } from './gatehouse.js'
import { newestFirst, readPage, type PageRequest } from './paging.js'

/** Stored runs, newest first, with what their own verdicts said. */
export async function listRuns(
  { store }: Gatehouse,
  filter: RunFilter,
  request: PageRequest,
): Promise<RunPage> {
  return store.read(
    (reader) =>
      readPage(
        ['runs', filter],
        request,
        newestFirst<RunListing>(({ createdAt, runId }) => ({ createdAt, id: runId })),
        (page) => reader.listRuns(filter, page),
        runItem,
      ),
    { replica: true },
  )
}

/**
 * One run with its values and the revocations that cover it.
 * @throws GatehouseError not_found
 */
export async function readRun({ store }: Gatehouse, runId: string): Promise<RunDocument> {
  return store.read(async (reader) => {
    const [run] = await reader.listRuns({ runId }, { limit: 1, after: null })
    if (!run) throw new GatehouseError('not_found', `there is no run ${JSON.stringify(runId)}`)
    const values = await reader.valuesOf(runId)
    const revocations = await reader.revocationsOf(runId)
    return {
      ...runItem(run),
      values: values.map(({ metricKey, step, value, stepsKey, constraintKey }) => ({
        metric_key: metricKey,
        step,
        value: wireDouble(value),
        steps_key: stepsKey,
        constraint_key: constraintKey,
      })),
      revocations: revocations.map(({ revocationId, createdAt, actor, reason, flipped, undone }) => ({
        revocation_id: revocationId,
        created_at: createdAt,
        actor,
        reason,
        flipped,
        undone,
      })),
    }
  })
}

function runItem(run: RunListing): RunItem {
  return {
    run_id: run.runId,
    created_at: run.createdAt,
    trusted: run.trusted,
    series: encodeSeries(run.series),
    provenance: encodeProvenance(run.provenance),
    cadence: run.cadence,
    verdict_id: run.verdictId,
    outcome: run.outcome,
  }
}
