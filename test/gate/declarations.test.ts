import t from 'tap'
import { builtInGateDefaults, readGateDefaults } from '../../src/gate/defaults.js'
import { resolveDeclarations } from '../../src/gate/declarations.js'
import { readJsonDeclarations } from '../../src/gate/json-literals.js'
import type { Literal } from '../../src/gate/literal.js'
import { declare } from '../support/judging.js'

const SOUND = { metric_key: 'm', steps: 'last', constraint: { rel_down: 0.5 } }

t.test('a sound declaration, with its provenance keys', async (t) => {
  const read = declare(
    '[{"metric_key":"m","steps":[3,1],"constraint":{"rel_up":1,"rel_down":1.0},"enforce":false,"allowlist_reason":null}]',
  )
  t.match(read, {
    ok: true,
    value: [
      {
        metricKey: 'm',
        steps: { kind: 'list', steps: [3, 1] },
        rule: {
          kind: 'band',
          up: { rel: 1, absFloor: null, kStd: null },
          down: { rel: 1, absFloor: null, kStd: null },
        },
        enforce: false,
        stepsKey: '[3,1]',
        constraintKey: '{"rel_down":1.0,"rel_up":1}',
        line: null,
      },
    ],
  })
  t.match(declare([SOUND]), { ok: true, value: [{ enforce: true, rule: { up: null } }] })
})

