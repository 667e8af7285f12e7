/** Signing in with an API token; the address stays, so that a shared link opens afterwards. */
import { useState } from 'preact/hooks'
import { ApiError } from '../../api/client'
import { useSession } from '../../api/session'
import { FailureDetail } from '../../parts/states'
import { PageHead } from '../../parts/page-head'
import { navigate } from '../../router'
import './sign-in.css'

export function SignIn(_props: { params: ReadonlyMap<string, string> }) {
  const { signIn, ended } = useSession()
  const [token, setToken] = useState('')
  const [error, setError] = useState<ApiError | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function submit(event: Event) {
    event.preventDefault()
    if (token.trim() === '') return
    setBusy(true)
    setError(null)
    try {
      await signIn(token.trim())
      if (location.pathname === '/sign-in') navigate('/', { replace: true })
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }

  return (
    <div class="sign-in">
      <PageHead title="Sign in" below="With an API token that may read the history." />
      {ended !== null && (
        <div class="sign-in-ended panel" role="status">
          <p>Your session has ended. What the address shows opens again once you are signed in.</p>
          <p class="muted small">
            <bdi>{ended}</bdi>
          </p>
        </div>
      )}
      <form onSubmit={(event) => void submit(event)}>
        <label class="field">
          <span>Token</span>
          <input
            class="input mono"
            type="password"
            name="token"
            autoComplete="current-password"
            spellcheck={false}
            placeholder="gatehouse_…"
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
            aria-describedby="token-hint"
            required
          />
        </label>
        {error && (
          <div class="failure" role="alert">
            <div>
              <p class="failure-title">
                {error.status === 401 ? 'This token is not known, or no longer.' : error.title}
              </p>
              <FailureDetail error={error} />
            </div>
          </div>
        )}
        <button type="submit" class="button button-primary" disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
        <p id="token-hint" class="muted small">
          An operator makes one: <code>gatehouse token create --name me --scope history:read</code>. It is
          exchanged for a cookie of twelve hours and kept nowhere in this browser.
        </p>
      </form>
    </div>
  )
}
