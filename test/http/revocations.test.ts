import t from 'tap'
import { body, jsonText, openClient, post, problemOf, SHA, whereOf } from './support.js'

const URL = '/v1/admin/revocations'

t.test('revoke, read, undo', async (t) => {
  const { call } = await openClient(t)
  const id = '9007199254740993'
  const run = JSON.stringify(body({ cadence: 'nightly', provenance: { commit_sha: SHA, github_run_id: 5 } }))
  t.equal((await call(jsonText(run.replace(':5}', `:${id}}`)))).statusCode, 201)

  const dry = await call(jsonText(`{"github_run_id": ${id}, "reason": "bad driver", "dry_run": true}`, URL))
  t.equal(dry.statusCode, 200)
  t.match(dry.json(), { revocation_id: null, dry_run: true, revoked: 1 })
  const made = await call(jsonText(`{"github_run_id": ${id}, "reason": "bad driver"}`, URL))
  t.equal(made.statusCode, 201)
  const revocation = made.json<{ revocation_id: string; revoked: number }>()
  t.equal(revocation.revoked, 1)
  t.equal(made.headers.location, `${URL}/${revocation.revocation_id}`)
  t.same((await call(made.headers.location as string)).json(), made.json())
  t.match((await call(`${URL}?limit=1`)).json(), { items: [{ reason: 'bad driver' }], next_cursor: null })

  const undo = () =>
    call(post({ reason: 'it was not the driver' }, `${URL}/${revocation.revocation_id}/undo`))
  t.match((await undo()).json(), { restored: 1, not_restored: [] })
  problemOf(t, await undo(), 409, 'already_undone')
  t.match((await call(made.headers.location as string)).json(), { undone: { actor: 'open-mode' } })
})

t.test('nothing matches', async (t) => {
  const { call } = await openClient(t)
  for (const selector of [
    { run_id: 'none' },
    { run_ids: ['a', 'b'] },
    { github_run_id: 7 },
    { commit_sha: SHA },
  ]) {
    problemOf(t, await call(post({ ...selector, reason: 'x' }, URL)), 404, 'not_found')
  }
  problemOf(
    t,
    await call(post({ reason: 'x' }, `${URL}/01936f0c-0000-7000-8000-000000000000/undo`)),
    404,
    'not_found',
  )
})

t.test('faults of the body', async (t) => {
  const { call } = await openClient(t)
  const faults = async (text: string) =>
    whereOf(problemOf(t, await call(jsonText(text, URL)), 422, 'invalid_input'))
  t.same(await faults('{"reason": "x"}'), ['body'])
  t.same(await faults(`{"reason": "x", "commit_sha": "${SHA}", "run_id": null, "github_run_id": 1}`), [
    'commit_sha',
  ])
  t.same(await faults('{"commit_sha": "abcdef1", "reason": "x"}'), ['commit_sha'])
  t.same(await faults('{"run_id": "a"}'), ['reason'])
  t.same(await faults('{"run_id": "a", "reason": "  "}'), ['reason'])
  t.same(await faults(`{"run_id": "a", "reason": "${'x'.repeat(2_001)}"}`), ['reason'])
  t.same(await faults('{"run_id": "a", "reason": "x\\u0000"}'), ['reason'])
  t.same(await faults('{"run_ids": [], "reason": "x"}'), ['run_ids'])
  t.same(await faults(`{"run_ids": ${JSON.stringify(Array(1_001).fill('a'))}, "reason": "x"}`), ['run_ids'])
  t.same(await faults('{"run_ids": ["a", 1], "reason": "x"}'), ['run_ids/1'])
  t.same(await faults('{"run_id": "a", "reason": "x", "dryrun": true}'), ['dryrun'])
  t.same(await faults('{"run_id": "a", "reason": "x", "dry_run": "true"}'), ['dry_run'])
  t.same(await faults('{"github_run_id": 9223372036854775808, "reason": "x"}'), ['github_run_id'])
  t.same(await faults('{"github_run_id": "7", "reason": "x"}'), ['github_run_id'])
  t.same(await faults('{"github_run_id": 1e3, "reason": "x"}'), ['github_run_id'])
  t.same(whereOf(problemOf(t, await call({ method: 'POST', url: URL }), 422, 'invalid_input')), ['body'])
  const long = { run_id: 'a', reason: '\u{1F600}'.repeat(2_000) }
  problemOf(t, await call(post(long, URL)), 404, 'not_found')
})
