import { createHash } from 'node:crypto'
import { toJson, wireDouble, wireInteger } from '../documents/json.js'
import type { Timestamp } from '../gate/run.js'
import type { ExportedRun } from '../store/exchange.js'
import type { RunFilter } from '../store/runs.js'
import { encodeScope } from './scope.js'

export const EXPORT_VERSION = 1

export interface ExportFacts {
  /** When the snapshot was taken. */
  readonly createdAt: Timestamp
  /** The filters that chose the runs. */
  readonly filter: RunFilter
}

/** Characters that are gathered before they are handed on: a piece for each short line would cost more than the line. */
const PIECE = 64 * 1_024

/**
 * The text of an export: a header, a line a run, and a trailer by which a reader knows that it has all of it and
 * nothing was changed.
 */
export async function* writeExport(
  facts: ExportFacts,
  runs: AsyncIterable<ExportedRun> | Iterable<ExportedRun>,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let piece = exportHeader(facts)
  let count = 0
  let values = 0
  for await (const run of runs) {
    piece += exportLine(run)
    count++
    values += run.values.length
    if (piece.length < PIECE) continue
    hash.update(piece)
    yield piece
    piece = ''
  }
  const sha256 = hash.update(piece).digest('hex')
  yield `${piece}${JSON.stringify({ end: { runs: count, values, sha256 } })}\n`
}

export function exportHeader({ createdAt, filter }: ExportFacts): string {
  return `${toJson({ gatehouse_export: EXPORT_VERSION, created_at: createdAt, scope: encodeScope(filter) })}\n`
}

export function exportLine({
  runId,
  series,
  provenance,
  createdAt,
  trusted,
  cadence,
  values,
  declarations,
}: ExportedRun): string {
  const run = toJson({
    run_id: runId,
    series: { test_path: series.testPath, backend: series.backend, suite: series.suite },
    provenance: {
      commit_sha: provenance.commitSha,
      pr_number: provenance.prNumber,
      github_run_id: wireInteger(provenance.githubRunId),
      github_run_attempt: provenance.githubRunAttempt,
      event_name: provenance.eventName,
      ref: provenance.ref,
    },
    created_at: createdAt,
    trusted,
    cadence,
  })
  const points = JSON.stringify(
    values.map(({ metricKey, step, value, stepsKey, constraintKey }) => ({
      metric_key: metricKey,
      step,
      value: wireDouble(value),
      steps_key: stepsKey,
      constraint_key: constraintKey,
    })),
  )
  return `{"run":${run},"values":${points},"declarations":${declarations === null ? 'null' : onOneLine(declarations)}}\n`
}

/** Between its tokens JSON may hold line ends, which would end the line of the export; within a string it cannot. */
function onOneLine(json: string): string {
  return json.replace(/[\r\n]+/g, ' ')
}
