/** What every view is held to, in light and dark, wide and narrow. */
import type { Page } from 'playwright-core'
import {
  accessibilityFaults,
  intrusions,
  NARROW,
  settled,
  sidewaysScroll,
  THEMES,
  WIDE,
} from '../support/browser.js'

interface Asserts {
  strictSame(found: unknown, wanted: unknown, message: string): unknown
  equal(found: unknown, wanted: unknown, message: string): unknown
  not(found: unknown, unwanted: unknown, message: string): unknown
}

/**
 * Looks at the view that is open. Layout is checked in every theme and width; what axe-core finds (most of the time of
 * these tests) wide in light and narrow in dark, so that each theme's colours and each width's elements are seen once.
 */
export async function inspect(t: Asserts, page: Page, name: string): Promise<void> {
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme })
    // From the width that the other theme ended with, since to turn it round redraws every chart.
    for (const viewport of theme === 'light' ? [NARROW, WIDE] : [WIDE, NARROW]) {
      const where = `${name}, ${theme}, ${viewport.width} px`
      await page.setViewportSize(viewport)
      await settled(page)
      await laidOut(page)
      t.equal(await sidewaysScroll(page), 0, `${where}: no scrolling sideways`)
      t.strictSame(await spilledCells(page), [], `${where}: no cell runs into its neighbour`)
      if ((theme === 'light') === (viewport === WIDE))
        t.strictSame(await accessibilityFaults(page), [], `${where}: accessible`)
    }
  }
  t.strictSame(await intrusions(page), [], `${name}: names are text`)
  t.equal(await page.locator('h1').count(), 1, `${name}: one heading`)
  t.not(await page.title(), 'Gatehouse', `${name}: the window is called after the view`)
}

/** What is drawn to the width of its place follows a turn of the window some frames later. */
async function laidOut(page: Page): Promise<void> {
  for (let frame = 0; frame < 30 && (frame < 2 || (await sidewaysScroll(page)) > 0); frame++)
    await page.evaluate('new Promise((done) => requestAnimationFrame(done))')
}

/** Cells of tables whose content is wider than they are, and shown all the same. */
export async function spilledCells(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('.cell')]
    .filter((cell) => cell.scrollWidth > cell.clientWidth + 1 && getComputedStyle(cell).overflowX === 'visible')
    .map((cell) => cell.className + ': ' + cell.textContent.slice(0, 60))`)
}
