/** The form of a change that is made with a reason, and what is told when it was not made. */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { ApiError } from '../api/client'
import { FailureDetail } from './states'

const MOST_REASON = 2_000

interface Props {
  /** Makes the change; what it throws is told. */
  readonly send: (reason: string) => Promise<void>
  readonly onClose: () => void
  readonly button: { readonly label: string; readonly busy: string; readonly look: 'danger' | 'primary' }
  /** What is told before the detail of a refusal. */
  readonly failed: string
  readonly placeholder: string
  /** What stands above the reason. */
  readonly children: ComponentChildren
}

export function ReasonForm({ send, onClose, button, failed, placeholder, children }: Props) {
  const [reason, setReason] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const reasonId = useId()

  async function submit(event: Event) {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await send(reason.trim())
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form class="revoke" onSubmit={(event) => void submit(event)}>
      {children}
      <label class="field" for={reasonId}>
        <span>Reason</span>
      </label>
      <textarea
        id={reasonId}
        class="input"
        rows={2}
        required
        maxLength={MOST_REASON}
        placeholder={placeholder}
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      {error && (
        <div class="failure" role="alert">
          <div>
            <p class="failure-title">{failed}</p>
            <FailureDetail error={error} />
          </div>
        </div>
      )}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="submit"
          class={`button button-${button.look}`}
          disabled={isBusy || reason.trim() === ''}
        >
          {isBusy ? button.busy : button.label}
        </button>
      </div>
    </form>
  )
}
