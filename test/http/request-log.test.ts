import { Writable } from 'node:stream'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { bearing, body, issueToken, openClient, post, withHeaders } from './support.js'

type Line = Readonly<Record<string, unknown>>

/** The whole server, and the lines that it has logged so far: those of requests and those of changes. */
async function logged(t: Test) {
  const lines: Line[] = []
  const logger = pino(
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(JSON.parse(chunk.toString()) as Line)
        done()
      },
    }),
  )
  const client = await openClient(t, { deps: { logger }, gatehouse: { log: logger } })
  return { ...client, lines }
}

t.test('whose credential a request came with, of reads too', async (t) => {
  const { call, gatehouse, lines } = await logged(t)
  await issueToken(gatehouse.store, { tokenId: 'first', name: 'dash', scopes: ['history:read'] })
  const token = await issueToken(gatehouse.store, {
    tokenId: 'leaked',
    name: 'Dash',
    scopes: ['history:read'],
  })
  const exported = await call({ url: '/v1/export', headers: bearing(token) })
  t.equal(exported.statusCode, 200)
  const unknown = await call('/v1/runs')
  t.equal(unknown.statusCode, 401)
  await call('/healthz')
  const ends = lines.filter(({ msg }) => msg === 'request completed')
  t.match(ends, [
    {
      route: '/v1/export',
      actor: 'token:Dash',
      credential: 'token:leaked',
      request_id: exported.headers['x-request-id'],
    },
    { route: '/v1/runs', status: 401, request_id: unknown.headers['x-request-id'] },
  ])
  t.notOk('actor' in (ends[1] ?? {}), 'nobody is named where nobody was identified')
})

t.test('a change and its request are found by one name of the id, with the credential in both', async (t) => {
  const { call, gatehouse, lines } = await logged(t)
  const token = await issueToken(gatehouse.store, { tokenId: 'id-1', name: 'ci' })
  const answer = await call(withHeaders(post(body({ cadence: 'nightly' })), bearing(token)))
  t.equal(answer.statusCode, 201)
  const own = lines.filter((line) => line['request_id'] === answer.headers['x-request-id'])
  t.match(own, [
    { msg: 'run stored', actor: 'token:ci', credential: 'token:id-1' },
    { msg: 'request completed', actor: 'token:ci', credential: 'token:id-1' },
  ])
  const values = lines.filter((line) => Object.values(line).includes(answer.headers['x-request-id']))
  t.same(values, own, 'no line of it has another name for the id')
})
