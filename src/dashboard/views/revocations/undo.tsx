/** Taking a revocation back: with a reason, and told afterwards which runs have their trust again and which have not. */
import { useState } from 'preact/hooks'
import { post } from '../../api/client'
import type { Revocation, Undo } from '../../api/types'
import { revocationHref, runHref } from '../../hrefs'
import { Dialog } from '../../parts/dialog'
import { ShortId } from '../../parts/name'
import { count, plural } from '../../parts/number'
import { ReasonForm } from '../../parts/reason-form'
import { StatusMark } from '../../parts/status'

const MOST_SHOWN = 50

interface Props {
  readonly revocation: Revocation
  readonly onClose: () => void
  readonly onUndone: (undo: Undo) => void
}

export function UndoDialog({ revocation: { revocation_id: id, run_ids: runs }, onClose, onUndone }: Props) {
  const [done, setDone] = useState<Undo | null>(null)

  async function undo(reason: string) {
    const answer = await post<Undo>(`/v1/admin/revocations/${encodeURIComponent(id ?? '')}/undo`, { reason })
    setDone(answer)
    onUndone(answer)
  }

  if (done) {
    return (
      <Dialog title="Revocation undone" onClose={onClose}>
        <UndoneRuns undo={done} />
        <div class="dialog-actions">
          <button type="button" class="button button-primary" onClick={onClose}>
            Close
          </button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title="Undo this revocation" onClose={onClose}>
      <ReasonForm
        send={undo}
        onClose={onClose}
        button={{ label: 'Undo revocation', busy: 'Undoing…', look: 'primary' }}
        failed="Nothing was undone."
        placeholder="Why it was a mistake"
      >
        <p class="muted">
          {plural(runs.length, 'run')} that it flipped {runs.length === 1 ? 'is' : 'are'} trusted again from
          the next verdict on, but for those that another standing revocation covers. Both stay on record.
        </p>
      </ReasonForm>
    </Dialog>
  )
}

export function UndoneRuns({ undo: { restored, run_ids: runs, not_restored: held } }: { undo: Undo }) {
  return (
    <div class="impact">
      <p>
        <StatusMark status="trusted" word={`${plural(restored, 'run')} restored`} />
      </p>
      {runs.length > 0 && (
        <ul class="undo-runs">
          {runs.slice(0, MOST_SHOWN).map((id) => (
            <li key={id}>
              <a href={runHref(id)}>
                <ShortId id={id} length={13} />
              </a>
            </li>
          ))}
          {runs.length > MOST_SHOWN && <li class="muted">and {count(runs.length - MOST_SHOWN)} more</li>}
        </ul>
      )}
      {held.length === 0 ? (
        <p class="muted">Every run that it had flipped is trusted again.</p>
      ) : (
        <>
          <p>
            <StatusMark status="revoked" word={`${plural(held.length, 'run')} not restored`} /> Another
            standing revocation covers {held.length === 1 ? 'it' : 'them'}:
          </p>
          <ul class="undo-runs">
            {held.slice(0, MOST_SHOWN).map(({ run_id: id, revocation_id: by }) => (
              <li key={id}>
                <a href={runHref(id)}>
                  <ShortId id={id} length={13} />
                </a>{' '}
                <span class="muted">by</span>{' '}
                <a href={revocationHref(by)}>
                  revocation <ShortId id={by} length={13} />
                </a>
              </li>
            ))}
            {held.length > MOST_SHOWN && <li class="muted">and {count(held.length - MOST_SHOWN)} more</li>}
          </ul>
        </>
      )}
    </div>
  )
}
