/**
 * From the first sight to a revocation, by keyboard alone: sign in, find the series that drifts, its corridor and its
 * first failing point, open that run; take the trust of another, see the next verdict change, and have it undone.
 */
import t from 'tap'
import {
  accessibilityFaults,
  needsBrowser,
  openBrowser,
  openWindow,
  settled,
  tabTo,
} from '../support/browser.js'
import { ADMIN_TOKEN, ask, type Listed, query, seriesPath, serveDemo, THROUGHPUT } from './support.js'

t.test('a journey by keyboard', { skip: needsBrowser() }, async (t) => {
  const server = await serveDemo(t, { GATEHOUSE_ADMIN_TOKEN: ADMIN_TOKEN })
  const browser = await openBrowser(t)
  const { page, faults } = await openWindow(browser, server.url)
  const api = <T>(path: string, more: { method?: string; body?: object } = {}) =>
    ask<T>(server, path, { token: ADMIN_TOKEN, ...more })

  /** Judges a value of the throughput as a pull request's job would: nothing of it is stored as history. */
  const judge = (value: number) =>
    api<{ outcome: string; checks: { baseline: { lower: number } }[] }>('/v1/runs', {
      method: 'POST',
      body: {
        series: THROUGHPUT,
        provenance: { commit_sha: 'd'.repeat(40), pr_number: 1300 },
        cadence: 'regular',
        declarations: [
          { metric_key: 'perf/tokens_per_s', steps: 'last', constraint: { rel_up: 0.2, rel_down: 0.05 } },
        ],
        record: [{ metric: 'perf/tokens_per_s', series: [[0, value]] }],
      },
    })
  const lowerBound = async () => (await judge(41_000)).checks[0]!.baseline.lower

  // A shared link asks for a token, and opens afterwards.
  await page.goto(seriesPath(THROUGHPUT))
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  await tabTo(page, /^Token/)
  await page.keyboard.type('gatehouse_wrong')
  await page.keyboard.press('Enter')
  await page.getByText('This token is not known').waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  await page.getByLabel('Token').fill('')
  await page.keyboard.type(ADMIN_TOKEN)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'perf/tokens_per_s' }).waitFor()
  t.notMatch(await page.evaluate('document.cookie'), /gatehouse/, 'no script reads the session')

  // From the overview the failing series stands first.
  await page.goto('/')
  await page.getByRole('table', { name: 'Series' }).waitFor()
  await settled(page)
  await tabTo(page, /test_throughput\.py/)
  await page.keyboard.press('Enter')

  // Its chart is walked point by point, to the first that fails.
  await page.getByRole('slider').waitFor()
  await tabTo(page, /Arrows walk the points/)
  await page.keyboard.press('Home')
  const says = () => page.getByRole('slider').getAttribute('aria-valuetext')
  let first = ''
  for (let moved = 0; moved < 60 && !/, failed;/.test(first); moved++) {
    await page.keyboard.press('ArrowRight')
    first = (await says()) ?? ''
  }
  await page.keyboard.press('Home')
  await page.keyboard.press('n')
  t.equal(await says(), first, 'one key leads there too')
  t.match(
    await says(),
    /^38\d+, failed; mean 41\d+\.\d; corridor 39\d+\.?\d* to 49\d+\.?\d*; commit [0-9a-f]{12}; /,
  )
  await page.locator('.readout').getByText('failed').waitFor()
  await page.keyboard.press('Enter')

  // The run: what failed is on top, against its corridor.
  await page.waitForURL(/\/runs\//)
  const firstRow = page.getByRole('table', { name: 'Checks' }).locator('.table-body [role=row]').first()
  t.match(await firstRow.innerText(), /failed[^]*fails CI[^]*perf\/tokens_per_s/)
  t.equal(await page.getByRole('button', { name: 'Revoke trust' }).count(), 0, 'it never earned trust')

  // A trusted run loses it: the preview first, then a reason.
  const trusted = await api<Listed>(`/v1/runs?${query(THROUGHPUT)}&trusted=true&limit=2`)
  const [newest] = trusted.items
  const [baseline] = (
    await api<{ values: { run_id: string }[] }>(
      `/v1/baselines?${query({ ...THROUGHPUT, metric_key: 'perf/tokens_per_s', step: '-1' })}`,
    )
  ).values
  t.equal(baseline?.run_id, newest!.run_id, 'the newest trusted run is part of the baseline')
  const bound = await lowerBound()
  await page.goto(`/runs/${newest!.run_id}`)
  await page.getByRole('button', { name: 'Revoke trust' }).waitFor()
  await tabTo(page, /Revoke trust…/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 run loses its trust').waitFor()
  await dialog.getByText(/stored verdicts? rested on them/).waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  t.ok((await api<{ trusted: boolean }>(`/v1/runs/${newest!.run_id}`)).trusted, 'a preview changes nothing')
  await page.keyboard.press('Escape')
  t.equal(await dialog.count(), 0)
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  await tabTo(page, /^Reason/)
  await page.keyboard.type('measured on a throttled machine')
  await tabTo(page, /^Revoke trust$/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Trust revoked' }).waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  await tabTo(page, /^Close$/)
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Revocations of this run' }).getByText('throttled machine').waitFor()

  // The next verdict is another one: without the lowest of its values the corridor begins higher.
  const raised = await lowerBound()
  t.ok(raised > bound, `${raised} after ${bound}`)
  const between = (bound + raised) / 2
  t.equal((await judge(between)).outcome, 'fail')
  const [revocation] = (
    await api<{ items: { revocation_id: string; actor: string }[] }>('/v1/admin/revocations')
  ).items
  t.match(
    await page.getByRole('link', { name: 'Revocation, undo' }).getAttribute('href'),
    revocation!.revocation_id,
  )

  // The chart strikes the point through.
  const chart = seriesPath(THROUGHPUT, { metric_key: 'perf/tokens_per_s' })
  const legend = page.getByRole('list', { name: 'Legend' })
  await page.goto(chart)
  await legend.getByText('revoked').waitFor()

  // It was a mistake: the run leads to its revocation, which is undone there.
  await page.goto(`/runs/${newest!.run_id}`)
  await page.getByRole('link', { name: 'Revocation, undo' }).waitFor()
  await tabTo(page, /Revocation, undo/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /measured on a throttled machine/ }).waitFor()
  await page.getByRole('button', { name: 'Undo…' }).waitFor()
  await tabTo(page, /Undo…/)
  await page.keyboard.press('Enter')
  await dialog.getByText('trusted again from the next verdict on').waitFor()
  t.equal((await judge(between)).outcome, 'fail', 'to ask for it changes nothing')
  await tabTo(page, /^Reason/)
  await page.keyboard.type('it was not')
  await tabTo(page, /^Undo revocation$/)
  await page.keyboard.press('Enter')
  await dialog.getByText('1 run restored').waitFor()
  await tabTo(page, /^Close$/)
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Undone' }).getByText('it was not').waitFor()
  t.strictSame(await accessibilityFaults(page), [])

  // The next verdict is what it was, the run is trusted, and its point stands.
  t.equal(await lowerBound(), bound)
  t.equal((await judge(between)).outcome, 'pass')
  await page.goto(`/runs/${newest!.run_id}`)
  await page.getByText('revoked, undone').waitFor()
  await page.getByText('trusted', { exact: true }).first().waitFor()
  await page.goto(chart)
  await legend.getByText('corridor and mean').waitFor()
  t.equal(await legend.getByText('revoked').count(), 0)

  // Signed out, nothing is shown.
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  t.strictSame(faults, [])
})

t.test(
  'who may only read revokes nothing, and public reading needs no token',
  { skip: needsBrowser() },
  async (t) => {
    const server = await serveDemo(t, { GATEHOUSE_ADMIN_TOKEN: ADMIN_TOKEN, GATEHOUSE_PUBLIC_READ: 'true' })
    const browser = await openBrowser(t)
    const { page, faults } = await openWindow(browser, server.url)
    const trusted = await ask<Listed>(server, `/v1/runs?${query(THROUGHPUT)}&trusted=true&limit=1`)
    await page.goto(`/runs/${trusted.items[0]!.run_id}`)
    await page.getByText('Against the corridor').waitFor()
    t.equal(await page.getByRole('button', { name: 'Revoke trust' }).count(), 0)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Token').fill(ADMIN_TOKEN)
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: 'Series' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Revoke trust' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    t.equal(await page.getByRole('button', { name: 'Revoke trust' }).count(), 0)
    t.strictSame(faults, [])
  },
)
