/** A run, or a verdict that wrote none: where it came from, what was judged, and taking its trust. */
import { useState } from 'preact/hooks'
import { ApiError, get } from '../../api/client'
import { useSession } from '../../api/session'
import type { Run, Verdict } from '../../api/types'
import { type Resource, useResource } from '../../hooks/use-resource'
import { revocationHref, seriesHref } from '../../hrefs'
import { PathName } from '../../parts/name'
import { count, plural } from '../../parts/number'
import { PageHead } from '../../parts/page-head'
import { RevokeDialog } from '../../parts/revoke'
import { SeriesPlace } from '../../parts/series-name'
import { Loaded } from '../../parts/states'
import { StatusMark, TrustMark } from '../../parts/status'
import { Time } from '../../parts/time'
import type { ViewProps } from '../../view-props'
import { ChecksTable } from './checks-table'
import { Notes } from './notes'
import { Provenance } from './provenance'
import { revokeChoices } from './revoke'
import { ValuesTable } from './values-table'
import './run.css'

interface Judged {
  readonly run: Run | null
  readonly verdict: Verdict | null
}

export function RunView({ params }: ViewProps) {
  const id = params.get('run_id') ?? ''
  const judged = useResource<Judged>(`run ${id}`, async (signal) => {
    const run = await get<Run>(`/v1/runs/${encodeURIComponent(id)}`, { signal })
    return { run, verdict: run.verdict_id === null ? null : await verdictOf(run.verdict_id, signal) }
  })
  return <JudgedView of={judged} what="run" />
}

export function VerdictView({ params }: ViewProps) {
  const id = params.get('verdict_id') ?? ''
  const judged = useResource<Judged>(`verdict ${id}`, async (signal) => {
    const verdict = await get<Verdict>(`/v1/verdicts/${encodeURIComponent(id)}`, { signal })
    const { run_id: runId } = verdict
    return {
      verdict,
      run: runId === null ? null : await get<Run>(`/v1/runs/${encodeURIComponent(runId)}`, { signal }),
    }
  })
  return <JudgedView of={judged} what="verdict" />
}

/** A run outlives its verdict's scope of reading: whoever may read the one may read the other, unless it was removed. */
async function verdictOf(id: string, signal: AbortSignal): Promise<Verdict | null> {
  try {
    return await get<Verdict>(`/v1/verdicts/${encodeURIComponent(id)}`, { signal })
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 404) return null
    throw thrown
  }
}

function JudgedView({ of, what }: { of: Resource<Judged>; what: string }) {
  if (of.data === undefined) {
    return (
      <>
        <PageHead title={what === 'run' ? 'Run' : 'Verdict'} above={<a href="/">Overview</a>} />
        <Loaded of={of} what={what} rows={10}>
          {() => null}
        </Loaded>
      </>
    )
  }
  const { run, verdict } = of.data
  return (
    <>
      <Head run={run} verdict={verdict} onRevoked={of.reload} />
      <Provenance run={run} verdict={verdict} />
      {run && <Revocations run={run} />}
      {verdict && <Notes verdict={verdict} />}
      {verdict ? <ChecksTable verdict={verdict} /> : run && <ValuesTable run={run} />}
    </>
  )
}

function Head({ run, verdict, onRevoked }: Judged & { onRevoked: () => void }) {
  const { may } = useSession()
  const [isRevoking, setRevoking] = useState(false)
  const { series, created_at: at } = (run ?? verdict)!
  const outcome = verdict?.outcome ?? run?.outcome ?? null
  const { pr_number: pr } = (run ?? verdict)!.provenance
  return (
    <>
      <PageHead
        title={`${outcome === null ? 'Run' : outcome === 'fail' ? 'Failed run' : 'Passed run'} of ${series.test_path}`}
        heading={<PathName text={series.test_path} />}
        above={
          <>
            <a href="/">Overview</a>
            <span aria-hidden="true">/</span>
            <a href={seriesHref(series)}>Series</a>
            <span aria-hidden="true">/</span>
            <span>{run ? 'Run' : pr === null ? 'Verdict' : `Verdict on #${pr}`}</span>
          </>
        }
        below={
          <>
            <span class="standing">
              {outcome && <StatusMark status={outcome} />}
              {run &&
                (isRevoked(run) ? <StatusMark status="revoked" /> : <TrustMark trusted={run.trusted} />)}
              {run === null && <StatusMark status="inactive" word="judged only, not stored" />}
            </span>
            <SeriesPlace series={series} />
            <Time iso={at} form="line" />
            {verdict && <Counts verdict={verdict} />}
          </>
        }
        actions={
          run?.trusted &&
          may('trust:revoke') && (
            <button type="button" class="button button-danger" onClick={() => setRevoking(true)}>
              Revoke trust…
            </button>
          )
        }
      />
      {run && isRevoking && (
        <RevokeDialog choices={revokeChoices(run)} onClose={() => setRevoking(false)} onRevoked={onRevoked} />
      )}
    </>
  )
}

function Counts({ verdict: { counts } }: { verdict: Verdict }) {
  return (
    <span>
      {plural(counts.checks, 'check')}: {count(counts.failing_ci)} failing CI, {count(counts.pass)} passed
    </span>
  )
}

/** Standing, and what made the run untrusted. */
function isRevoked({ trusted, revocations }: Run): boolean {
  return !trusted && revocations.some(({ undone }) => !undone) && revocations.some(({ flipped }) => flipped)
}

function Revocations({ run: { revocations } }: { run: Run }) {
  if (revocations.length === 0) return null
  return (
    <section class="panel covering" aria-label="Revocations of this run">
      <ul>
        {revocations.map(({ revocation_id: id, created_at: at, actor, reason, undone }) => (
          <li key={id}>
            <StatusMark
              status={undone ? 'inactive' : 'revoked'}
              word={undone ? 'revoked, undone' : 'revoked'}
            />
            <span class="covering-reason">
              <bdi>{reason}</bdi>
            </span>
            <span class="muted small">
              <bdi>{actor}</bdi>, <Time iso={at} />
            </span>
            <a href={revocationHref(id)}>{undone ? 'Revocation' : 'Revocation, undo'}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}