t.test('every rule of a field has its refusal, at its place, and says what would be right', async (t) => {
  const cases: Array<[name: string, declaration: unknown, where: string, message: RegExp]> = [
    ['no object', 5, 'declarations/0', /must be an object/],
    [
      'metric_key missing',
      { steps: 'last', constraint: { rel_down: 1 } },
      'declarations/0',
      /metric_key is missing/,
    ],
    ['metric_key null', { ...SOUND, metric_key: null }, 'declarations/0/metric_key', /must be a string/],
    ['metric_key padded', { ...SOUND, metric_key: 'm ' }, 'declarations/0/metric_key', /white space/],
    [
      'metric_key long',
      { ...SOUND, metric_key: 'm'.repeat(513) },
      'declarations/0/metric_key',
      /longer than 512/,
    ],
    ['unknown field', { ...SOUND, enforced: true }, 'declarations/0/enforced', /no field.*enforce/],
    [
      'steps missing',
      { metric_key: 'm', constraint: { rel_down: 1 } },
      'declarations/0',
      /steps of "m" is missing/,
    ],
    ['steps null', { ...SOUND, steps: null }, 'declarations/0/steps', /none of the forms/],
    ['steps another word', { ...SOUND, steps: 'first' }, 'declarations/0/steps', /"last", "all", "mean"/],
    ['steps empty', { ...SOUND, steps: [] }, 'declarations/0/steps', /non-empty/],
    ['steps negative', { ...SOUND, steps: [0, -1] }, 'declarations/0/steps/1', /-1 is not between/],
    ['steps twice', { ...SOUND, steps: [1, 1] }, 'declarations/0/steps/1', /twice/],
    ['steps beyond 2^53-1', { ...SOUND, steps: [9007199254740992] }, 'declarations/0/steps/0', /2\^53-1/],
    [
      'constraint missing',
      { metric_key: 'm', steps: 'last' },
      'declarations/0',
      /constraint of "m" is missing/,
    ],
    ['constraint no object', { ...SOUND, constraint: [] }, 'declarations/0/constraint', /must be an object/],
    [
      'constraint empty',
      { ...SOUND, constraint: {} },
      'declarations/0/constraint',
      /at least one of rel_down/,
    ],
    [
      'only an upper side',
      { ...SOUND, constraint: { rel_up: 1 } },
      'declarations/0/constraint',
      /at least one of rel_down/,
    ],
    [
      'unknown parameter',
      { ...SOUND, constraint: { rel: 1, rel_down: 1 } },
      'declarations/0/constraint/rel',
      /no parameter/,
    ],
    [
      'negative parameter',
      { ...SOUND, constraint: { rel_down: -1 } },
      'declarations/0/constraint/rel_down',
      />= 0/,
    ],
    [
      'boolean parameter',
      { ...SOUND, constraint: { rel_down: true } },
      'declarations/0/constraint/rel_down',
      /finite number/,
    ],
    [
      'null parameter',
      { ...SOUND, constraint: { rel_down: 1, rel_up: null } },
      'declarations/0/constraint/rel_up',
      /finite number/,
    ],
    [
      'hard_ref beside a constraint',
      { ...SOUND, hard_ref: { max: 1 } },
      'declarations/0/hard_ref',
      /excludes/,
    ],
    [
      'hard_ref a bare number',
      { metric_key: 'm', steps: 'last', hard_ref: 0.5 },
      'declarations/0/hard_ref',
      /which side/,
    ],
    [
      'hard_ref empty',
      { metric_key: 'm', steps: 'last', hard_ref: {} },
      'declarations/0/hard_ref',
      /"max", "min" or both/,
    ],
    [
      'hard_ref unknown side',
      { metric_key: 'm', steps: 'last', hard_ref: { maximum: 1 } },
      'declarations/0/hard_ref/maximum',
      /no side/,
    ],
    [
      'hard_ref swapped',
      { metric_key: 'm', steps: 'last', hard_ref: { min: 2, max: 1 } },
      'declarations/0/hard_ref',
      /greater/,
    ],
    [
      'hard_ref null',
      { metric_key: 'm', steps: 'last', hard_ref: null },
      'declarations/0/hard_ref',
      /must be an object/,
    ],
    ['enforce a number', { ...SOUND, enforce: 1 }, 'declarations/0/enforce', /boolean/],
    ['enforce null', { ...SOUND, enforce: null }, 'declarations/0/enforce', /boolean/],
    [
      'allowlist_reason a number',
      { ...SOUND, allowlist_reason: 1 },
      'declarations/0/allowlist_reason',
      /string or null/,
    ],
    [
      'allowlist_reason long',
      { ...SOUND, allowlist_reason: 'x'.repeat(1025) },
      'declarations/0/allowlist_reason',
      /1024/,
    ],
  ]
  for (const [name, declaration, where, message] of cases) {
    t.match(declare([declaration]), { ok: false, faults: [{ where, message }] }, name)
  }
  const texts: Array<[name: string, text: string, where: string, message: RegExp]> = [
    [
      'a step written 1.0',
      '[{"metric_key":"m","steps":[1.0],"constraint":{"rel_down":1}}]',
      'declarations/0/steps/0',
      /as an integer/,
    ],
    [
      'overflow',
      '[{"metric_key":"m","steps":"last","constraint":{"rel_down":1e309}}]',
      'declarations/0/constraint/rel_down',
      /finite/,
    ],
    [
      'an integer beyond a double',
      `[{"metric_key":"m","steps":"last","constraint":{"rel_down":1${'0'.repeat(400)}}}]`,
      'declarations/0/constraint/rel_down',
      /finite/,
    ],
    [
      'an integer of 5,000 digits',
      `[{"metric_key":"m","steps":"last","constraint":{"rel_down":${'9'.repeat(5000)}}}]`,
      'declarations/0/constraint/rel_down',
      /4300 digits/,
    ],
    [
      'a key twice',
      '[{"metric_key":"m","metric_key":"m","steps":"last","constraint":{"rel_down":1}}]',
      'declarations/0/metric_key',
      /twice/,
    ],
    [
      'a parameter twice',
      '[{"metric_key":"m","steps":"last","constraint":{"rel_down":1,"rel_down":1}}]',
      'declarations/0/constraint/rel_down',
      /twice/,
    ],
    [
      '__proto__',
      '[{"metric_key":"m","steps":"last","constraint":{"__proto__":1,"rel_down":1}}]',
      'declarations/0/constraint/__proto__',
      /no parameter/,
    ],
    ['no array', '{"metric_key":"m"}', 'declarations', /JSON array/],
    ['no JSON', '[{"metric_key":}]', 'declarations', /no JSON/],
    ['empty', '', 'declarations', /no JSON/],
  ]
  for (const [name, text, where, message] of texts)
    t.match(declare(text), { ok: false, faults: [{ where, message }] }, name)
})

t.test('every fault is told, not only the first', async (t) => {
  const read = declare([
    { metric_key: 'm', steps: [], constraint: { rel: 1 }, enforce: 1 },
    { metric_key: '' },
  ])
  t.equal(!read.ok && read.faults.length >= 5, true)
})

t.test('a key may be declared once', async (t) => {
  t.match(declare([SOUND, { ...SOUND, steps: [0] }]), {
    ok: false,
    faults: [{ where: 'declarations/1', message: /declared twice \(first at declarations\/0\)/ }],
  })
})

t.test('at most a thousand declarations', async (t) => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => ({ ...SOUND, metric_key: `m${i}` }))
  t.ok(declare(many(1000)).ok)
  t.match(declare(many(1001)), { ok: false, faults: [{ message: /at most 1000/ }] })
})

