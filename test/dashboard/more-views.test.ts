/** The views of revocations, replays, evals and ladders, in light and dark, wide and narrow, empty and full. */
import t from 'tap'
import {
  accessibilityFaults,
  NARROW,
  needsBrowser,
  openBrowser,
  openWindow,
  sidewaysScroll,
} from '../support/browser.js'
import { serve, temporaryFolder } from '../support/server.js'
import { inspect } from './inspect.js'
import {
  HOSTILE,
  LONG,
  makeComparisons,
  makeGrid,
  makeHostileLadder,
  makeLadder,
  makeTournament,
} from './more-data.js'
import { ask, type Listed, serveDemo } from './support.js'

const NOBODY = '01936f0c-0000-7000-8000-000000000000'

t.test('views of revocations, replays, evals and ladders', { skip: needsBrowser() }, async (t) => {
  const server = await serveDemo(t)
  const grid = await makeGrid(server)
  const { inconclusive, incomparable } = await makeComparisons(server)
  await makeLadder(server)
  await makeTournament(server)
  await makeHostileLadder(server)
  const runs = await ask<Listed>(server, '/v1/runs?trusted=true&limit=2')
  const ids = runs.items.map(({ run_id: id }) => id)
  const revoke = (run_ids: readonly (string | undefined)[], reason: string) =>
    ask<{ revocation_id: string }>(server, '/v1/admin/revocations', {
      method: 'POST',
      body: { run_ids, reason },
    })
  const undone = await revoke(ids.slice(0, 1), 'a mistake')
  const standing = await revoke(ids, HOSTILE)
  await ask(server, `/v1/admin/revocations/${undone.revocation_id}/undo`, {
    method: 'POST',
    body: { reason: LONG },
  })

  const views: Readonly<Record<string, { path: string; shows: string }>> = {
    revocations: { path: '/revocations', shows: 'undone' },
    'a standing revocation': { path: `/revocations/${standing.revocation_id}`, shows: 'untrusted already' },
    'an undone revocation': { path: `/revocations/${undone.revocation_id}`, shows: 'flipped' },
    'no such revocation': { path: `/revocations/${NOBODY}`, shows: 'There is no such revocation' },
    'no replay yet': { path: '/replay', shows: 'Nothing is replayed yet' },
    replay: { path: '/replay?run=1', shows: 'Preview a reset' },
    'a replay of nothing': { path: '/replay?run=1&suite=none', shows: 'No baseline lags behind' },
    'a replay that is refused': { path: '/replay?run=1&since=yesterday', shows: 'Could not load the replay' },
    grids: { path: '/evals', shows: 'incomplete' },
    comparisons: { path: '/evals?show=comparisons', shows: 'inconclusive' },
    grid: { path: `/evals/grids/${grid.grid_id}`, shows: 'scored lower' },
    'a grid, filtered': { path: `/evals/grids/${grid.grid_id}?state=missing`, shows: 'no row came for it' },
    'a grid, filtered to nothing': {
      path: `/evals/grids/${grid.grid_id}?q=nothing+like+it`,
      shows: 'No task fits',
    },
    'no such grid': { path: `/evals/grids/${NOBODY}`, shows: 'There is no such grid' },
    comparison: { path: `/evals/comparisons/${inconclusive.comparison_id}`, shows: 'Drops by question' },
    'a comparison without runs': {
      path: `/evals/comparisons/${incomparable.comparison_id}`,
      shows: 'scores of each question are not kept',
    },
    ladders: { path: '/ladders', shows: 'tournament' },
    'a ladder': { path: '/ladders/summarizer', shows: 'sequential_test_accepts' },
    'a ladder, what was refused': {
      path: '/ladders/summarizer?variant=v3&log=evaluations',
      shows: 'rejected after',
    },
    'a tournament': { path: '/ladders/router', shows: 'canary' },
    'a ladder of hostile names': {
      path: `/ladders/${encodeURIComponent(HOSTILE)}`,
      shows: 'Nothing was compared',
    },
    'no such ladder': { path: '/ladders/nobody', shows: 'There is no such ladder' },
  }
  const browser = await openBrowser(t)
  const { page, faults } = await openWindow(browser, server.url)
  for (const [name, { path, shows }] of Object.entries(views)) {
    await page.goto(path)
    await page.getByText(shows).first().waitFor({ state: 'attached' })
    await inspect(t, page, name)
  }
  t.strictSame(faults, [])
})

t.test('an empty store', { skip: needsBrowser() }, async (t) => {
  const server = await serve(t, { DATABASE_URL: `sqlite:${temporaryFolder(t)}/empty.db` })
  const browser = await openBrowser(t)
  const { page, faults } = await openWindow(browser, server.url, { viewport: NARROW })
  const views = {
    '/revocations': 'Nothing was ever revoked',
    '/replay?run=1': 'No baseline lags behind',
    '/evals': 'No grid was judged yet',
    '/evals?show=comparisons': 'No runs were compared yet',
    '/ladders': 'There is no ladder yet',
  }
  for (const [path, shows] of Object.entries(views)) {
    await page.goto(path)
    await page.getByText(shows).waitFor()
    t.strictSame(await accessibilityFaults(page), [], path)
    t.equal(await sidewaysScroll(page), 0, path)
  }
  t.strictSame(faults, [])
})

t.test(
  'a list of more than a page is walked, and each page has its address',
  { skip: needsBrowser() },
  async (t) => {
    const server = await serveDemo(t)
    const runs = await ask<Listed>(server, '/v1/runs?trusted=true&limit=1')
    for (let n = 1; n <= 53; n++) {
      await ask(server, '/v1/admin/revocations', {
        method: 'POST',
        body: { run_id: runs.items[0]!.run_id, reason: `reason ${n}` },
      })
    }
    const browser = await openBrowser(t)
    const { page, faults } = await openWindow(browser, server.url)
    await page.goto('/revocations')
    const table = page.getByRole('table', { name: 'Revocations' })
    await table.getByText('reason 53', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Older' }).click()
    await table.getByText('reason 3', { exact: true }).waitFor()
    t.equal(await table.locator('.table-body [role=row]').count(), 3)
    await page.reload()
    await table.getByText('reason 1', { exact: true }).waitFor()
    t.equal(await page.getByRole('link', { name: 'Older' }).count(), 0)
    await page.goBack()
    // Where one was: at the end, by the link to the older ones.
    await table.getByText('reason 4', { exact: true }).waitFor()
    await page.mouse.wheel(0, -100_000)
    await table.getByText('reason 53', { exact: true }).waitFor()
    t.strictSame(faults, [])
  },
)
