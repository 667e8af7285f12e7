/** Is the stored history consistent with itself? What today's declarations would have said of it. */
import { revokedRuns } from '../../../charts/points'
import { getAll } from '../../api/client'
import type { Replay, Revocation } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { PageHead } from '../../parts/page-head'
import { Empty, Failure, Loading } from '../../parts/states'
import { useLocation } from '../../router'
import { Form } from './form'
import { Report } from './report'
import { formOf, replay } from './request'
import './replay.css'

const MOST_REVOCATIONS = 5_000

export interface Replayed {
  readonly report: Replay
  /** Runs that a revocation keeps untrusted; the charts strike them through. */
  readonly revoked: ReadonlySet<string>
}

export function ReplayView() {
  const { query } = useLocation()
  const form = formOf(query)
  const address = JSON.stringify(form)
  const isAsked = query.get('run') === '1'
  const replayed = useResource<Replayed>(isAsked ? address : null, async (signal) => {
    const [report, revocations] = await Promise.all([
      replay(form, signal),
      getAll<Revocation>('/v1/admin/revocations', { most: MOST_REVOCATIONS, signal }),
    ])
    return { report, revoked: revokedRuns(revocations.items) }
  })
  const { data, error, isLoading, reload } = replayed
  return (
    <>
      <PageHead
        title="Replay"
        below="What today’s declarations would have said of the stored history, judged as the gate judges"
      />
      <Form key={address} form={form} isBusy={isLoading} onAgain={reload} />
      {error && <Failure error={error} what="replay" onRetry={reload} />}
      {!data && isLoading && (
        <div class="panel">
          <Loading what="the replay" rows={6} />
        </div>
      )}
      {!isAsked && (
        <div class="panel">
          <Empty title="Nothing is replayed yet.">
            A replay of everything needs no filter. It finds where the level has moved and the baseline has
            not, rates that flip between zero and not, and bad runs that were believed.
          </Empty>
        </div>
      )}
      {data && !(error && isLoading) && <Report replayed={data} form={form} onChanged={reload} />}
    </>
  )
}
