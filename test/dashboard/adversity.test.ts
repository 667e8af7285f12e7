/** What befalls a page that is open: its session dies, the server goes away and comes back, values have no measure. */
import t from 'tap'
import { needsBrowser, openBrowser, openWindow, settled } from '../support/browser.js'
import { serve, temporaryFolder } from '../support/server.js'
import { inspect } from './inspect.js'
import { ADMIN_TOKEN, ask, type Listed, query, seriesPath, serveDemo, THROUGHPUT } from './support.js'

t.test('a session that dies while a view is open says why', { skip: needsBrowser() }, async (t) => {
  const server = await serveDemo(t, { GATEHOUSE_ADMIN_TOKEN: ADMIN_TOKEN })
  const made = await ask<{ token: string; token_id: string }>(server, '/v1/admin/tokens', {
    method: 'POST',
    body: { name: 'on call', scopes: ['history:read'] },
    token: ADMIN_TOKEN,
  })
  const browser = await openBrowser(t)
  const { page, faults } = await openWindow(browser, server.url)
  const signIn = async (token: string) => {
    await page.getByLabel('Token').fill(token)
    await page.keyboard.press('Enter')
  }
  await page.goto('/')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  t.equal(await page.getByText('Your session has ended').count(), 0, 'there was none')
  await signIn(made.token)
  await page
    .getByRole('link', { name: /test_throughput/ })
    .first()
    .waitFor()
  // A row that asked after the session's end would end the view before the click does.
  await settled(page, 1_500)
  const revoked = await fetch(`${server.url}/v1/admin/tokens/${made.token_id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  })
  t.ok(revoked.ok)

  await page
    .getByRole('link', { name: /test_throughput/ })
    .first()
    .click()
  await page.getByText('Your session has ended').waitFor()
  await inspect(t, page, 'an ended session')
  await signIn(made.token)
  await page.getByText('This token is not known').waitFor()
  t.equal(await page.getByText('Your session has ended').count(), 1, 'the reason stands')
  await signIn(ADMIN_TOKEN)
  await page.getByRole('heading', { name: 'perf/tokens_per_s' }).waitFor()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  t.equal(await page.getByText('Your session has ended').count(), 0, 'who leaves needs no reason')
  t.strictSame(faults, [])
})

t.test('a server that goes away and comes back', { skip: needsBrowser() }, async (t) => {
  const server = await serveDemo(t)
  const browser = await openBrowser(t)
  const { page, faults } = await openWindow(browser, server.url)
  await page.clock.install()
  const rows = page.getByRole('table', { name: 'Series' })
  await page.route(/\/v1\/(runs|coordinates)\?/, (route) => route.abort())
  await page.goto('/')
  await rows.getByText('test_throughput.py').waitFor()
  await page.clock.runFor(1_000)
  await settled(page)
  t.equal(await rows.locator('.spark').count(), 0)

  await page.route(/\/v1\//, (route) => route.abort())
  await page.getByRole('button', { name: 'Load anew' }).click()
  await page.getByText('The server cannot be reached').waitFor()
  t.equal(await rows.getByText('test_throughput.py').count(), 1, 'what was there stays')

  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('The server cannot be reached').waitFor({ state: 'detached' })
  await page.clock.runFor(20_000)
  await rows.locator('.spark').nth(2).waitFor()

  // In a view that nothing was loaded for.
  await page.route(/\/v1\//, (route) => route.abort())
  await rows
    .getByRole('link', { name: /test_throughput\.py/ })
    .first()
    .click()
  await page.getByText('Could not load the series').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'perf/tokens_per_s' }).waitFor()
  await page.getByText(/failed \d+ times in a row/).waitFor()
  t.strictSame(faults, [], 'no refusal is left unheard')
})

const MATH = { test_path: 'tests/evals/test_math.py', trusted: 'true', limit: '3' }

t.test('a trust that was taken changes what the overview keeps', { skip: needsBrowser() }, async (t) => {
  const server = await serveDemo(t)
  const browser = await openBrowser(t)
  const { page, faults } = await openWindow(browser, server.url)
  await page.goto('/')
  const told = (untrusted: number) =>
    page.getByRole('img', { name: `last 24 runs: 1 failed, ${untrusted} not trusted`, exact: true }).waitFor()
  await told(1)
  const runs = await ask<Listed>(server, `/v1/runs?${query(MATH)}`)
  const body = { run_ids: runs.items.map(({ run_id: id }) => id), reason: 'wrong questions' }
  await ask(server, '/v1/admin/revocations', { method: 'POST', body })
  await page.getByRole('button', { name: 'Load anew' }).click()
  await told(4)
  t.strictSame(faults, [])
})

t.test('values whose difference is no number are drawn', { skip: needsBrowser() }, async (t) => {
  const server = await serve(t, { DATABASE_URL: `sqlite:${temporaryFolder(t)}/huge.db` })
  const series = { ...THROUGHPUT, test_path: 'tests/huge.py' }
  for (const value of [1.7e308, -1.7e308, 1e300, 0, 'NaN', 5e-324, 1.7e308]) {
    await ask(server, '/v1/runs', {
      method: 'POST',
      body: {
        series,
        provenance: { commit_sha: 'e'.repeat(40) },
        cadence: 'nightly',
        declarations: [{ metric_key: 'huge', steps: 'last', constraint: { rel_up: 0.5, rel_down: 0.5 } }],
        record: [{ metric: 'huge', series: [[0, value]] }],
      },
    })
  }
  const browser = await openBrowser(t)
  const { page, faults } = await openWindow(browser, server.url)
  await page.goto('/')
  const line = page.locator('.spark-line')
  await line.waitFor()
  t.notMatch(await line.getAttribute('points'), /NaN|Infinity/)
  await page.goto(seriesPath(series, { metric_key: 'huge' }))
  await page.getByRole('slider').focus()
  const heights: number[] = []
  for (const key of ['Home', 'ArrowRight', 'ArrowRight']) {
    await page.keyboard.press(key)
    heights.push((await page.locator('.chart-point').boundingBox())!.y)
  }
  const [top, bottom, middle] = heights as [number, number, number]
  t.ok(top + 50 < middle && middle + 50 < bottom, heights.join(', '))
  t.strictSame(faults, [])
})
