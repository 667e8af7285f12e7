/** A real browser for the tests of the dashboard, and what each of its pages is held to. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { unmet } from './requires.js'

/** Debian's and Ubuntu's place; another one by CHROMIUM. */
const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const WIDE = { width: 1_440, height: 900 }
export const NARROW = { width: 390, height: 844 }
export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** For tap's `skip`: false, or how to get what is missing. */
export function needsBrowser(): string | false {
  if (existsSync(EXECUTABLE)) return false
  return unmet(
    `needs a Chromium at ${EXECUTABLE} (apt-get install chromium, or CHROMIUM=/path/to/one in the environment)`,
  )
}

interface Teardown {
  teardown(work: () => Promise<void>): unknown
}

export async function openBrowser(t: Teardown): Promise<Browser> {
  // Where tests run as root its own sandbox is not to be had; the pages are our own.
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] })
  t.teardown(() => browser.close())
  return browser
}

export interface Opened {
  readonly page: Page
  /** What went wrong in it so far: uncaught errors, refusals of the policy, requests to another host. */
  readonly faults: string[]
}

/** A window of its own, with nothing kept from another; its zone is not UTC, so that both show. */
export async function openWindow(
  browser: Browser,
  url: string,
  { theme = 'light', ...options }: { theme?: Theme } & BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: WIDE,
    colorScheme: theme,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    baseURL: url,
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  watchTraffic(page)
  const faults: string[] = []
  const { origin } = new URL(url)
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    // A refusal by the server is told by the view; the browser reports it all the same.
    if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
      faults.push(message.text())
  })
  page.on('request', (request) => {
    const to = request.url()
    if (!to.startsWith(`${origin}/`)) faults.push(`asks another host: ${to}`)
  })
  page.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { page, faults }
}

const TRAFFIC = new WeakMap<Page, { inFlight: number; lastAt: number }>()

function watchTraffic(page: Page): void {
  const traffic = { inFlight: 0, lastAt: Date.now() }
  TRAFFIC.set(page, traffic)
  const count = (change: number) => () => {
    traffic.inFlight += change
    traffic.lastAt = Date.now()
  }
  page.on('request', count(1))
  page.on('requestfinished', count(-1))
  page.on('requestfailed', count(-1))
}

interface AxeResults {
  readonly violations: ReadonlyArray<{
    readonly id: string
    readonly help: string
    readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
  }>
}

/** What axe-core finds wrong in what is shown now; contrast of AA is among it. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html.slice(0, 200)}: ${failureSummary}`),
  )
}

/** How many pixels the page is wider than its window. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** How long no request may begin or end until a view counts as drawn; rows wait a little before they ask. */
const QUIET_MS = 120

/** Waits until nothing that a view draws late is missing. (The browser driver's own wait is for half a second.) */
export async function settled(page: Page, quietMs = QUIET_MS): Promise<void> {
  for (;;) {
    const traffic = TRAFFIC.get(page)
    if (traffic === undefined) throw new Error('not a page of openWindow')
    const quiet = Date.now() - traffic.lastAt
    if (traffic.inFlight === 0 && quiet >= quietMs) return
    await page.waitForTimeout(Math.max(10, quietMs - quiet))
  }
}

/** Presses Tab until what is focused bears the name; a person would do the same. */
export async function tabTo(page: Page, name: RegExp, most = 80): Promise<void> {
  for (let pressed = 0; pressed < most; pressed++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(
      `(() => { const e = document.activeElement; return [e.getAttribute('aria-label'), e.labels?.[0]?.textContent, e.textContent].filter(Boolean).join(' ') })()`,
    )
    if (!name.test(String(focused))) continue
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
    if (outline !== 'none') return
    throw new Error(`${name} has the focus, and nothing shows it`)
  }
  throw new Error(`no Tab leads to ${name}`)
}

/** What of the names that others chose became an element, a handler or an address; nothing may. */
export async function intrusions(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const found = [...document.querySelectorAll('img, iframe, object, embed, script:not([src^="/assets/"])')]
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        if (/^on/.test(name) || /^\\s*javascript:/i.test(value) && /^(href|src|action)$/.test(name)) found.push(element)
      }
    }
    return found.map((element) => element.outerHTML.slice(0, 200))
  })()`)
}
