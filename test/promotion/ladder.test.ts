import t from 'tap'
import {
  newLadder,
  predecessorOf,
  register,
  replaceVariant,
  variantOf,
  type Ladder,
  type Rung,
} from '../../src/promotion/ladder.js'
import { DEFAULT_LADDER_CONFIG } from '../../src/promotion/config.js'
import { GOOD_FACTS } from '../support/ladder-stage.js'

const NOW = '2026-01-01T00:00:00.000Z'
const registration = (version: string, parents: readonly string[]) => ({
  version,
  parents,
  commitSha: null,
  facts: GOOD_FACTS,
})

t.test('a new ladder has a live version from the start, in generation 1', async (t) => {
  const ladder = newLadder('summarizer', { trialShare: 0.1 }, 'v1', NOW)
  t.strictSame(ladder.live, { version: 'v1', generation: 1, since: NOW })
  t.strictSame(ladder.config, { ...DEFAULT_LADDER_CONFIG, trialShare: 0.1 })
  t.match(ladder.variants, [{ version: 'v1', rung: 'current', predecessor: null, slots: [] }])
})

t.test('versions form a DAG: parents come first, ids come once', async (t) => {
  const ladder = newLadder('summarizer', {}, 'v1', NOW)
  t.strictSame(register(ladder, registration('v1', []), NOW), { ok: false, why: 'known_version' })
  t.strictSame(register(ladder, registration('v3', ['v1', 'v2', 'v3']), NOW), {
    ok: false,
    why: 'unknown_parents',
    parents: ['v2', 'v3'],
  })
  const added = register(ladder, registration('v2', ['v1']), NOW)
  t.ok(added.ok && variantOf(added.ladder, 'v2').rung === 'registered')
  t.equal(ladder.variants.length, 1, 'the ladder that was given stays as it was')
  t.throws(() => variantOf(ladder, 'v9'), RangeError)
})

t.test('the predecessor to restore is the nearest that was not rolled back', async (t) => {
  let ladder: Ladder = newLadder('summarizer', {}, 'v1', NOW)
  for (const [version, predecessor] of [
    ['v2', 'v1'],
    ['v3', 'v2'],
  ] as const) {
    const added = register(ladder, registration(version, []), NOW)
    if (!added.ok) return t.fail(added.why)
    ladder = replaceVariant(added.ladder, { ...variantOf(added.ladder, version), predecessor })
  }
  const set = (version: string, rung: Rung) => {
    ladder = replaceVariant(ladder, { ...variantOf(ladder, version), rung })
  }
  set('v1', 'superseded')
  set('v2', 'superseded')
  t.equal(predecessorOf(ladder, 'v3')!.version, 'v2')
  set('v2', 'rolled_back')
  t.equal(predecessorOf(ladder, 'v3')!.version, 'v1')
  set('v1', 'rolled_back')
  t.equal(predecessorOf(ladder, 'v3'), null)
  t.equal(predecessorOf(ladder, 'v1'), null)
})
