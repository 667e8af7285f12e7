import t from 'tap'
import { readStoredDeclarations } from '../../src/gate/stored-declarations.js'
import { declarationDocument } from '../../src/operations/read-declarations.js'
import { sound } from '../replay/support.js'

const WRITTEN = [
  { metric_key: 'train/ppo_kl' },
  { metric_key: 'a', steps: [2, 0], constraint: { k_std_down: 1e-5, abs_floor_up: 0 }, enforce: false },
  { metric_key: 'b', steps: 'mean', hard_ref: { max: 1.5 } },
]

t.test('stored declarations are the written ones', async (t) => {
  const declared = sound(WRITTEN)
  t.strictSame(readStoredDeclarations(JSON.stringify(declared.map(declarationDocument)), 'declarations'), {
    ok: true,
    value: declared,
  })
  t.strictSame(readStoredDeclarations('[]', 'declarations'), { ok: true, value: [] })
})

t.test('a stored key is kept, since its literals are not', async (t) => {
  const text = JSON.stringify([
    {
      metric_key: 'a',
      steps: 'last',
      constraint: { rel_down: 1 },
      constraint_key: '{"rel_down":1.0}',
      line: 7,
    },
  ])
  t.match(readStoredDeclarations(text, 'd'), {
    ok: true,
    value: [{ stepsKey: '"last"', constraintKey: '{"rel_down":1.0}', line: 7 }],
  })
})

t.test('stored text that is no declarations is refused with its place', async (t) => {
  const cases: ReadonlyArray<readonly [text: string, where: string]> = [
    ['{', 'd'],
    ['{}', 'd'],
    ['[1]', 'd/0'],
    ['[{"metric_key":"a"}]', 'd/0'],
    ['[{"metric_key":"a","steps":"some","constraint":{"rel_down":1}}]', 'd/0/steps'],
    ['[{"metric_key":"a","steps":"last","constraint":{"rel_down":1},"other":1}]', 'd/0/other'],
    ['[{"metric_key":"a","metric_key":"b"}]', 'd/0/metric_key'],
    ['[null]', 'd/0'],
    ['[{"metric_key":"a","steps":"last","constraint":{"rel_down":1},"steps_key":1}]', 'd/0/steps_key'],
    ['[{"metric_key":"a","steps":"last","constraint":{"rel_down":1},"line":0}]', 'd/0/line'],
    ['[{"metric_key":"a","steps":"last","constraint":{"rel_down":1},"line":"7"}]', 'd/0/line'],
  ]
  for (const [text, where] of cases) {
    t.match(readStoredDeclarations(text, 'd'), { ok: false, faults: [{ where }] }, text)
  }
})
