import t from 'tap'
import type { LadderConfig } from '../../src/promotion/config.js'
import {
  newLadder,
  register,
  replaceVariant,
  variantOf,
  type Ladder,
  type Rung,
} from '../../src/promotion/ladder.js'
import { shareOf, shareOfRung, shares, slotsOnRung, slotsToKeepFree } from '../../src/promotion/shares.js'
import { DEFAULT_LADDER_CONFIG } from '../../src/promotion/config.js'
import { GOOD_FACTS } from '../support/ladder-stage.js'

const NOW = '2026-01-01T00:00:00.000Z'

function ladderWith(
  config: Partial<LadderConfig>,
  rungs: ReadonlyArray<readonly [Rung, number | null]>,
): Ladder {
  let ladder = newLadder('router', config, 'v1', NOW)
  rungs.forEach(([rung, rampStep], index) => {
    const version = `v${index + 2}`
    const added = register(ladder, { version, parents: [], commitSha: null, facts: GOOD_FACTS }, NOW)
    if (!added.ok) throw new Error(added.why)
    const variant = variantOf(added.ladder, version)
    const slots = slotsOnRung(added.ladder, variant, rung, rampStep)!
    ladder = replaceVariant(added.ladder, { ...variant, rung, rampStep, slots })
  })
  return ladder
}

t.test('the share of each rung', async (t) => {
  const config = { ...DEFAULT_LADDER_CONFIG, trialShare: 0.07 }
  t.equal(shareOfRung(config, 'trial', null), 0.07)
  t.equal(shareOfRung(config, 'canary', null), 0.05)
  t.equal(shareOfRung(config, 'ramp', 0), 0.2)
  t.equal(shareOfRung(config, 'ramp', 1), 0.5)
  for (const rung of ['registered', 'shadow', 'rejected', 'rolled_back', 'superseded', 'current'] as const)
    t.equal(shareOfRung(config, rung, null), 0, rung)
})

t.test('what challengers do not hold, the live version does; who has nothing is not listed', async (t) => {
  const ladder = ladderWith({ mode: 'tournament' }, [
    ['canary', null],
    ['shadow', null],
    ['ramp', 0],
  ])
  t.strictSame(shares(ladder), [
    { version: 'v1', share: 0.75 },
    { version: 'v2', share: 0.05 },
    { version: 'v4', share: 0.2 },
  ])
  t.equal(shareOf(ladder, variantOf(ladder, 'v3')), 0)
})

t.test('thirds add up to 1 as well', async (t) => {
  const ladder = ladderWith({ mode: 'tournament', canaryShare: 1 / 3, rampShares: [0.4] }, [
    ['canary', null],
    ['canary', null],
  ])
  t.strictSame(
    shares(ladder).map(({ share }) => share),
    [0.333334, 0.333333, 0.333333],
  )
})

t.test('whoever holds most finds enough free for the last step', async (t) => {
  const three = ladderWith({ mode: 'tournament' }, [
    ['ramp', 0],
    ['canary', null],
  ])
  const second = variantOf(three, 'v3')
  t.equal(slotsToKeepFree(three, second, 'ramp', 0), 300_000, 'another one holds 0.2 of the 0.5')
  t.equal(slotsToKeepFree(three, second, 'ramp', 1), 0, 'it would have reached the last step itself')
  const none = ladderWith({ mode: 'tournament' }, [['shadow', null]])
  t.equal(slotsToKeepFree(none, variantOf(none, 'v2'), 'canary', null), 450_000)
})
