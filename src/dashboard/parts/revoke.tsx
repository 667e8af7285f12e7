/** Taking the trust of runs: what that would do is shown before, and a reason is asked for. */
import { useId, useState } from 'preact/hooks'
import { ApiError, post } from '../api/client'
import type { Revocation } from '../api/types'
import { useResource } from '../hooks/use-resource'
import { revocationHref } from '../hrefs'
import { Dialog } from './dialog'
import { ImpactOf } from './impact'
import { FailureDetail, Loaded } from './states'
import { StatusMark } from './status'

/** Which runs, as the API takes it, and in words. */
export interface RevokeChoice {
  readonly selector:
    | { readonly run_id: string }
    | { readonly run_ids: readonly string[] }
    | { readonly commit_sha: string }
    | { readonly github_run_id: number }
  readonly words: string
}

const MOST_REASON = 2_000

interface Props {
  /** One at least; the first is chosen at first. */
  readonly choices: readonly RevokeChoice[]
  readonly onClose: () => void
  readonly onRevoked: () => void
}

export function RevokeDialog({ choices, onClose, onRevoked }: Props) {
  const [chosen, setChosen] = useState(0)
  const [reason, setReason] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [done, setDone] = useState<Revocation | null>(null)
  const reasonId = useId()
  const { selector } = choices[chosen]!
  const preview = useResource(JSON.stringify(selector), () =>
    post<Revocation>('/v1/admin/revocations', { ...selector, reason: 'preview', dry_run: true }),
  )

  async function revoke(event: Event) {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      setDone(await post<Revocation>('/v1/admin/revocations', { ...selector, reason: reason.trim() }))
      onRevoked()
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }

  if (done) {
    return (
      <Dialog title="Trust revoked" onClose={onClose}>
        <StatusMark status="revoked" />
        <ImpactOf revocation={done} />
        <div class="dialog-actions">
          <a class="button" href={revocationHref(done.revocation_id ?? '')}>
            Look at the revocation, or undo it
          </a>
          <button type="button" class="button button-primary" onClick={onClose}>
            Close
          </button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title="Revoke trust" onClose={onClose}>
      <form class="revoke" onSubmit={(event) => void revoke(event)}>
        <p class="muted">
          Nothing is deleted and no verdict changes. From the next one on, the runs no longer count as a
          baseline.
        </p>
        {choices.length > 1 && (
          <fieldset class="revoke-which">
            <legend>Which runs</legend>
            {choices.map(({ words }, index) => (
              <label key={words}>
                <input
                  type="radio"
                  name="which"
                  checked={index === chosen}
                  onChange={() => setChosen(index)}
                />{' '}
                {words}
              </label>
            ))}
          </fieldset>
        )}
        <div class="revoke-preview" aria-live="polite">
          <Loaded of={preview} what="preview" rows={2}>
            {(revocation) => <ImpactOf revocation={revocation} />}
          </Loaded>
        </div>
        <label class="field" for={reasonId}>
          <span>Reason</span>
        </label>
        <textarea
          id={reasonId}
          class="input"
          rows={2}
          required
          maxLength={MOST_REASON}
          placeholder="What is wrong with them; it is kept with the revocation"
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
        {error && (
          <div class="failure" role="alert">
            <div>
              <p class="failure-title">Nothing was revoked.</p>
              <FailureDetail error={error} />
            </div>
          </div>
        )}
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button button-danger" disabled={isBusy || reason.trim() === ''}>
            {isBusy ? 'Revoking…' : 'Revoke trust'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
