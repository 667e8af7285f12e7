import fc from 'fast-check'
import t from 'tap'
import { holdsSlot, resize, SLOTS, slotCount, slotsOfShare, type Slot } from '../../src/promotion/slots.js'

t.test('a holding grows from the lowest free slots and keeps what it has', async (t) => {
  const first = resize([], [], 50_000)!
  t.strictSame(first, [[0, 50_000]])
  const second = resize([], first, 50_000)!
  t.strictSame(second, [[50_000, 100_000]])
  t.strictSame(resize(first, second, 200_000), [
    [0, 50_000],
    [100_000, 250_000],
  ])
})

t.test('it shrinks from the end, to nothing', async (t) => {
  t.strictSame(resize([[0, 100]], [], 40), [[0, 40]])
  t.strictSame(resize([[0, 100]], [], 0), [])
})

t.test('what the others hold is not there to be had', async (t) => {
  t.equal(resize([], [[0, 600_000]], 400_001), null)
  t.strictSame(resize([], [[0, 600_000]], 400_000), [[600_000, SLOTS]])
})

t.test(
  'whatever the order of changes, ranges never overlap, and only the changed holding moves',
  async (t) => {
    const changes = fc.array(fc.tuple(fc.nat(3), fc.constantFrom(0, 0.05, 0.2, 0.5)), { maxLength: 30 })
    fc.assert(
      fc.property(changes, (sequence) => {
        const held: Slot[][] = [[], [], [], []]
        for (const [who, share] of sequence) {
          const own = held[who]!
          const others = held.filter((_, index) => index !== who).flat()
          const size = slotsOfShare(share)
          const next = resize(own, others, size)
          if (next === null) {
            if (size + slotCount(others) <= SLOTS) return false
            continue
          }
          const grows = size >= slotCount(own)
          const [small, large] = grows ? [own, next] : [next, own]
          if (!small.every(([from, to]) => large.some(([low, high]) => low <= from && to <= high)))
            return false
          held[who] = next
          const all = held.flat().sort((left, right) => left[0] - right[0])
          const apart = all.every(([from], index) => index === 0 || all[index - 1]![1] <= from)
          if (slotCount(next) !== size || !apart || slotCount(all) > SLOTS) return false
        }
        return true
      }),
    )
    t.pass('no sequence broke it')
  },
)

t.test('a range holds its first slot and not its end', async (t) => {
  t.equal(holdsSlot([[5, 7]], 5), true)
  t.equal(holdsSlot([[5, 7]], 7), false)
})
