import fc from 'fast-check'
import t from 'tap'
import { IndexRanges } from '../../src/replay/index-ranges.js'

const sets = fc.uniqueArray(fc.nat({ max: 30 })).map((members) => members.sort((a, b) => a - b))

function rangesOf(members: readonly number[]): IndexRanges {
  const ranges = new IndexRanges()
  for (const member of members) {
    ranges.add(member)
    ranges.add(member)
  }
  return ranges
}

t.test('property: ranges are the set of their members', async (t) => {
  const all = Array.from({ length: 31 }, (_, i) => i)
  fc.assert(
    fc.property(sets, sets, (a, b) => {
      const [first, second] = [rangesOf(a), rangesOf(b)]
      t.equal(first.count, a.length)
      t.strictSame(first.pick(all), a)
      t.equal(first.countCommon(second), a.filter((member) => b.includes(member)).length)
      t.equal(first.signature === second.signature, a.join() === b.join())
    }),
  )
})
