/** From a replay to a reset and back: what a revocation would do is seen, it is made, shown, and undone, by keyboard alone. */
import t from 'tap'
import {
  accessibilityFaults,
  NARROW,
  needsBrowser,
  openBrowser,
  openWindow,
  settled,
  sidewaysScroll,
  tabTo,
  WIDE,
} from '../support/browser.js'
import { serve, temporaryFolder } from '../support/server.js'
import { HOSTILE } from './more-data.js'
import { ADMIN_TOKEN, ask, type Listed, query, serveDemo, THROUGHPUT } from './support.js'

t.test('a stale coordinate is reset, and the reset undone', { skip: needsBrowser() }, async (t) => {
  const server = await serveDemo(t, { GATEHOUSE_ADMIN_TOKEN: ADMIN_TOKEN })
  const browser = await openBrowser(t)
  const { page, faults } = await openWindow(browser, server.url)
  const trusted = async () =>
    (
      await ask<Listed>(server, `/v1/runs?${query(THROUGHPUT)}&trusted=true&limit=100`, {
        token: ADMIN_TOKEN,
      })
    ).items.length
  const before = await trusted()

  await page.goto('/replay')
  await page.getByLabel('Token').fill(ADMIN_TOKEN)
  await page.keyboard.press('Enter')
  await page.getByText('Nothing is replayed yet').waitFor()
  await tabTo(page, /^Replay/)
  await tabTo(page, /^Test file/)
  await page.keyboard.type(THROUGHPUT.test_path)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/replay\?run=1&test_path=tests/)
  const stale = page.getByRole('listitem').filter({ hasText: 'three times in a row' })
  await stale.getByText('below its corridor').waitFor()
  await stale.getByRole('slider').waitFor()
  t.equal(await stale.getByRole('list', { name: 'Legend' }).getByText('failed').count(), 1)
  t.match(await page.getByRole('table', { name: 'Untrusted regressions' }).innerText(), /perf\/tokens_per_s/)

  await tabTo(page, /^Preview a reset: 23 runs/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('23 runs lose their trust').waitFor()
  await dialog.getByText('cold: 20 to 0 values').first().waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  t.equal(await trusted(), before, 'a preview changes nothing')

  await tabTo(page, /^Reason/)
  await page.keyboard.type('the level is the new one')
  await tabTo(page, /^Revoke trust$/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Trust revoked' }).waitFor()
  t.equal(await trusted(), before - 23)
  await tabTo(page, /^Look at the revocation/)
  await page.keyboard.press('Enter')

  await page.waitForURL(/\/revocations\//)
  const runs = page.getByRole('table', { name: 'Runs, flipped ones first' })
  await runs.getByText('untrusted', { exact: true }).first().waitFor()
  await page.getByText('23 runs flipped, 23 runs matched').waitFor()
  await settled(page)
  t.strictSame(await accessibilityFaults(page), [])
  await tabTo(page, /^\s*Undo…/)
  await page.keyboard.press('Enter')
  await dialog.getByText('23 runs that it flipped').waitFor()
  await tabTo(page, /^Reason/)
  await page.keyboard.type('the drift is no wanted one')
  await tabTo(page, /^Undo revocation$/)
  await page.keyboard.press('Enter')
  await dialog.getByText('23 runs restored').waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  await page.keyboard.press('Escape')
  t.equal(await trusted(), before, 'every run is trusted again')
  await page.getByRole('region', { name: 'Undone' }).getByText('the drift is no wanted one').waitFor()
  await runs.getByText('trusted', { exact: true }).first().waitFor()
  t.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0, 'there is nothing left to undo')
  await page.goto('/revocations')
  await page.getByRole('table', { name: 'Revocations' }).getByText('undone').waitFor()
  t.strictSame(faults, [])
})

t.test(
  'runs that another revocation covers are not restored, and named',
  { skip: needsBrowser() },
  async (t) => {
    const server = await serveDemo(t)
    const { items } = await ask<Listed>(server, `/v1/runs?${query(THROUGHPUT)}&trusted=true&limit=2`)
    const ids = items.map(({ run_id: id }) => id)
    const revoke = (run_ids: readonly (string | undefined)[]) =>
      ask<{ revocation_id: string }>(server, '/v1/admin/revocations', {
        method: 'POST',
        body: { run_ids, reason: 'both' },
      })
    const first = await revoke(ids)
    const second = await revoke(ids.slice(0, 1))
    const browser = await openBrowser(t)
    const { page, faults } = await openWindow(browser, server.url)
    await page.goto(`/revocations/${first.revocation_id}`)
    await page.getByRole('button', { name: 'Undo…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('one of them was right')
    await dialog.getByRole('button', { name: 'Undo revocation' }).click()
    await dialog.getByText('1 run restored').waitFor()
    await dialog.getByText('1 run not restored').waitFor()
    t.equal(
      await dialog.getByRole('link', { name: /^revocation/ }).getAttribute('href'),
      `/revocations/${second.revocation_id}`,
    )
    await dialog.getByRole('button', { name: 'Close' }).click()
    const effects = page.getByRole('table', { name: 'Runs, flipped ones first' })
    await effects.getByText('trusted', { exact: true }).waitFor()
    await effects.getByText('untrusted', { exact: true }).waitFor()
    t.strictSame(faults, [])
  },
)

t.test(
  'another band is tried, and who may only read revokes nothing',
  { skip: needsBrowser() },
  async (t) => {
    const server = await serveDemo(t, { GATEHOUSE_ADMIN_TOKEN: ADMIN_TOKEN })
    const reader = await ask<{ token: string }>(server, '/v1/admin/tokens', {
      method: 'POST',
      token: ADMIN_TOKEN,
      body: { name: 'reader', scopes: ['history:read'] },
    })
    const browser = await openBrowser(t)
    const { page, faults } = await openWindow(browser, server.url)
    await page.goto('/replay?run=1')
    await page.getByLabel('Token').fill(reader.token)
    await page.keyboard.press('Enter')
    await page.getByText('that needs the scope trust:revoke').waitFor()
    t.equal(await page.getByRole('button', { name: 'Preview a reset' }).count(), 0)

    const flips = page.getByRole('listitem').filter({ hasText: 'exact zeros' })
    await flips.getByRole('link', { name: 'Try a wider band' }).click()
    await page.getByLabel('abs_floor_up').fill('0.5')
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('by the bands that are tried').waitFor()
    await page.getByText('No failing coordinate mixes exact zeros').waitFor()
    t.match(page.url(), /metric_key=rollout.*abs_floor_up=0\.5/, 'the try can be shared')
    t.strictSame(faults, [])
  },
)

t.test('what a run lacks is told, and what was never enforceable', { skip: needsBrowser() }, async (t) => {
  const server = await serve(t, { DATABASE_URL: `sqlite:${temporaryFolder(t)}/gaps.db` })
  const series = { test_path: 'tests/test_gaps.py', backend: 'cpu', suite: 'nightly' }
  const submit = (record: object[]) =>
    ask(server, '/v1/runs', {
      method: 'POST',
      body: {
        series,
        provenance: { commit_sha: 'a'.repeat(40) },
        cadence: 'nightly',
        declarations: ['loss', HOSTILE].map((metric_key) => ({
          metric_key,
          steps: [1, 2],
          constraint: { rel_up: 0.5, rel_down: 0.5 },
        })),
        record,
      },
    })
  const whole = (metric: string) => ({
    metric,
    series: [
      [1, 1],
      [2, 1],
    ],
  })
  await submit([whole('loss'), whole(HOSTILE)])
  await submit([whole('loss'), { metric: HOSTILE, series: [[1, 1]] }])
  await submit([whole('loss')])
  const browser = await openBrowser(t)
  for (const viewport of [WIDE, NARROW]) {
    const { page, faults } = await openWindow(browser, server.url, { viewport })
    await page.goto('/replay?run=1')
    const gaps = page.getByRole('table', { name: 'Incomplete coverage' }).locator('.table-body [role=row]')
    await gaps.first().waitFor()
    t.equal(await gaps.count(), 2)
    t.match(await gaps.nth(0).innerText(), /step 1, step 2/, 'newest first')
    t.match(await gaps.nth(1).innerText(), /step 2/)
    t.ok((await gaps.nth(1).innerText()).includes(HOSTILE))
    const cold = page.getByRole('table', { name: 'Declarations that were never enforceable' })
    t.match(await cold.innerText(), /loss\s[^]*2 cold starts/)
    t.strictSame(await accessibilityFaults(page), [])
    t.equal(await sidewaysScroll(page), 0)
    t.strictSame(faults, [])
    await page.context().close()
  }
})
