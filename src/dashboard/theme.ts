/** Light or dark: as the system says, unless somebody chose, which this browser then remembers. */
import { useEffect, useState } from 'preact/hooks'

export type Theme = 'light' | 'dark'

const KEY = 'gatehouse-theme'
const CHANGED = 'gatehouse-theme-changed'
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

function chosenTheme(): Theme | null {
  try {
    const kept = localStorage.getItem(KEY)
    return kept === 'light' || kept === 'dark' ? kept : null
  } catch {
    // Storage is refused to this page: the system's theme will do.
    return null
  }
}

export function currentTheme(): Theme {
  return chosenTheme() ?? (systemIsDark.matches ? 'dark' : 'light')
}

/** Marks the document with the theme; the style sheets do the rest. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = currentTheme()
}

export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Then it holds until the page is left.
  }
  document.documentElement.dataset.theme = theme
  dispatchEvent(new Event(CHANGED))
}

/** The theme shown; for what is drawn and must be drawn anew. */
export function useTheme(): Theme {
  const [theme, setTheme] = useState(shownTheme)
  useEffect(() => {
    const follow = () => {
      if (chosenTheme() === null) applyTheme()
      setTheme(shownTheme())
    }
    addEventListener(CHANGED, follow)
    systemIsDark.addEventListener('change', follow)
    return () => {
      removeEventListener(CHANGED, follow)
      systemIsDark.removeEventListener('change', follow)
    }
  }, [])
  return theme
}

function shownTheme(): Theme {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'
}

/** A colour of the style sheet as a canvas takes it. */
export function colour(name: `--${string}`): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
