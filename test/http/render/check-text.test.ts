import t from 'tap'
import { checkText, stepText } from '../../../src/http/render/check-text.js'
import { checkDocument } from '../../support/verdict-document.js'

t.test('a check by its band', async (t) => {
  t.same(checkText(checkDocument()), {
    step: '0',
    value: '0.011',
    change: '+10 %',
    mean: '0.01',
    corridor: '-0.0095 … 0.0305',
    n: '20',
  })
})

t.test('no upper bound', async (t) => {
  const baseline = { n: 12, mean: 0.5, std: null, lower: 0.4, upper: null, runs: null }
  t.equal(checkText(checkDocument({ baseline })).corridor, '≥ 0.4')
})

t.test('an absolute limit', async (t) => {
  const text = (min: number | null, max: number | null) =>
    checkText(checkDocument({ baseline: null, limit: { min, max } }))
  t.match(text(null, 1.08), { corridor: '≤ 1.08', mean: '—', change: '—', n: '—' })
  t.equal(text(0, null).corridor, '≥ 0')
  t.equal(text(0, 1).corridor, '0 … 1')
})

t.test('an error has no figures', async (t) => {
  const text = checkText(
    checkDocument({ status: 'error', step: null, at_step: null, value: null, baseline: null }),
  )
  t.same(text, { step: '—', value: '—', change: '—', mean: '—', corridor: '—', n: '—' })
})

t.test('a value just past its bound is told apart from it', async (t) => {
  const baseline = { n: 10, mean: 0.3, std: 0, lower: 0.2, upper: 0.32999999999999996, runs: null }
  t.match(checkText(checkDocument({ value: 0.33, baseline })), {
    value: '0.33',
    corridor: '0.2 … 0.32999999999999996',
  })
})

t.test('bounds that JSON cannot carry', async (t) => {
  const baseline = {
    n: 10,
    mean: 1e308,
    std: null,
    lower: '-Infinity',
    upper: 'Infinity',
    runs: null,
  } as const
  t.equal(checkText(checkDocument({ baseline })).corridor, '-Infinity … Infinity')
})

t.test('steps in words', async (t) => {
  t.equal(stepText({ step: -1, at_step: 7 }), 'last (step 7)')
  t.equal(stepText({ step: -1, at_step: null }), 'last')
  t.equal(stepText({ step: -2, at_step: null }), 'mean')
  t.equal(stepText({ step: 12, at_step: 12 }), '12')
})
