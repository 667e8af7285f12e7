import fc from 'fast-check'
import t from 'tap'
import {
  cohensKappa,
  judgeValidity,
  wilsonInterval,
  type Label,
  type LabelledItem,
  type ValidityRequest,
} from '../../src/evals/judge-validity.js'
import { faultsOf, valueOf } from './support.js'

/** Items of a contingency table: `[label, judged, times]`. */
function table(...cells: Array<[Label, Label, number]>): LabelledItem[] {
  return cells
    .flatMap(([label, judged, times]) => Array.from({ length: times }, () => ({ label, judged })))
    .map((item, index) => ({ id: `i${index}`, ...item }))
}

function judge(items: LabelledItem[], overrides: Partial<ValidityRequest> = {}) {
  return judgeValidity({ items, minAgreement: 0.8, confidence: 0.95, onInconclusive: 'pass', ...overrides })
}

/**
 * R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17, 1998, table I,
 * method 3 (score without continuity correction), 95 %.
 */
t.test('the interval is that of published tables', async (t) => {
  for (const [successes, n, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const) {
    const interval = wilsonInterval(successes, n, 0.95)
    t.equal(interval.low.toFixed(4), low.toFixed(4), `${successes} of ${n}`)
    t.equal(interval.high.toFixed(4), high.toFixed(4), `${successes} of ${n}`)
  }
})

t.test('the interval holds its proportion and narrows with n, widens with confidence', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, part) => {
      const successes = Math.round(n * part)
      const { low, high } = wilsonInterval(successes, n, 0.95)
      const more = wilsonInterval(successes * 4, n * 4, 0.95)
      const surer = wilsonInterval(successes, n, 0.99)
      return (
        0 <= low &&
        low <= successes / n &&
        successes / n <= high &&
        high <= 1 &&
        more.high - more.low < high - low &&
        surer.high - surer.low > high - low
      )
    }),
  )
  t.equal(wilsonInterval(7, 7, 0.95).high, 1)
  t.equal(wilsonInterval(0, 7, 0.95).low, 0)
})

t.test('kappa is that of published tables', async (t) => {
  // J. Cohen 1960, table 1: proportions of 200 decisions in three categories, kappa .492.
  const cohen = table(
    ['a', 'a', 88],
    ['a', 'b', 10],
    ['a', 'c', 2],
    ['b', 'a', 14],
    ['b', 'b', 40],
    ['b', 'c', 6],
    ['c', 'a', 18],
    ['c', 'b', 10],
    ['c', 'c', 12],
  )
  t.equal(cohensKappa(cohen)!.toFixed(3), '0.492')
  // A. R. Feinstein and D. V. Cicchetti, "High agreement but low kappa", J. Clin. Epidemiol. 43, 1990: two tables of
  // 100 with the same agreement of .85, kappa .70 and .32.
  t.equal(cohensKappa(table([1, 1, 40], [1, 0, 9], [0, 1, 6], [0, 0, 45]))!.toFixed(2), '0.70')
  t.equal(cohensKappa(table([1, 1, 80], [1, 0, 10], [0, 1, 5], [0, 0, 5]))!.toFixed(2), '0.32')
})

t.test('kappa at its ends', async (t) => {
  t.equal(cohensKappa(table([true, true, 3], [false, false, 3])), 1)
  t.equal(cohensKappa(table([true, false, 3], [false, true, 3])), -1)
  t.equal(cohensKappa(table([true, true, 1], [true, false, 1], [false, true, 1], [false, false, 1])), 0)
  t.equal(cohensKappa(table(['yes', 'yes', 9])), null, 'one label only')
  t.equal(cohensKappa(table(['yes', 'no', 9])), 0)
})

t.test('valid, invalid and inconclusive', async (t) => {
  const agreeing = (n: number, of: number) => table(['a', 'a', n], ['a', 'b', of - n])
  t.match(valueOf(judge(agreeing(98, 100))), { result: 'valid', outcome: 'pass', n: 100, agreement: 0.98 })
  t.match(valueOf(judge(agreeing(50, 100))), { result: 'invalid', outcome: 'fail', agreement: 0.5 })
  for (const onInconclusive of ['pass', 'fail'] as const) {
    const verdict = valueOf(judge(agreeing(85, 100), { onInconclusive }))
    t.match(verdict, { result: 'inconclusive', outcome: onInconclusive })
    t.match(valueOf(judge(agreeing(98, 100), { onInconclusive })), { outcome: 'pass' })
    t.match(valueOf(judge(agreeing(50, 100), { onInconclusive })), { outcome: 'fail' })
  }
  t.match(valueOf(judge(agreeing(3, 3))), { result: 'inconclusive' }, 'three items prove nothing')
})

t.test('the ends of the interval count: at the minimum is valid, below it is invalid', async (t) => {
  const items = table(['a', 'a', 9], ['a', 'b', 3])
  const { low, high } = wilsonInterval(9, 12, 0.95)
  t.match(valueOf(judge(items, { minAgreement: low })), { result: 'valid', interval: { low, high } })
  t.match(valueOf(judge(items, { minAgreement: high })), { result: 'inconclusive' })
  t.match(valueOf(judge(items, { minAgreement: high + 1e-9 })), { result: 'invalid' })
  const surer = valueOf(judge(items, { confidence: 0.99 })).interval
  t.ok(surer.low < low && surer.high > high)
  t.match(valueOf(judge(items, { minAgreement: 0 })), { result: 'valid' })
})

t.test('labels are equal as JSON values are', async (t) => {
  t.equal(valueOf(judge(table([1, '1', 1], [true, 'true', 1], ['A', 'a', 1]))).agreement, 0)
})

t.test('what cannot be judged is refused', async (t) => {
  const places = (items: LabelledItem[], overrides: Partial<ValidityRequest> = {}) =>
    faultsOf(judge(items, overrides)).map(({ where }) => where)
  const items = table(['a', 'a', 2])
  t.same(places([]), ['items'])
  t.same(places([...items, items[0]!]), ['items/2/id'])
  for (const minAgreement of [-0.1, 1.1, NaN]) t.same(places(items, { minAgreement }), ['min_agreement'])
  for (const confidence of [0, 1, NaN]) t.same(places(items, { confidence }), ['confidence'])
})
