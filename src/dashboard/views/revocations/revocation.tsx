/** One revocation: the reason, the runs that it flipped, what it did to baselines and verdicts, and taking it back. */
import { useState } from 'preact/hooks'
import { get } from '../../api/client'
import { useSession } from '../../api/session'
import type { Revocation, Undo } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { Icon } from '../../parts/icon'
import { ImpactOf } from '../../parts/impact'
import { Name } from '../../parts/name'
import { plural } from '../../parts/number'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import type { ViewProps } from '../../view-props'
import { Standing } from './list'
import { FlippedRuns } from './runs-table'
import { UndoDialog, UndoneRuns } from './undo'
import './revocations.css'

/** The API tells no more of a list than this. */
const WHOLE_LIST = 100

export function RevocationView({ params }: ViewProps) {
  const id = params.get('revocation_id') ?? ''
  const revocation = useResource(`revocation ${id}`, (signal) =>
    get<Revocation>(`/v1/admin/revocations/${encodeURIComponent(id)}`, { signal }),
  )
  const [isUndoing, setUndoing] = useState(false)
  const [undo, setUndo] = useState<Undo | null>(null)
  const { may } = useSession()
  const { data } = revocation

  return (
    <>
      <PageHead
        title={data ? `Revocation: ${data.reason}` : 'Revocation'}
        heading={data && <bdi dir="auto">{data.reason}</bdi>}
        above={<a href="/revocations">Revocations</a>}
        {...(data && {
          below: (
            <>
              <Standing undone={data.undone !== null} />
              <span>
                by <Name text={data.actor} mono={false} />
              </span>
              <Time iso={data.created_at} form="line" />
            </>
          ),
        })}
        actions={
          data?.undone === null &&
          may('trust:revoke') && (
            <button type="button" class="button" onClick={() => setUndoing(true)}>
              <Icon name="undone" size={14} /> Undo…
            </button>
          )
        }
      />
      {isUndoing && data && (
        <UndoDialog
          revocation={data}
          onClose={() => setUndoing(false)}
          onUndone={(done) => {
            setUndo(done)
            revocation.reload()
          }}
        />
      )}
      <Loaded of={revocation} what="revocation" rows={8}>
        {(loaded) => (
          <>
            {loaded.undone && <UndoneNote undone={loaded.undone} />}
            {undo && (
              <section class="panel revocation-panel" aria-label="What was undone">
                <UndoneRuns undo={undo} />
              </section>
            )}
            <section class="section" aria-labelledby="impact">
              <h2 id="impact">Impact, as it was when trust was revoked</h2>
              <div class="panel revocation-panel">
                <ImpactOf revocation={loaded} most={WHOLE_LIST} />
              </div>
            </section>
            <section class="section" aria-labelledby="runs">
              <div class="section-head">
                <h2 id="runs">Runs</h2>
                <span class="muted small">
                  {plural(loaded.run_ids.length, 'run')} flipped,{' '}
                  {plural(loaded.matched_run_ids.length, 'run')} matched
                </span>
              </div>
              <FlippedRuns key={String(loaded.undone !== null)} revocation={loaded} />
            </section>
          </>
        )}
      </Loaded>
    </>
  )
}

function UndoneNote({ undone }: { undone: NonNullable<Revocation['undone']> }) {
  return (
    <section class="panel revocation-panel revocation-undone" aria-label="Undone">
      <Standing undone />
      <span class="revocation-text">
        <bdi dir="auto">{undone.reason}</bdi>
      </span>
      <span class="muted small">
        by <Name text={undone.actor} mono={false} />, <Time iso={undone.created_at} />
      </span>
    </section>
  )
}
