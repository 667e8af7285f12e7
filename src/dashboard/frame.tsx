/** What stands around every view: where one is, who one is, light or dark. */
import type { ComponentChildren } from 'preact'
import { useSession } from './api/session'
import { Icon } from './parts/icon'
import { useLocation } from './router'
import { chooseTheme, useTheme } from './theme'
import { NAVIGATION } from './views'

export function Frame({ children }: { children: ComponentChildren }) {
  const { path } = useLocation()
  return (
    <>
      <a class="skip-link" href="#content">
        Skip to content
      </a>
      <header class="frame-head">
        <a class="brand" href="/">
          <span class="brand-mark">
            <Icon name="gate" size={16} />
          </span>
          Gatehouse
        </a>
        <nav class="frame-nav" aria-label="Views">
          {NAVIGATION.map(({ label, href, owns }) => {
            const isCurrent =
              path === href || owns.some((start) => path === start || path.startsWith(`${start}/`))
            return (
              <a key={href} href={href} {...(isCurrent && { 'aria-current': 'page' })}>
                {label}
              </a>
            )
          })}
        </nav>
        <div class="frame-tools">
          <ThemeToggle />
          <Who />
        </div>
      </header>
      <main id="content" class="frame-content">
        {children}
      </main>
    </>
  )
}

function ThemeToggle() {
  const other = useTheme() === 'dark' ? 'light' : 'dark'
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`Switch to ${other} theme`}
      title={`Switch to ${other} theme`}
      onClick={() => chooseTheme(other)}
    >
      <Icon name={other === 'dark' ? 'moon' : 'sun'} />
    </button>
  )
}

function Who() {
  const { state, actor, isSignedIn, signOut } = useSession()
  if (state !== 'in') return null
  if (isSignedIn) {
    return (
      <>
        <bdi class="who" title={`Signed in as ${actor}`}>
          {actor}
        </bdi>
        <button
          type="button"
          class="icon-button"
          aria-label="Sign out"
          title="Sign out"
          onClick={() => void signOut()}
        >
          <Icon name="out" />
        </button>
      </>
    )
  }
  if (actor === 'anonymous') {
    return (
      <a class="button button-small" href="/sign-in">
        Sign in
      </a>
    )
  }
  return (
    <span class="who" title="No credential is configured: whoever reaches this server may do everything">
      open mode
    </span>
  )
}