t.test('defaults fill what is omitted, field by field, and never a hard_ref', async (t) => {
  t.match(declare([{ metric_key: 'train/grad_norm' }]), {
    ok: true,
    value: [{ stepsKey: '"all"', constraintKey: '{"abs_floor_up":1.0,"rel_down":1.0,"rel_up":3.0}' }],
  })
  t.match(declare([{ metric_key: 'train/grad_norm', steps: 'last' }]), {
    ok: true,
    value: [{ stepsKey: '"last"', constraintKey: /rel_up/ }],
  })
  t.match(
    declare([{ metric_key: 'train/grad_norm', constraint: { rel_down: 1 } }]),
    {
      ok: true,
      value: [{ stepsKey: '"all"', constraintKey: '{"rel_down":1}', rule: { up: null } }],
    },
    'parameters are never merged',
  )
  t.match(declare([{ metric_key: 'train/grad_norm', hard_ref: { max: 9 } }]), {
    ok: true,
    value: [
      {
        stepsKey: '"all"',
        constraintKey: '{"hard_ref":{"max":9}}',
        rule: { kind: 'hard_ref', min: null, max: 9 },
      },
    ],
  })
  t.equal(builtInGateDefaults().size, 7)
})

t.test('the operator extends or replaces the table, and each entry is validated', async (t) => {
  const extend = readGateDefaults(
    '{"metrics":{"x":{"steps":"last","constraint":{"rel_down":0.05}},"train/grad_norm":{"steps":"last","constraint":{"rel_down":2.0}}}}',
    'gate_defaults',
  )
  t.ok(extend.ok && extend.value.size === 8)
  const raw = readJsonDeclarations(Buffer.from('[{"metric_key":"train/grad_norm"}]'))
  if (extend.ok && raw.ok)
    t.match(resolveDeclarations(raw.value, extend.value), {
      ok: true,
      value: [{ constraintKey: '{"rel_down":2.0}', stepsKey: '"last"' }],
    })
  const replace = readGateDefaults(
    '{"mode":"replace","metrics":{"__proto__":{"steps":"all","constraint":{"rel_down":1}}}}',
    'gate_defaults',
  )
  t.ok(replace.ok && replace.value.size === 1 && replace.value.has('__proto__'))
  const bad: Array<[text: string, where: string]> = [
    ['[]', 'gate_defaults'],
    ['{"mode":"merge","metrics":{}}', 'gate_defaults/mode'],
    ['{"metrics":[]}', 'gate_defaults/metrics'],
    ['{"extra":1,"metrics":{}}', 'gate_defaults/extra'],
    ['{"metrics":{"x":{"steps":"last"}}}', 'gate_defaults/metrics/x'],
    ['{"metrics":{"x":5}}', 'gate_defaults/metrics/x'],
    ['{"metrics":{"x":{"steps":"last","constraint":{"rel_up":1}}}}', 'gate_defaults/metrics/x/constraint'],
    [
      '{"metrics":{"x":{"steps":"last","constraint":{"rel_down":1},"enforce":true}}}',
      'gate_defaults/metrics/x/enforce',
    ],
    ['{"metrics":{"x":{"steps":"last","hard_ref":{"max":1}}}}', 'gate_defaults/metrics/x/hard_ref'],
  ]
  for (const [text, where] of bad)
    t.match(readGateDefaults(text, 'gate_defaults'), { ok: false, faults: [{ where }] }, text)
})

t.test('a parameter written twice, as a Python dict can, is refused', async (t) => {
  const number = (value: bigint) => ({ kind: 'int', value, where: 'test_file:1' }) as const
  const entry = (key: string, value: Literal) => ({ key, value, where: 'test_file:1' })
  const constraint: Literal = {
    kind: 'dict',
    entries: [entry('rel_down', number(1n)), entry('rel_down', number(9n))],
    where: 'test_file:1',
  }
  const text = (value: string): Literal => ({ kind: 'string', value, where: 'test_file:1' })
  const fields = [
    entry('metric_key', text('m')),
    entry('steps', text('last')),
    entry('constraint', constraint),
  ]
  const read = resolveDeclarations([{ line: 1, where: 'test_file:1', fields }], builtInGateDefaults())
  t.match(read, { ok: false, faults: [{ message: /"rel_down" is written twice/ }] })
})

t.test('what cannot be read hides no fault of what can', async (t) => {
  const digits = '9'.repeat(5000)
  const text = `[{"metric_key":"m","steps":"last","constraint":{"rel_down":${digits}}},{"metric_key":"n","steps":[],"constraint":{"rel":1}},5]`
  const read = readJsonDeclarations(Buffer.from(text))
  t.match(read, { ok: false, faults: [{ message: /4300 digits/ }, { where: 'declarations/2' }] })
  if (!('partial' in read) || read.partial === undefined) return t.fail('the rest is read')
  const rest = resolveDeclarations(read.partial, builtInGateDefaults())
  return t.same(
    !rest.ok && rest.faults.map(({ where }) => where),
    ['declarations/1/steps', 'declarations/1/constraint/rel'],
    'and nothing more is said of what could not be read',
  )
})
