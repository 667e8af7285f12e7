/** A ladder in a browser: its test is seen to cross its boundary, and what did not pass is there with its reasons. */
import t from 'tap'
import { needsBrowser, openBrowser, openWindow, settled, tabTo } from '../support/browser.js'
import { serve, temporaryFolder } from '../support/server.js'
import { HOSTILE, makeLadder, makeTournament } from './more-data.js'

/** The heights of a line's points, and of a boundary, as they are drawn; higher is less. */
const LINE = `(name) => document.querySelector('.trajectory-' + name).getAttribute('points').split(' ').map((point) => Number(point.split(',')[1]))`
const BOUNDARY = `(name) => Number(/^M[\\d.]+ ([\\d.]+)/.exec(document.querySelector('.boundary-' + name + ' path').getAttribute('d'))[1])`

t.test('a test is followed to the boundary that decided it', { skip: needsBrowser() }, async (t) => {
  const server = await serve(t, { DATABASE_URL: `sqlite:${temporaryFolder(t)}/ladders.db` })
  const ladder = await makeLadder(server)
  const [accepted, rejected] = [await ladder.test('v2'), await ladder.test('v3')]
  t.equal(accepted.decision, 'accept')
  t.equal(rejected.decision, 'reject')
  const browser = await openBrowser(t)
  const { page, faults } = await openWindow(browser, server.url)
  const line = (name: string) => page.evaluate<number[]>(`(${LINE})('${name}')`)
  const boundary = (name: string) => page.evaluate<number>(`(${BOUNDARY})('${name}')`)

  await page.goto('/ladders')
  await page.getByRole('link', { name: 'summarizer' }).click()
  await page.getByRole('heading', { name: 'v4' }).waitFor()
  const rungs = page.getByRole('region', { name: 'Rungs' })
  t.match(await rungs.innerText(), /in trial\s+gets 5 %[^]*live[^]*v2\s+95 %/)

  // The accepted one: every look but the last lies under the boundary.
  await page.goto('/ladders/summarizer?variant=v2')
  await page.locator('.crossing').getByText(`accepted after ${accepted.decided_at}`).waitFor()
  const course = await line('for')
  t.equal(course.length, accepted.trajectory.length + 1)
  const accepts = await boundary('accept')
  t.ok(
    course.slice(0, -1).every((height) => height > accepts),
    'it was under its boundary until then',
  )
  t.ok(course.at(-1)! < accepts, 'and crossed it')

  // The rejected one crosses by the evidence against it.
  await page.goto('/ladders/summarizer?variant=v3')
  await page.locator('.crossing').getByText(`rejected after ${rejected.decided_at}`).waitFor()
  const against = await line('against')
  const rejects = await boundary('reject')
  t.ok(against.slice(0, -1).every((height) => height > rejects))
  t.ok(against.at(-1)! < rejects)

  // The same by keyboard, in words.
  await tabTo(page, /Arrows walk the comparisons/)
  const slider = page.getByRole('slider')
  t.match(
    await slider.getAttribute('aria-valuetext'),
    /^After 18 decisive comparisons, 6 won and 12 lost: .* −2\.09, against it 1\.79/,
  )
  await page.keyboard.press('Home')
  t.match(await slider.getAttribute('aria-valuetext'), /^After 0 decisive comparisons/)
  await page.keyboard.press('ArrowRight')
  t.match(await slider.getAttribute('aria-valuetext'), /^After 1 decisive comparison, [01] won/)

  // Strengths and decisions, those that were refused too.
  await page.getByRole('img', { name: /^v4: strength 0\.69 \(−0\.29 to 1\.67\)$/ }).waitFor()
  const log = page.getByRole('region', { name: 'Decisions' })
  t.match(await log.getByRole('listitem').first().innerText(), /core violation[^]*fails\s+no_core_violation/)
  await log.getByRole('button', { name: 'Did not pass' }).click()
  await log.getByLabel('Variant').selectOption('v5')
  t.match(page.url(), /log=evaluations&only=v5$/)
  await settled(page)
  await log.getByText('validated', { exact: true }).first().waitFor()
  t.notMatch(await log.getByRole('list').first().innerText(), /v4/)
  await page.getByRole('region', { name: 'Rungs' }).getByRole('link', { name: HOSTILE }).click()
  await page.getByText('Nothing was compared yet').waitFor()
  t.strictSame(faults, [])
})

t.test('a test of one statistic has both boundaries', { skip: needsBrowser() }, async (t) => {
  const server = await serve(t, { DATABASE_URL: `sqlite:${temporaryFolder(t)}/ladders.db` })
  const ladder = await makeTournament(server)
  const { accept_at: accept, reject_at: reject } = await ladder.test('a1')
  const browser = await openBrowser(t)
  const { page, faults } = await openWindow(browser, server.url)
  await page.goto('/ladders/router?variant=a1')
  const shown = async (kind: string) =>
    Number(
      (await page.locator(`.boundary-${kind} text`).textContent())!.replace('−', '-').replace(/^.* at /, ''),
    )
  t.ok(Math.abs((await shown('accept')) - accept) < 0.01)
  t.ok(Math.abs((await shown('reject')) - reject) < 0.01)
  t.equal(await page.locator('.trajectory-against').count(), 0)
  t.equal(await page.locator('.crossing').count(), 0, 'nothing is decided')
  t.strictSame(faults, [])
})
