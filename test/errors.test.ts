import { readFileSync } from 'node:fs'
import t from 'tap'
import { GatehouseError, invalidInput, PROBLEMS } from '../src/errors.js'

t.test('the catalogue and its documentation agree', async (t) => {
  const documented = [
    ...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `([a-z_]+)` \| (\d{3}) \|/gm),
  ].map(([, code, status]) => [code, Number(status)])
  t.same(
    documented,
    Object.entries(PROBLEMS).map(([code, { status }]) => [code, status]),
  )
})

t.test('a refusal names its first fault, and how many more there are', async (t) => {
  const one = invalidInput([{ where: 'suite', message: 'is empty' }])
  t.match(one, { status: 422, code: 'invalid_input', detail: 'suite: is empty' })
  const fault = { where: 'a', message: 'b' }
  t.match(invalidInput([fault, fault, fault]), { detail: 'a: b (and 2 more)', faults: [fault, fault, fault] })
  t.throws(() => invalidInput([]), TypeError)
  t.ok(new GatehouseError('internal', 'x') instanceof Error)
})
