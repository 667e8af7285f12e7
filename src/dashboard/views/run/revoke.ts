import type { Run } from '../../api/types'
import type { RevokeChoice } from '../../parts/revoke'

/** This run, or all that came of the same; an id that no number carries is left to the command line. */
export function revokeChoices({ run_id, provenance }: Run): readonly RevokeChoice[] {
  const { commit_sha, github_run_id } = provenance
  return [
    { selector: { run_id }, words: 'this run' },
    ...(commit_sha === null
      ? []
      : [{ selector: { commit_sha }, words: `every run of commit ${commit_sha.slice(0, 12)}` }]),
    ...(typeof github_run_id === 'number'
      ? [{ selector: { github_run_id }, words: `every run of workflow run ${github_run_id}` }]
      : []),
  ]
}
