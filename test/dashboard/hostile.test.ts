/** Names that others chose are text wherever they stand, and never markup, an address, or a direction for the rest. */
import t from 'tap'
import {
  accessibilityFaults,
  intrusions,
  NARROW,
  needsBrowser,
  openBrowser,
  openWindow,
  settled,
  sidewaysScroll,
  WIDE,
} from '../support/browser.js'
import { visibleText } from '../../src/charts/visible-text.js'
import { serve, temporaryFolder } from '../support/server.js'
import { spilledCells } from './inspect.js'
import { ask, query, seriesPath } from './support.js'

const MARKUP = '<img src=x onerror="document.title=\'owned\'">'
const REVERSED = 'abc\u202Egnirts\u202C/\u200F\u05D0\u05D1'
const SCRIPT = 'javascript:alert(1)//\'"><script>alert(1)</script>'
const LONG = 'm'.repeat(512)
const SERIES = [
  { test_path: MARKUP, backend: '__proto__', suite: 'constructor' },
  { test_path: REVERSED, backend: SCRIPT.slice(0, 60), suite: '{{7*7}}' },
  { test_path: `tests/${'long_'.repeat(80)}.py`, backend: 'b'.repeat(128), suite: 's'.repeat(128) },
]
const METRICS = ['__proto__', 'constructor', MARKUP, REVERSED, SCRIPT, LONG]

t.test('hostile names', { skip: needsBrowser() }, async (t) => {
  const server = await serve(t, { DATABASE_URL: `sqlite:${temporaryFolder(t)}/hostile.db` })
  const runs: string[] = []
  for (const series of SERIES) {
    for (const value of [1, 1, 5]) {
      const verdict = await ask<{ run_id: string }>(server, '/v1/runs', {
        method: 'POST',
        body: {
          series,
          provenance: { commit_sha: 'a'.repeat(40), ref: MARKUP, event_name: REVERSED },
          cadence: 'nightly',
          declarations: METRICS.map((metric_key) => ({
            metric_key,
            steps: 'last',
            constraint: { rel_up: 0.5, rel_down: 0.5 },
          })),
          record: [...METRICS, 'undeclared <b>x</b>'].map((metric) => ({ metric, series: [[0, value]] })),
        },
      })
      runs.push(verdict.run_id)
    }
  }
  await ask(server, '/v1/admin/revocations', { method: 'POST', body: { run_id: runs[1], reason: MARKUP } })

  const browser = await openBrowser(t)
  const { page, faults } = await openWindow(browser, server.url)
  for (const viewport of [WIDE, NARROW]) {
    await page.setViewportSize(viewport)
    const check = async (where: string) => {
      await settled(page)
      t.strictSame(await intrusions(page), [], `${where}: nothing became markup`)
      t.equal(await sidewaysScroll(page), 0, `${where}, ${viewport.width} px: no scrolling sideways`)
      t.strictSame(
        await spilledCells(page),
        [],
        `${where}, ${viewport.width} px: no cell runs into its neighbour`,
      )
      t.notMatch(await page.locator('option').allTextContents(), [/\u202E/], 'a choice is written out, too')
      t.notMatch(await page.title(), /\u202E/)
      t.not(await page.title(), 'owned')
    }
    await page.goto('/')
    await page.getByText(MARKUP).first().waitFor()
    await check('overview')
    t.strictSame(await accessibilityFaults(page), [])
    for (const series of SERIES) {
      for (const metric of METRICS) {
        await page.goto(seriesPath(series, { metric_key: metric }))
        await page.getByRole('region', { name: metric, exact: true }).waitFor()
        await page.getByText('3 values').waitFor()
        await check(`series, ${metric.slice(0, 20)}`)
      }
    }
    await page.goto(`/runs/${runs[1]}`)
    await page.getByText('Against the corridor').waitFor({ state: 'attached' })
    t.equal(await page.getByText(MARKUP, { exact: true }).first().innerText(), MARKUP)
    t.ok(
      (await page.locator('bdi').allInnerTexts()).includes(visibleText(REVERSED)),
      'what turns the line round is written out',
    )
    await check('run')
    t.strictSame(await accessibilityFaults(page), [])
  }
  t.strictSame(faults, [])
})

t.test('addresses made by others', { skip: needsBrowser() }, async (t) => {
  const server = await serve(t, { DATABASE_URL: `sqlite:${temporaryFolder(t)}/empty.db` })
  const browser = await openBrowser(t)
  const { page, faults } = await openWindow(browser, server.url)
  await page.goto('/')
  await page.getByText('No run has been stored yet').waitFor()
  t.strictSame(await accessibilityFaults(page), [], 'an empty store')
  const named = query({
    test_path: MARKUP,
    backend: SCRIPT,
    suite: LONG,
    step: '1e9',
    range: SCRIPT,
  })
  for (const path of [
    `/series?${named}&__proto__=x`,
    `/runs/${encodeURIComponent(MARKUP)}`,
    '/?sort=constructor&order=x&state=__proto__',
    '/runs/%E0%A4%A',
    '/series?test_path=%ff&backend=b&suite=s',
  ]) {
    const answer = await page.goto(path)
    if (answer?.headers()['content-type'] === 'application/problem+json') continue
    await page.locator('h1').waitFor()
    await settled(page)
    t.strictSame(await intrusions(page), [], path)
    t.equal(await sidewaysScroll(page), 0, path)
  }
  t.strictSame(faults, [])
})
