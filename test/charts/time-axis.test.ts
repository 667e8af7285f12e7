import fc from 'fast-check'
import t from 'tap'
import { timeRange, timeTicks } from '../../src/charts/time-axis.js'

const at = (text: string) => Date.parse(text)
const LATEST = at('9999-12-31T23:59:59Z')
const moment = fc.integer({ min: at('0001-01-01T00:00:00Z'), max: LATEST })
const moments = fc.oneof(
  fc.array(moment, { maxLength: 20 }),
  fc
    .tuple(
      moment,
      fc.array(fc.integer({ min: 0, max: 10 ** 9 }), { minLength: 1 }),
      fc.integer({ min: 0, max: 4 }),
    )
    .map(([first, later, exponent]) => later.map((one) => Math.min(first + one * 10 ** exponent, LATEST))),
)

t.test('a range holds all moments, with room', async (t) => {
  fc.assert(
    fc.property(moments, (all) => {
      const { min, max } = timeRange(all)
      return min < max && max - min >= 10_000 && all.every((one) => one > min && one < max)
    }),
    { numRuns: 1_000 },
  )
  const noon = at('2026-11-30T12:00:00Z')
  t.same(timeRange([noon]), { min: at('2026-11-30T00:00:00Z'), max: at('2026-12-01T00:00:00Z') })
  t.same(timeRange([]), { min: 0, max: 86_400_000 })
})

t.test('ticks lie within, ascend, are not too many, and each says where it is', async (t) => {
  fc.assert(
    fc.property(moments, fc.integer({ min: 2, max: 12 }), (all, about) => {
      const range = timeRange(all)
      const ticks = timeTicks(range, about)
      let context: string | null = null
      return (
        ticks.length <= about + 1 &&
        ticks.every((tick, index) => {
          context = tick.context ?? context
          const date = new Date(tick.at)
          const said = /^\d+$/.test(tick.label)
            ? date.getUTCFullYear() === Number(tick.label)
            : tick.label.includes(':')
              ? date.toISOString().slice(-13).startsWith(tick.label) &&
                context!.endsWith(String(date.getUTCFullYear()))
              : context === String(date.getUTCFullYear())
          return (
            said &&
            tick.at >= range.min &&
            tick.at <= range.max &&
            (index === 0 || tick.at > ticks[index - 1]!.at)
          )
        })
      )
    }),
    { numRuns: 2_000 },
  )
  t.pass('held')
})

t.test('from seconds to centuries', async (t) => {
  const texts = (from: string, to: string, about = 5) =>
    timeTicks({ min: at(from), max: at(to) }, about).map(({ label, context }) =>
      context === null ? label : `${label} | ${context}`,
    )
  t.same(texts('2026-11-30T23:59:50Z', '2026-12-01T00:00:10Z'), [
    '23:59:50 | Nov 30, 2026',
    '23:59:55',
    '00:00:00 | Dec 1, 2026',
    '00:00:05',
    '00:00:10',
  ])
  t.same(texts('2026-11-30T17:30:00Z', '2026-12-01T14:00:00Z'), [
    '18:00 | Nov 30, 2026',
    '00:00 | Dec 1, 2026',
    '06:00',
    '12:00',
  ])
  t.same(texts('2026-12-30T12:00:00Z', '2027-01-03T12:00:00Z', 4), [
    'Dec 31 | 2026',
    'Jan 1 | 2027',
    'Jan 2',
    'Jan 3',
  ])
  t.same(
    texts('2026-11-01T00:00:00Z', '2026-12-05T00:00:00Z'),
    ['Nov 2 | 2026', 'Nov 9', 'Nov 16', 'Nov 23', 'Nov 30'],
    'weeks begin on Mondays',
  )
  t.same(texts('2026-05-20T00:00:00Z', '2027-06-02T00:00:00Z'), ['Jul | 2026', 'Oct', 'Jan | 2027', 'Apr'])
  t.same(texts('2019-06-01T00:00:00Z', '2026-06-01T00:00:00Z', 4), ['2020', '2022', '2024', '2026'])
})
