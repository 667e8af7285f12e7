/** Taking the trust of runs: what that would do is shown before, and a reason is asked for. */
import { useState } from 'preact/hooks'
import { post } from '../api/client'
import type { Revocation } from '../api/types'
import { useResource } from '../hooks/use-resource'
import { revocationHref } from '../hrefs'
import { Dialog } from './dialog'
import { ImpactOf } from './impact'
import { ReasonForm } from './reason-form'
import { Loaded } from './states'
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

interface Props {
  /** One at least; the first is chosen at first. */
  readonly choices: readonly RevokeChoice[]
  readonly onClose: () => void
  readonly onRevoked: () => void
}

export function RevokeDialog({ choices, onClose, onRevoked }: Props) {
  const [chosen, setChosen] = useState(0)
  const [done, setDone] = useState<Revocation | null>(null)
  const { selector } = choices[chosen]!
  const preview = useResource(JSON.stringify(selector), () =>
    post<Revocation>('/v1/admin/revocations', { ...selector, reason: 'preview', dry_run: true }),
  )

  async function revoke(reason: string) {
    setDone(await post<Revocation>('/v1/admin/revocations', { ...selector, reason }))
    onRevoked()
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
      <ReasonForm
        send={revoke}
        onClose={onClose}
        button={{ label: 'Revoke trust', busy: 'Revoking…', look: 'danger' }}
        failed="Nothing was revoked."
        placeholder="What is wrong with them; it is kept with the revocation"
      >
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
      </ReasonForm>
    </Dialog>
  )
}
