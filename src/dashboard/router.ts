/**
 * Addresses of the page: real ones, by the history API. `match` finds the view, `useLocation` follows the address,
 * `navigate` and `setQuery` change it.
 */
import { useEffect, useState } from 'preact/hooks'
import { PAGE_PATHS, type PagePath } from '../http/page-paths'

export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

export interface Match {
  readonly page: PagePath
  readonly params: ReadonlyMap<string, string>
}

const MOVED = 'gatehouse-moved'

function here(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) }
}

/** The page whose pattern fits the path; null for none, which the server would not have answered with this page. */
export function match(path: string): Match | null {
  for (const page of PAGE_PATHS) {
    const names = page.split('/')
    const parts = path.split('/')
    if (names.length !== parts.length) continue
    const params = new Map<string, string>()
    const fits = names.every((name, index) => {
      const part = parts[index] ?? ''
      if (!name.startsWith(':')) return name === part
      const text = decoded(part)
      if (text === null || text === '') return false
      params.set(name.slice(1), text)
      return true
    })
    if (fits) return { page, params }
  }
  return null
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

export function useLocation(): Place {
  const [place, setPlace] = useState(here)
  useEffect(() => {
    const follow = () => setPlace(here())
    addEventListener('popstate', follow)
    addEventListener(MOVED, follow)
    return () => {
      removeEventListener('popstate', follow)
      removeEventListener(MOVED, follow)
    }
  }, [])
  return place
}

/** Goes to an address of this page; the view begins at its top. */
export function navigate(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(history.state, '', to)
  else {
    // Kept with the entry that is left, for Back.
    history.replaceState({ scrolledTo: scrollY }, '')
    history.pushState(null, '', to)
    scrollTo(0, 0)
  }
  dispatchEvent(new Event(MOVED))
}

const PATIENCE_MS = 3_000
const BY_HAND = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const

/**
 * Back leads to where the reader was. The browser would do so, were the view not loaded anew: so it is tried until the
 * page is long enough, or somebody scrolls. To be called once.
 */
export function restoreScrolling(): void {
  let frame = 0
  const stop = () => cancelAnimationFrame(frame)
  for (const event of BY_HAND) addEventListener(event, stop, { passive: true })
  addEventListener(MOVED, stop)
  addEventListener('popstate', ({ state }: PopStateEvent) => {
    stop()
    const to = (state as { scrolledTo?: number } | null)?.scrolledTo ?? 0
    const until = performance.now() + PATIENCE_MS
    const attempt = () => {
      scrollTo(0, to)
      if (Math.abs(scrollY - to) > 1 && performance.now() < until) frame = requestAnimationFrame(attempt)
    }
    if (to > 0) attempt()
  })
}

/** Changes parameters of the address in place: what is shown can be shared, and Back leaves the view. */
export function setQuery(changes: Readonly<Record<string, string | null>>): void {
  const { path, query } = here()
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  navigate(text === '' ? path : `${path}?${text}`, { replace: true })
}

/** Follows plain clicks on links of this page without loading it anew. To be called once. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return
    if (link.origin !== location.origin || match(link.pathname) === null) return
    event.preventDefault()
    navigate(link.pathname + link.search + link.hash)
  })
}
