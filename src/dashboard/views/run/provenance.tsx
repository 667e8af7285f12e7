/** Where a run came from, with links where the job's own identity names the repository. */
import type { ComponentChildren } from 'preact'
import type { Run, Verdict } from '../../api/types'
import { forgeHrefs } from '../../hrefs'
import { Icon } from '../../parts/icon'
import { Name, ShortId } from '../../parts/name'
import { plural } from '../../parts/number'

interface Props {
  readonly run: Run | null
  readonly verdict: Verdict | null
}

export function Provenance({ run, verdict }: Props) {
  const { provenance } = (verdict ?? run)!
  const claims = verdict?.claims ?? null
  const hrefs = forgeHrefs(claims?.repository ?? null, provenance)
  const { commit_sha: sha, pr_number: pr, github_run_id: workflow, github_run_attempt: attempt } = provenance
  const { event_name: event, ref } = provenance
  return (
    <dl class="provenance panel">
      {claims?.repository && (
        <Fact name="Repository">
          <Outside href={hrefs.repository}>
            <Name text={claims.repository} />
          </Outside>
        </Fact>
      )}
      <Fact name="Commit">
        {sha === null ? (
          '—'
        ) : (
          <Outside href={hrefs.commit}>
            <ShortId id={sha} length={12} />
          </Outside>
        )}
      </Fact>
      {pr !== null && (
        <Fact name="Pull request">
          <Outside href={hrefs.pullRequest}>#{pr}</Outside>
        </Fact>
      )}
      {workflow !== null && (
        <Fact name="Workflow run">
          <Outside href={hrefs.workflowRun}>
            <span class="mono">{String(workflow)}</span>
          </Outside>
          {attempt !== null && attempt !== 1 && <span class="muted"> attempt {attempt}</span>}
        </Fact>
      )}
      {event !== null && (
        <Fact name="Event">
          <Name text={event} mono={false} />
        </Fact>
      )}
      {ref !== null && (
        <Fact name="Ref">
          <Name text={ref} />
        </Fact>
      )}
      <Fact name="Cadence">{verdict?.cadence ?? run?.cadence ?? 'imported'}</Fact>
      {verdict && <Fact name="Judged by">{plural(verdict.evidence.runs.length, 'trusted run')}</Fact>}
      {run && (
        <Fact name="Run">
          <ShortId id={run.run_id} length={36} />
        </Fact>
      )}
      {claims?.on_behalf && <Fact name="Submitted">on behalf of another workflow run</Fact>}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A link to another site: it opens beside this page, and does not tell whence it was followed. */
function Outside({ href, children }: { href: string | null; children: ComponentChildren }) {
  if (href === null) return <>{children}</>
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children} <Icon name="link" size={12} />
      <span class="visually-hidden"> (opens in a new tab)</span>
    </a>
  )
}
