import { wireInteger } from '../documents/json.js'
import type { Fault } from '../gate/outcome.js'
import type { Series } from '../gate/run.js'
import { shown } from '../gate/text.js'
import type { RunFilter } from '../store/runs.js'

/** Which runs an export holds, as its header says: the filters that it was made with. */
export type ExportScope = Readonly<Record<string, string | number | bigint | boolean>>

const SERIES_PARTS = ['test_path', 'backend', 'suite'] as const
export const SCOPE_MEMBERS: readonly string[] = [
  ...SERIES_PARTS,
  'run_id',
  'commit_sha',
  'github_run_id',
  'pr_number',
  'trusted',
  'since',
  'until',
]

/** The filters that were given, and no others. */
export function encodeScope(filter: RunFilter): ExportScope {
  const { testPath, backend, suite, runId, commitSha, githubRunId, prNumber, trusted, since, until } = filter
  const members = {
    test_path: testPath,
    backend,
    suite,
    run_id: runId,
    commit_sha: commitSha,
    github_run_id: githubRunId === undefined ? undefined : (wireInteger(githubRunId) ?? undefined),
    pr_number: prNumber,
    trusted,
    since,
    until,
  }
  return Object.fromEntries(
    Object.entries(members).filter(
      (entry): entry is [string, string | number | bigint | boolean] => entry[1] !== undefined,
    ),
  )
}

/**
 * Why a replay cannot rest on an export of this scope: it lacks runs that the baselines need, or holds none of a
 * series that is declared.
 */
export function scopeFaults(scope: ExportScope, declared: Iterable<Series>): Fault[] {
  const faults: Fault[] = []
  const where = 'line 1'
  for (const name of Object.keys(scope)) {
    if (name === 'until' || (SERIES_PARTS as readonly string[]).includes(name)) continue
    const message = `the export was filtered by ${name}, and a replay needs the whole history of a series; export without that filter`
    faults.push({ where, message })
  }
  for (const { testPath, backend, suite } of declared) {
    const parts = { test_path: testPath, backend, suite }
    for (const name of SERIES_PARTS) {
      if (scope[name] === undefined || scope[name] === parts[name]) continue
      const message = `the export is of another scope: it holds ${name} ${shown(String(scope[name]))}, and ${shown(parts[name])} is declared`
      faults.push({ where, message })
    }
  }
  return faults
}
