/** Two servers on one PostgreSQL decide one ladder. */
import t from 'tap'
import { openPostgres } from '../support/stores.js'
import { CAPPED, LadderClient } from '../support/ladder-client.js'
import { openClient } from './support.js'

t.setTimeout(120_000)

t.test('of a promotion and a rollback at one moment, one goes first and the other sees it', async (t) => {
  const { store, openAnother } = await openPostgres(t)
  const one = await openClient(t, { store })
  const other = await openClient(t, { store: await openAnother() })
  const ladder = new LadderClient(one.call)
  await ladder.create()
  let expected = 1
  const outcomes = new Set<number>()
  for (let n = 0; n < 20; n++) {
    const variant = `c${n}`
    await ladder.register(variant)
    await ladder.override(variant, 'trial')
    const promote = {
      method: 'POST' as const,
      url: `${ladder.url}/override`,
      payload: { variant, to_rung: 'current', reason: 'race' },
    }
    const cap = {
      method: 'POST' as const,
      url: `${ladder.url}/episodes`,
      payload: {
        episodes: [{ episode_id: variant, variant, group_id: 'g', split: 'selection', score: CAPPED }],
      },
    }
    const requests = [() => one.app.inject(promote), () => other.app.inject(cap)]
    if (n % 2 === 1) requests.reverse()
    const [first, second] = await Promise.all(requests.map((send) => send()))
    const [promoted, capped] = n % 2 === 1 ? [second!, first!] : [first!, second!]
    outcomes.add(promoted.statusCode)
    t.equal(capped.statusCode, 201)
    t.ok([200, 409].includes(promoted.statusCode), promoted.body)
    if (promoted.statusCode === 200) expected += 2
    t.match(await ladder.live(), { version: 'v1', generation: expected })
    t.match(await ladder.variant(variant), { rung: 'rolled_back', share: 0 })
  }
  t.comment(`the promotion was answered with ${[...outcomes].join(' and ')}`)
})

t.test('a result that two servers take at once counts once', async (t) => {
  const { store, openAnother } = await openPostgres(t)
  const one = await openClient(t, { store })
  const other = await openClient(t, { store: await openAnother() })
  const ladder = new LadderClient(one.call)
  await ladder.create()
  await ladder.register('v2')
  await ladder.toTrial('v2')
  for (let n = 0; n < 6; n++) {
    await ladder.episodes({ variant: 'v1', group_id: `g${n}` }, { variant: 'v2', group_id: `g${n}` })
    const brackets = await Promise.all(
      [one, other].map(({ app }) =>
        app.inject({ method: 'POST', url: `${ladder.url}/groups/g${n}/bracket` }),
      ),
    )
    t.equal(brackets[0]!.body, brackets[1]!.body, 'one bracket')
    const [pair] = brackets[0]!.json<{ comparisons: Array<{ comparison_id: string }> }>().comparisons
    const url = `${ladder.url}/comparisons/${pair!.comparison_id}/result`
    const send = (winner: string) => ({ method: 'POST' as const, url, payload: { winner } })
    const taken = await Promise.all([
      one.app.inject(send('a')),
      other.app.inject(send('a')),
      other.app.inject(send('b')),
    ])
    const codes = taken.map(({ statusCode }) => statusCode).sort()
    t.ok(['200,200,409', '200,409,409'].includes(codes.join()), codes.join())
  }
  const { wins, losses } = await ladder.test('v2')
  t.equal(wins + losses, 6)
})
