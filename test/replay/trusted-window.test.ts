import fc from 'fast-check'
import t from 'tap'
import { TrustedWindow } from '../../src/replay/trusted-window.js'
import { at } from './support.js'

t.test('a window stays small, however many values share a time', async (t) => {
  const window = new TrustedWindow(3)
  for (let i = 0; i < 100_000; i++) window.add(i, at(0), i)
  t.strictSame(window.before(at(0)), { ambiguous: false, values: [] })
  t.strictSame(window.before(at(1)), { ambiguous: true, cutAt: at(0) })
  for (let i = 0; i < 3; i++) window.add(i, at(1 + i), 100_000 + i)
  t.strictSame(window.before(at(9)), { ambiguous: false, values: [2, 1, 0] })
  t.strictSame(window.before(at(3)), { ambiguous: true, cutAt: at(0) })
})

t.test('property: a long history gives the window of the definition', async (t) => {
  const gaps = fc.array(fc.nat({ max: 2 }), { maxLength: 120 })
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 5 }), (steps, size) => {
      const window = new TrustedWindow(size)
      const all: Array<{ value: number; time: string }> = []
      let minute = 0
      steps.forEach((gap, i) => {
        minute += gap
        const earlier = all.filter(({ time }) => time < at(minute)).reverse()
        const isCut = earlier.length > size && earlier[size - 1]!.time === earlier[size]!.time
        t.strictSame(
          window.before(at(minute)),
          isCut
            ? { ambiguous: true, cutAt: earlier[size]!.time }
            : { ambiguous: false, values: earlier.slice(0, size).map(({ value }) => value) },
        )
        window.add(i, at(minute), i)
        all.push({ value: i, time: at(minute) })
      })
    }),
  )
})
