import t from 'tap'
import { assign, murmur3 } from '../../src/promotion/assignment.js'
import {
  newLadder,
  register,
  replaceVariant,
  variantOf,
  type Ladder,
  type Rung,
} from '../../src/promotion/ladder.js'
import { slotsOnRung } from '../../src/promotion/shares.js'
import { GOOD_FACTS } from '../support/ladder-stage.js'

const NOW = '2026-01-01T00:00:00.000Z'
const UNITS = Array.from({ length: 40_000 }, (_, index) => `user-${index}`)

/** A tournament whose challengers stand on these rungs, taken in this order. */
function withRungs(rungs: ReadonlyArray<readonly [string, Rung, number | null]>, before?: Ladder): Ladder {
  let ladder = before ?? newLadder('router', { mode: 'tournament' }, 'v1', NOW)
  for (const [version, rung, rampStep] of rungs) {
    const added = register(ladder, { version, parents: [], commitSha: null, facts: GOOD_FACTS }, NOW)
    if (added.ok) ladder = added.ladder
    const variant = variantOf(ladder, version)
    const slots = slotsOnRung(ladder, variant, rung, rampStep)!
    ladder = replaceVariant(ladder, { ...variant, rung, rampStep, slots })
  }
  return ladder
}

const assignments = (ladder: Ladder) => UNITS.map((unit) => assign(ladder, unit).version)

t.test('the hash is MurmurHash3: published values', async (t) => {
  t.equal(murmur3('', 0), 0)
  t.equal(murmur3('', 1), 0x514e28b7)
  t.equal(murmur3('test', 0), 0xba6bd213)
  t.equal(murmur3('test', 0x9747b28c), 0x704b81dc)
  t.equal(murmur3('Hello, world!', 0), 0xc0363e43)
  t.equal(murmur3('Hello, world!', 0x9747b28c), 0x24884cba)
  t.equal(murmur3('The quick brown fox jumps over the lazy dog', 0), 0x2e4ff723)
})

t.test('units fall to versions in their shares, and the same unit always to the same', async (t) => {
  const ladder = withRungs([
    ['v2', 'canary', null],
    ['v3', 'ramp', 1],
  ])
  const found = assignments(ladder)
  t.strictSame(assignments(ladder), found)
  for (const [version, share] of [
    ['v1', 0.45],
    ['v2', 0.05],
    ['v3', 0.5],
  ] as const) {
    const part = found.filter((one) => one === version).length / UNITS.length
    t.ok(Math.abs(part - share) < 4 * Math.sqrt((share * (1 - share)) / UNITS.length), `${version}: ${part}`)
  }
  t.strictSame(assign(withRungs([]), 'anyone'), { version: 'v1', rung: 'current' })
})

t.test(
  'when a share grows, units move from the live version to that variant, and no other moves',
  async (t) => {
    const start = withRungs([
      ['v2', 'canary', null],
      ['v3', 'canary', null],
      ['v4', 'ramp', 0],
    ])
    const before = assignments(start)
    const after = assignments(withRungs([['v2', 'ramp', 0]], start))
    let moved = 0
    let strays = 0
    before.forEach((from, index) => {
      const to = after[index]!
      if (from === to) return
      if (from === 'v1' && to === 'v2') moved += 1
      else strays += 1
    })
    t.equal(strays, 0)
    t.ok(Math.abs(moved / UNITS.length - 0.15) < 0.01, `${moved} units`)
  },
)

t.test('when a variant leaves, its units and no others go to the live version', async (t) => {
  const start = withRungs([
    ['v2', 'canary', null],
    ['v3', 'ramp', 0],
  ])
  const before = assignments(start)
  const after = assignments(withRungs([['v2', 'rolled_back', null]], start))
  t.ok(before.includes('v2'))
  t.strictSame(
    after,
    before.map((version) => (version === 'v2' ? 'v1' : version)),
  )
})

t.test('ladders assign independently of each other', async (t) => {
  const one = withRungs([['v2', 'ramp', 1]])
  const other = { ...one, name: 'summarizer' }
  const both = UNITS.filter(
    (unit) => assign(one, unit).version === 'v2' && assign(other, unit).version === 'v2',
  )
  t.ok(Math.abs(both.length / UNITS.length - 0.25) < 0.015, `${both.length} units in both halves`)
})
