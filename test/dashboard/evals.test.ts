/** A grid of many cells with one that is missing; and what a comparison says of its questions. */
import t from 'tap'
import { NARROW, needsBrowser, openBrowser, openWindow, tabTo } from '../support/browser.js'
import { serve, temporaryFolder } from '../support/server.js'
import { HOSTILE, makeComparisons, makeGrid, MISSING } from './more-data.js'

t.test('the missing cell of a grid is found', { skip: needsBrowser() }, async (t) => {
  const server = await serve(t, { DATABASE_URL: `sqlite:${temporaryFolder(t)}/evals.db` })
  const { grid_id: id } = await makeGrid(server)
  const browser = await openBrowser(t)
  const { page, faults } = await openWindow(browser, server.url)
  const legend = page.getByRole('group', { name: 'Show cells by state' })
  const chosen = page.getByRole('region', { name: 'Chosen cell' })
  const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")')
  const words = `${MISSING.task}, ${MISSING.harness}, repeat ${MISSING.repeat}: missing`

  await page.goto('/evals')
  await page.getByRole('link', { name: 'nightly coding' }).click()
  await legend.getByText('missing').waitFor()
  t.match(await legend.innerText(), /missing\s*1\b[^]*errored[^]*duplicate\s*1\b/, 'counted in the legend')

  // By keyboard from the first cell on: one key leads there, past everything that is no fault.
  await tabTo(page, /: passed$/)
  await page.keyboard.press('n')
  t.equal(await focused(), words)
  await chosen.getByText('no row came for it').waitFor()
  await page.keyboard.press('ArrowLeft')
  t.match(await focused(), /repeat 1: (?:passed|scored lower)$/)
  await page.keyboard.press('ArrowDown')
  t.match(await focused(), /^sort-numbers-24, docker, repeat 1/)
  await page.keyboard.press('End')
  t.match(await focused(), /^sort-numbers-24, remote sandbox, repeat 3/)

  // What is walked to is never covered by what stays in place.
  const isCovered = () =>
    page.evaluate<boolean>(`(() => {
      const { left, top, width, height } = document.activeElement.getBoundingClientRect()
      const above = document.elementFromPoint(left + width / 2, top + height / 2)
      return !document.activeElement.contains(above)
    })()`)
  for (const key of ['ArrowDown', 'ArrowUp']) {
    for (let pressed = 0; pressed < 32; pressed++) {
      await page.keyboard.press(key)
      if (await isCovered()) t.fail(`${String(await focused())} is covered`)
    }
  }

  // By the filter: one task is left, and the address tells it.
  await legend.getByRole('button', { name: 'missing' }).click()
  await page.getByText(/^1 of \d+ tasks$/).waitFor()
  t.equal(await page.getByRole('rowheader').count(), 1)
  await page.getByRole('button', { name: 'Next missing cell' }).click()
  t.equal(await focused(), words)
  const shared = page.url()
  t.match(shared, /\?state=missing$/)

  // A shared link opens the same; on a phone the cell's harness may be on another page, and is gone to.
  await page.goto(shared)
  await page.setViewportSize(NARROW)
  await page.getByRole('button', { name: 'Next missing cell' }).click()
  t.equal(await focused(), words)

  // What is not missing tells why it is no result.
  await legend.getByRole('button', { name: 'errored' }).click()
  await page.getByRole('button', { name: 'Next errored cell' }).click()
  await chosen.getByText('the sandbox died').waitFor()
  await page.goto(`/evals/grids/${id}?q=${encodeURIComponent(HOSTILE)}`)
  t.equal(await page.getByRole('rowheader').innerText(), HOSTILE)
  t.strictSame(faults, [])
})

t.test('cells beyond the window are found too', { skip: needsBrowser() }, async (t) => {
  const server = await serve(t, { DATABASE_URL: `sqlite:${temporaryFolder(t)}/evals.db` })
  const tasks = Array.from({ length: 800 }, (_, n) => `task-${n}`)
  const harnesses = Array.from({ length: 10 }, (_, n) => `harness-${n}`)
  const results = tasks
    .flatMap((task) => harnesses.map((harness) => ({ task, harness, reward: 1 })))
    .filter(({ task, harness }) => task !== 'task-777' || harness !== 'harness-9')
  const answer = await fetch(`${server.url}/v1/evals/grids`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ plan: { tasks, harnesses }, results }),
  })
  const { grid_id: id } = (await answer.json()) as { grid_id: string }
  const browser = await openBrowser(t)
  const { page, faults } = await openWindow(browser, server.url, { viewport: NARROW })
  await page.goto(`/evals/grids/${id}`)
  await page.getByRole('button', { name: /^missing 1/ }).waitFor()
  t.ok((await page.getByRole('gridcell').count()) < 1_000, 'only what is near the window exists')
  await tabTo(page, /: passed$/)
  await page.keyboard.press('n')
  await page.waitForURL(/page=/)
  const focused = page.locator(':focus')
  t.equal(await focused.getAttribute('aria-label'), 'task-777, harness-9, repeat 1: missing')
  t.strictSame(faults, [])
})

t.test(
  'inconclusive comparisons come first, with their intervals and questions',
  { skip: needsBrowser() },
  async (t) => {
    const server = await serve(t, { DATABASE_URL: `sqlite:${temporaryFolder(t)}/evals.db` })
    const { inconclusive } = await makeComparisons(server)
    const [gate] = inconclusive.gates
    const browser = await openBrowser(t)
    const { page, faults } = await openWindow(browser, server.url)
    await page.goto('/evals?show=comparisons')
    const rows = page.getByRole('table', { name: 'Comparisons' }).locator('.table-body [role=row]')
    await rows.nth(3).waitFor()
    t.match(await rows.first().innerText(), /inconclusive/, 'though it is the oldest')
    await rows.first().getByRole('link').click()
    const interval = page.getByRole('img', { name: /^Score with the context: mean drop/ })
    await interval.waitFor()
    const label = (await interval.getAttribute('aria-label')) ?? ''
    const [mean, low, high] = [...label.matchAll(/−?\d+\.\d+/g)].map(([text]) =>
      Number(text.replace('−', '-')),
    )
    t.ok(Math.abs(mean! - Number(gate!.mean_drop)) < 0.001, 'the service says the same')
    t.ok(Math.abs(low! - Number(gate!.ci95![0])) < 0.001)
    t.ok(Math.abs(high! - Number(gate!.ci95![1])) < 0.001)
    t.match(label, /limit 0\.2, undecided$/)

    const drops = page.getByRole('table', { name: 'Drops by question' }).locator('.table-body [role=row]')
    t.match(await drops.first().innerText(), /\+2\.4/, 'what fell furthest stands first')
    await page.getByText('10 fell, 50 rose, 0 stayed').waitFor()
    await page.getByRole('button', { name: 'Drop' }).click()
    t.match(await drops.first().innerText(), /−0\.35/)
    t.strictSame(faults, [])
  },
)
