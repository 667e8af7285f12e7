import t from 'tap'
import { builtInGateDefaults } from '../../src/gate/defaults.js'
import { declarationDocument } from '../../src/operations/read-declarations.js'
import { NewestDeclarations } from '../../src/replay/newest-declarations.js'
import { readDeclaredSeries } from '../../src/replay/read-declared.js'
import { BAND, SERIES, sound } from './support.js'

const DEFAULTS = builtInGateDefaults()
const WRITTEN = [
  { metric_key: 'train/ppo_kl' },
  { metric_key: 'a', steps: [2, 0], constraint: { k_std_down: 1e-5, abs_floor_up: 0 }, enforce: false },
  { metric_key: 'b', steps: 'mean', hard_ref: { max: 1.5 } },
]

t.test('declarations are given by series, with the defaults of the gate', async (t) => {
  const series = { test_path: SERIES.testPath, backend: SERIES.backend, suite: SERIES.suite }
  const read = readDeclaredSeries(JSON.stringify([{ series, declarations: WRITTEN }]), 'file', DEFAULTS)
  t.match(read, {
    ok: true,
    value: [{ series: SERIES, declarations: [{ metricKey: 'train/ppo_kl' }, {}, {}] }],
  })

  const one = { series, declarations: [{ metric_key: 'm', steps: 'last', constraint: BAND }] }
  const cases: ReadonlyArray<readonly [value: unknown, where: string]> = [
    [{}, 'file'],
    [[1], 'file/0'],
    [[{ series }], 'file/0/declarations'],
    [[{ ...one, more: 1 }], 'file/0/more'],
    [[{ ...one, series: 'x' }], 'file/0/series'],
    [[{ ...one, series: { ...series, suite: ' x' } }], 'file/0/series/suite'],
    [[{ ...one, series: { ...series, backend: null } }], 'file/0/series/backend'],
    [[{ ...one, series: { ...series, test_path: 'x'.repeat(513) } }], 'file/0/series/test_path'],
    [[{ ...one, declarations: {} }], 'file/0/declarations'],
    [[{ ...one, declarations: [{ metric_key: 'm' }] }], 'file/0/declarations/0'],
    [[one, one], 'file/1'],
  ]
  for (const [value, where] of cases) {
    const text = JSON.stringify(value)
    t.match(readDeclaredSeries(text, 'file', DEFAULTS), { ok: false, faults: [{ where }] }, text)
  }
  t.match(
    readDeclaredSeries(
      '[{"series":{},"declarations":[{"metric_key":"m","steps":[1.0],"constraint":{}}]}]',
      'file',
      DEFAULTS,
    ),
    {
      ok: false,
      faults: [{ where: 'file/0/series/test_path' }, {}, {}, { where: 'file/0/declarations/0/steps/0' }, {}],
    },
    'literals are read as written, and every fault is told',
  )
})

t.test('the newest run that brought declarations counts, for each series', async (t) => {
  const text = (metric_key: string) =>
    JSON.stringify(sound([{ metric_key, steps: 'last', constraint: BAND }]).map(declarationDocument))
  const other = { ...SERIES, backend: 'rocm' }
  const newest = new NewestDeclarations()
  newest.add({ runId: 'r1', series: SERIES, declarations: text('old') })
  newest.add({ runId: 'r2', series: other, declarations: text('other') })
  newest.add({ runId: 'r3', series: SERIES, declarations: text('new') })
  newest.add({ runId: 'r4', series: SERIES, declarations: null })
  t.match(newest.read(), {
    ok: true,
    value: [
      { series: SERIES, declarations: [{ metricKey: 'new' }] },
      { series: other, declarations: [{ metricKey: 'other' }] },
    ],
  })
  newest.add({ runId: 'r5', series: other, declarations: '[{}]' })
  t.match(newest.read(), { ok: false, faults: [{ where: 'declarations of run "r5"/0' }] })
})
