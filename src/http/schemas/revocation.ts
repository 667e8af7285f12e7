import { type Static, Type } from 'typebox'
import { invalidInput } from '../../errors.js'
import type { RunSelector } from '../../store/trust.js'
import { Absent, Body, CommitShaField, GithubRunIdField, ReasonField, RunIdField } from './fields.js'
import { TEXT_FORMATS } from './formats.js'

const MAX_RUN_IDS = 1_000

export const RevocationBodySchema = Body({
  run_id: Absent(RunIdField),
  run_ids: Absent(Type.Array(RunIdField, { minItems: 1, maxItems: MAX_RUN_IDS })),
  github_run_id: Absent(GithubRunIdField),
  commit_sha: Absent(CommitShaField),
  reason: ReasonField,
  dry_run: Absent(Type.Boolean({ description: 'tell what would happen, and change nothing' })),
})
export type RevocationBody = Static<typeof RevocationBodySchema>

export const UndoBodySchema = Body({ reason: ReasonField })

const SELECTORS = ['run_id', 'run_ids', 'github_run_id', 'commit_sha'] as const

/**
 * The runs that a revocation names, by exactly one key.
 * @param members the text of the body's members: a double would round a 64-bit id
 * @throws GatehouseError invalid_input
 */
export function readSelector(body: RevocationBody, members: ReadonlyMap<string, string>): RunSelector {
  const named = SELECTORS.filter((key) => body[key] !== undefined && body[key] !== null)
  if (named.length !== 1) {
    const wanted = `name the runs by exactly one of ${SELECTORS.join(', ')}`
    throw invalidInput(
      named.length === 0
        ? [{ where: 'body', message: wanted }]
        : named.slice(1).map((where) => ({ where, message: `stands beside ${named[0]}; ${wanted}` })),
    )
  }
  const { commit_sha: commitSha, run_id: runId, run_ids: runIds } = body
  if (typeof commitSha === 'string') return { commitSha }
  if (typeof runId === 'string') return { runIds: [runId] }
  if (Array.isArray(runIds)) return { runIds: [...new Set(runIds)] }
  const digits = members.get('github_run_id')?.trim() ?? ''
  const fault = TEXT_FORMATS.int64(digits)
  if (fault !== null) throw invalidInput([{ where: 'github_run_id', message: fault }])
  return { githubRunId: BigInt(digits) }
}
