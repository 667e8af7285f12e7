/** Every view of series and runs, in light and dark, wide and narrow: nothing inaccessible, nothing cut off, no fault. */
import t from 'tap'
import { needsBrowser, openBrowser, openWindow } from '../support/browser.js'
import { inspect } from './inspect.js'
import {
  ask,
  type Listed,
  PPO,
  query,
  seriesPath,
  serveDemo,
  STEPS,
  submitSteps,
  THROUGHPUT,
} from './support.js'

t.test('the dashboard', { skip: needsBrowser() }, async (t) => {
  const server = await serveDemo(t)
  const browser = await openBrowser(t)

  t.test('views of series and runs', async (t) => {
    const failing = await ask<Listed>(server, '/v1/verdicts?outcome=fail&pr_number=1207')
    const runs = await ask<Listed>(server, `/v1/runs?${query(PPO)}&trusted=true&limit=1`)
    for (let run = 0; run < 4; run++) await submitSteps(server, run === 3 ? 2 : 1)
    const views: Readonly<Record<string, { path: string; shows: string }>> = {
      overview: { path: '/', shows: 'test_throughput.py' },
      'overview, filtered to nothing': { path: '/?q=nothing+like+it', shows: 'No series fits' },
      series: {
        path: seriesPath(THROUGHPUT, { metric_key: 'perf/tokens_per_s' }),
        shows: 'corridor and mean',
      },
      'small multiples': { path: seriesPath(PPO, { metric_key: 'train/ppo_kl' }), shows: 'step 7' },
      'a map of many steps': { path: seriesPath(STEPS), shows: 'from the lower bound' },
      'an unknown series': { path: seriesPath({ ...PPO, suite: 'none' }), shows: 'Nothing is stored' },
      'an address without a series': { path: '/series', shows: 'names no series' },
      run: { path: `/runs/${runs.items[0]!.run_id}`, shows: 'Against the corridor' },
      verdict: { path: `/verdicts/${failing.items[0]!.verdict_id}`, shows: 'fails CI' },
      'an unknown run': { path: '/runs/01936f0c-0000-7000-8000-000000000000', shows: 'There is no such run' },
    }
    const { page, faults } = await openWindow(browser, server.url)
    for (const [name, { path, shows }] of Object.entries(views)) {
      await page.goto(path)
      await page.getByText(shows).first().waitFor({ state: 'attached' })
      await inspect(t, page, name)
      t.match(await page.title(), / · Gatehouse$/)
    }
    t.strictSame(faults, [])
  })

  t.test('the theme is chosen, and kept', async (t) => {
    const { page, faults } = await openWindow(browser, server.url, { theme: 'light' })
    await page.goto('/')
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await ground()
    await page.getByRole('button', { name: 'Switch to dark theme' }).click()
    t.not(await ground(), light)
    await page.reload()
    await page.getByRole('button', { name: 'Switch to light theme' }).waitFor()
    t.not(await ground(), light, 'after loading anew')
    t.strictSame(faults, [])
  })

  t.test('Back leads to where one was', async (t) => {
    const { page, faults } = await openWindow(browser, server.url, {
      viewport: { width: 1_440, height: 480 },
    })
    await page.goto('/')
    const link = page.getByRole('table', { name: 'Series' }).getByRole('link', { name: /test_ppo/ })
    await link.first().waitFor()
    await page.evaluate('scrollTo(0, 200)')
    t.equal(await page.evaluate('scrollY'), 200)
    await link.first().click()
    await page.getByRole('slider').or(page.locator('.multiples')).first().waitFor()
    t.equal(await page.evaluate('scrollY'), 0)
    await page.goBack()
    const arrived = await page.evaluate(`new Promise((done) => {
      const until = performance.now() + 3000
      const look = () => scrollY === 200 || performance.now() > until ? done(scrollY) : setTimeout(look, 20)
      look()
    })`)
    t.equal(arrived, 200)
    t.strictSame(faults, [])
  })

  t.test('filters and the shown metric are in the address', async (t) => {
    const { page, faults } = await openWindow(browser, server.url)
    await page.goto('/')
    const rows = page.getByRole('table', { name: 'Series' }).locator('.table-body [role=row]')
    await rows.nth(2).waitFor()
    t.match(await rows.first().innerText(), /test_throughput/, 'what fails stands first')
    await page.getByRole('button', { name: 'Failing' }).click()
    t.equal(await rows.count(), 1)
    await page.getByRole('button', { name: 'All' }).click()
    await page.getByRole('searchbox', { name: 'Search' }).fill('MATH cuda')
    t.equal(await rows.count(), 1)
    t.match(page.url(), /\?q=MATH\+cuda$/)
    await page.reload()
    await rows.first().waitFor()
    t.equal(await rows.count(), 1)
    await page.getByRole('link', { name: /test_math/ }).click()
    await page.getByRole('link', { name: 'eval/answered' }).click()
    t.match(page.url(), /metric_key=eval%2Fanswered/)
    await page.getByRole('heading', { name: 'eval/answered' }).waitFor()
    await page.getByRole('button', { name: '1 year' }).click()
    await page.getByRole('link', { name: 'eval/accuracy' }).click()
    await page.getByRole('heading', { name: 'eval/accuracy' }).waitFor()
    t.match(page.url(), /range=1y/, 'another metric is looked at over the same time')
    await page.goBack()
    await page.goBack()
    await page.goBack()
    t.equal(await page.getByRole('searchbox', { name: 'Search' }).inputValue(), 'MATH cuda')
    t.strictSame(faults, [])
  })
})
