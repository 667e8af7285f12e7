/**
 * A series of 10,000 runs and a run of 5,000 checks: shown soon, scrolled without blank stretches, in bounded memory.
 * Times are beside those of a static page that holds as many bytes, so that a busy machine slows down both.
 */
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import t from 'tap'
import type { CDPSession, Page } from 'playwright-core'
import { gatehouse, plainRun } from '../cli/support.js'
import { needsBrowser, openBrowser, openWindow, settled } from '../support/browser.js'
import { serve, temporaryFolder } from '../support/server.js'
import { ask, seriesPath } from './support.js'

const RUNS = 10_000
const CHECKS = 5_000
const MANY_SERIES = 500
/** What the page may take longer than the static one until it shows its content. */
const WITHIN_MS = 1_000
const TRIES = 3
const LONG = { test_path: 'tests/long.py', backend: 'cpu', suite: 'history' }
const WIDE_RUN = { test_path: 'tests/wide.py', backend: 'cpu', suite: 'checks' }

/** A page of text of the given size; its address, and its end. */
async function serveStatic(bytes: number): Promise<{ url: string; server: HttpServer }> {
  const text = 'value '.repeat(Math.ceil(bytes / 6)).slice(0, bytes)
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>static</title><p>static</p><pre>${text}</pre>`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server }
}

/** The best of some tries to show an element, in milliseconds. */
async function shown(page: Page, url: string, selector: string): Promise<number> {
  let best = Infinity
  for (let attempt = 0; attempt < TRIES; attempt++) {
    await page.goto('about:blank')
    const before = performance.now()
    await page.goto(url, { waitUntil: 'commit' })
    await page.locator(selector).first().waitFor()
    best = Math.min(best, performance.now() - before)
  }
  return best
}

/** Smaller leaps are followed for so long only. */
const MOST_FRAMES = 200

/** Scrolls towards the end in leaps, and counts the frames in which the middle of the table is no row. */
async function blankFrames(
  page: Page,
  leap: number,
): Promise<{ frames: number; blank: number; last: string }> {
  return page.evaluate<{ frames: number; blank: number; last: string }>(
    `(async () => {
      const frame = () => new Promise((done) => requestAnimationFrame(done))
      const body = document.querySelector('.table-body')
      body.scrollIntoView()
      await frame()
      let frames = 0
      let blank = 0
      for (;;) {
        const before = scrollY
        scrollBy(0, ${leap})
        await frame()
        frames++
        const { top, bottom, left } = body.getBoundingClientRect()
        const middle = Math.min(Math.max(innerHeight / 2, top + 4), bottom - 4)
        if (!document.elementFromPoint(left + 60, middle)?.closest('[data-index]')) blank++
        if (scrollY === before || frames === ${MOST_FRAMES}) break
      }
      return { frames, blank, last: [...body.children].at(-1).textContent }
    })()`,
  )
}

async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? NaN
}

t.test('much at once', { skip: needsBrowser() }, async (t) => {
  const database = `sqlite:${temporaryFolder(t)}/large.db`
  const lines = Array.from({ length: RUNS }, (_, run) =>
    plainRun({
      series: LONG,
      created_at: new Date(Date.UTC(2020, 0, 1) + run * 6 * 3_600_000).toISOString(),
      trusted: run % 50 !== 0,
      values: [{ metric_key: 'loss', step: -1, value: 2 + Math.sin(run / 300) + (run % 7) / 20 }],
    }),
  )
  for (let place = 0; place < MANY_SERIES; place++) {
    lines.push(plainRun({ series: { ...LONG, test_path: `tests/many/test_${place}.py` } }))
  }
  const imported = await gatehouse(['import', '-', '--database', database], { input: lines.join('') })
  t.equal(imported.code, 0, imported.stderr)
  const server = await serve(t, { DATABASE_URL: database })
  const steps = Array.from({ length: CHECKS / 5 }, (_, step) => step)
  const metrics = ['a', 'b', 'c', 'd', 'e'].map((name) => `metric/${name}`)
  const submit = (factor: number) =>
    ask<{ run_id: string }>(server, '/v1/runs', {
      method: 'POST',
      body: {
        series: WIDE_RUN,
        provenance: { commit_sha: 'b'.repeat(40) },
        cadence: 'nightly',
        declarations: metrics.map((metric_key) => ({
          metric_key,
          steps: 'all',
          constraint: { rel_up: 0.1, rel_down: 0.1 },
        })),
        record: metrics.map((metric) => ({
          metric,
          series: steps.map((step) => [step, (1 + step / 100) * factor]),
        })),
      },
    })
  await submit(1)
  const { run_id: wideRun } = await submit(1.01)
  const browser = await openBrowser(t)
  const { page, faults } = await openWindow(browser, server.url)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')

  const answer = async (path: string) => (await (await fetch(`${server.url}${path}`)).text()).length
  const history = `/v1/history?${new URLSearchParams({ ...LONG, metric_key: 'loss', limit: '1000' }).toString()}`
  const { verdict_id: verdict } = await ask<{ verdict_id: string }>(server, `/v1/runs/${wideRun}`)
  const cases = [
    { name: 'series', path: seriesPath(LONG), selector: '.u-over', bytes: await answer(history), rows: RUNS },
    {
      name: 'run',
      path: `/runs/${wideRun}`,
      selector: '.table-checks .bar',
      bytes: (await answer(`/v1/verdicts/${verdict}`)) + (await answer(`/v1/runs/${wideRun}`)),
      rows: CHECKS,
    },
  ]
  for (const { name, path, selector, bytes, rows } of cases) {
    const fixed = await serveStatic(bytes)
    const { page: plain } = await openWindow(browser, fixed.url)
    const beside = await shown(plain, fixed.url, 'p')
    await plain.context().close()
    fixed.server.close()
    const took = await shown(page, `${server.url}${path}`, selector)
    t.comment(`${name}: ${Math.round(took)} ms, a static page of ${bytes} bytes ${Math.round(beside)} ms`)
    t.ok(took - beside < WITHIN_MS, `${name}: ${took} ms beside ${beside} ms`)
    await settled(page)
    const table = page.locator('.table').first()
    t.equal(await table.getAttribute('aria-rowcount'), String(rows + 1), name)
    // By the wheel, and by dragging the scroll bar.
    for (const leap of [300, 20_000]) {
      const { frames, blank, last } = await blankFrames(page, leap)
      t.equal(blank, 0, `${name}: ${blank} of ${frames} frames were blank in leaps of ${leap} px`)
      t.ok(last.length > 10)
    }
    const nodes = await page.evaluate<number>('document.querySelectorAll("*").length')
    t.ok(nodes < 6_000, `${name}: ${nodes} elements`)
    // The end of the table by keyboard, and back.
    await table.locator('.table-body a').first().focus()
    await page.keyboard.press('End')
    const index = () =>
      page.evaluate<string | undefined>("document.activeElement.closest('[data-index]')?.dataset.index")
    await page.waitForTimeout(100)
    t.equal(await index(), String(rows - 1), `${name}: End leads to the last row`)
    await page.keyboard.press('Home')
    await page.waitForTimeout(100)
    t.equal(await index(), '0')
  }

  // Rows ask for themselves once they are in sight, and each but once.
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/')
  await page.getByRole('table', { name: 'Series' }).waitFor()
  await settled(page)
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await settled(page)
  const courses = asked.filter((url) => url.includes('/v1/history?'))
  t.ok(courses.length > 10 && courses.length < 150, `${courses.length} of ${MANY_SERIES} rows asked`)
  t.equal(new Set(courses).size, courses.length)

  // Going to and fro keeps nothing of what was left.
  const visit = async () => {
    for (const { path, selector } of cases) {
      await page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
      )
      await page.locator(selector).first().waitFor()
      await settled(page)
    }
  }
  await visit()
  const before = await heapBytes(session)
  for (let round = 0; round < 4; round++) await visit()
  const after = await heapBytes(session)
  t.comment(`heap: ${Math.round(before / 1e6)} MB, after four rounds more ${Math.round(after / 1e6)} MB`)
  t.ok(after < before * 1.5 + 5e6, `${before} bytes grew to ${after}`)
  t.ok(after < 150e6)
  t.strictSame(faults, [])
})
