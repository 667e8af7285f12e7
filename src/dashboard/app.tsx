/** The page: who is looking, the frame, and the view of the address. */
import { useEffect, useRef } from 'preact/hooks'
import { SessionProvider, useSession } from './api/session'
import { Frame } from './frame'
import { Failure, Loading } from './parts/states'
import { followLinks, match, restoreScrolling, useLocation } from './router'
import { SignIn } from './views/sign-in/sign-in'
import { VIEWS } from './views'

export function App() {
  useEffect(() => {
    followLinks()
    restoreScrolling()
  }, [])
  return (
    <SessionProvider>
      <Frame>
        <View />
      </Frame>
    </SessionProvider>
  )
}

function View() {
  const { path } = useLocation()
  const session = useSession()
  const place = useRef<HTMLDivElement>(null)
  const before = useRef(path)
  useEffect(() => {
    // Whoever follows a link by keyboard or by ear begins at the heading of the new view.
    if (before.current !== path) place.current?.querySelector('h1')?.focus({ preventScroll: true })
    before.current = path
  }, [path])

  if (session.state === 'unknown') return <Loading what="the session" rows={3} />
  if (session.error !== null) return <Failure error={session.error} what="session" onRetry={session.retry} />
  const found = match(path) ?? { page: '/' as const, params: new Map<string, string>() }
  if (session.state === 'out') return <SignIn params={found.params} />
  const Shown = VIEWS[found.page]
  return (
    <div ref={place}>
      <Shown key={path} params={found.params} />
    </div>
  )
}
