import t from 'tap'
import { nestedMember, readJsonBody } from '../../src/http/json-body.js'

const read = (text: string) => readJsonBody(Buffer.from(text))

t.test('values, and the text of members', (t) => {
  const { value, members } = read(
    '\ufeff{"provenance": {"github_run_id": 9007199254740993, "x": 1}, "declarations": [1.0]}',
  )
  t.match(value, { declarations: [1] })
  t.equal(members.get('declarations')?.trim(), '[1.0]')
  t.equal(nestedMember(members, 'provenance', 'github_run_id'), '9007199254740993')
  t.equal(nestedMember(members, 'provenance', 'none'), undefined)
  t.equal(nestedMember(members, 'none', 'x'), undefined)
  t.end()
})

t.test('slips are named', (t) => {
  const cases: ReadonlyArray<readonly [string, RegExp]> = [
    ['', /empty/],
    ['{"a": [1,\n NaN]}', /bare NaN in line 2/],
    ['[-Infinity]', /bare -Infinity,/],
    ['{"a": "NaN \\" Infinity"', /no JSON/],
    ["{'a': 1}", /no JSON/],
  ]
  for (const [text, message] of cases)
    t.throws(() => read(text), { code: 'malformed_body', detail: message }, text)
  t.throws(() => read(`"${'x'.repeat(100_000)}`), { code: 'malformed_body' })
  t.throws(() => read('[[1], {"a": {"b": 1, "b": 2}}]'), {
    code: 'invalid_input',
    faults: [{ where: '1/a/b' }],
  })
  t.throws(() => read('[{"a/b": 1, "a/b": 2}]'), { code: 'invalid_input', faults: [{ where: '0/a~1b' }] })
  t.throws(() => read('['.repeat(1_000_000) + ']'.repeat(1_000_000)), { code: 'invalid_input' })
  t.end()
})
