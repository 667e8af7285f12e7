import { monitorEventLoopDelay } from 'node:perf_hooks'
import t from 'tap'
import { DECLARED, FIELDS, form, jsonText, openClient, whereOf, type ProblemBody } from './support.js'

const MIB = 1024 * 1024

/** Legal sizes, made to be expensive: each is refused at once, and the event loop stays free for others. */
t.test('bodies made to be expensive', { timeout: 120_000 }, async (t) => {
  // Whether the loop is held up is measured below.
  const { call } = await openClient(t, { deps: { pressure: { eventLoopDelayMs: 60_000 } } })
  const recorded = (text: string) => form([...FIELDS, ['declarations', DECLARED], ['record', text]])
  const open = '['.repeat(30 * MIB)
  const members = Array.from({ length: 1_500_000 }, (_, i) => `"k${i}":0`).join(',')
  const cases: Array<[name: string, request: Parameters<typeof call>[0], where: string | null]> = [
    ['a body of brackets', jsonText(open), null],
    ['a member of brackets', jsonText(`{"x":${open}`), null],
    ['nesting that is closed', jsonText(`{"x":${'['.repeat(15 * MIB)}${']'.repeat(15 * MIB)}}`), null],
    ['nesting in between', jsonText(`{"x":${'[1,'.repeat(10 * MIB)}`), null],
    ['a body of members', jsonText(`{${members}}`), 'body'],
    ['a record line of brackets', recorded(`{"metric":"m","series":${open}`), 'record[0]:1'],
    ['a record line of members', recorded(`{"metric":"m","series":[],${members}}`), 'record[0]:1'],
    ['declarations of brackets', form([...FIELDS, ['declarations', open], ['record', '']]), null],
  ]
  for (const [name, request, where] of cases) {
    const delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    const response = await call(request)
    delay.disable()
    t.equal(response.statusCode, 422, `${name}: ${response.body.slice(0, 200)}`)
    if (where !== null) t.same(whereOf(response.json<ProblemBody>()), [where], name)
    t.ok(delay.max < 1.5e9, `${name}: the loop stood still for ${(delay.max / 1e6).toFixed()} ms`)
  }
})

t.test('a million points of the wrong type are one error check', { timeout: 120_000 }, async (t) => {
  const { call } = await openClient(t)
  const points = Array.from({ length: 1_000_000 }, () => '[0,"x"]').join(',')
  const response = await call(
    form([...FIELDS, ['declarations', DECLARED], ['record', `{"metric":"loss","series":[${points}]}`]]),
  )
  t.equal(response.statusCode, 200)
  t.match(response.json(), { checks: [{ status: 'error', reason: /and 999999 more invalid points/ }] })
})
