import { isObject } from '../gate/is-object.js'
import { commitShaFault, int64Fault, MAX_INT32 } from '../gate/identity.js'
import type { StoredRun } from '../store/runs.js'
import type { LineFaults } from './line-faults.js'
import { provenanceTextFault, type RunRules } from './rules.js'

type StoredProvenance = StoredRun['provenance']

const MEMBERS = ['commit_sha', 'pr_number', 'github_run_id', 'github_run_attempt', 'event_name', 'ref']

/**
 * Reads the provenance of a run.
 * @param pointer where it stands in the line
 * @param githubRunIdText tells the id as written, which a double may have rounded
 */
export function readProvenance(
  value: unknown,
  pointer: string,
  githubRunIdText: () => string | undefined,
  rules: RunRules,
  faults: LineFaults,
): StoredProvenance {
  if (!isObject(value)) {
    faults.add(
      pointer,
      value === undefined || value === null ? 'is missing' : 'must be an object with commit_sha, …',
    )
    return EMPTY
  }
  faults.addUnknown(`${pointer}/`, value, MEMBERS)

  const text = (name: string): string | null => {
    const given = value[name] ?? null
    if (given === null) return null
    const problem = typeof given === 'string' ? provenanceTextFault(given, rules) : 'must be a string'
    if (problem !== null) faults.add(`${pointer}/${name}`, problem)
    return typeof given === 'string' ? given : null
  }
  const integer = (name: string): number | null => {
    const given = value[name] ?? null
    if (given === null) return null
    const smallest = rules.names === 'written' ? 1 : 0
    const isSound =
      typeof given === 'number' && Number.isInteger(given) && given >= smallest && given <= MAX_INT32
    if (isSound) return given + 0
    faults.add(`${pointer}/${name}`, `must be a whole number from ${smallest} to ${MAX_INT32}`)
    return null
  }
  const githubRunId = (): bigint | null => {
    const given = value['github_run_id'] ?? null
    if (given === null) return null
    const digits = githubRunIdText() ?? ''
    const problem = typeof given === 'number' ? int64Fault(digits) : int64Fault('')
    if (problem === null) return BigInt(digits)
    faults.add(`${pointer}/github_run_id`, problem)
    return null
  }

  const commitSha = text('commit_sha')
  if (rules.names === 'written') {
    if ((value['commit_sha'] ?? null) === null) {
      faults.add(
        `${pointer}/commit_sha`,
        'is missing; it is a whole commit SHA: 40 or 64 lower-case hex digits',
      )
    } else if (commitSha !== null && commitSha !== '') {
      const problem = commitShaFault(commitSha)
      if (problem !== null) faults.add(`${pointer}/commit_sha`, problem)
    }
  }
  return {
    commitSha,
    prNumber: integer('pr_number'),
    githubRunId: githubRunId(),
    githubRunAttempt: integer('github_run_attempt'),
    eventName: text('event_name'),
    ref: text('ref'),
  }
}

const EMPTY: StoredProvenance = {
  commitSha: null,
  prNumber: null,
  githubRunId: null,
  githubRunAttempt: null,
  eventName: null,
  ref: null,
}
