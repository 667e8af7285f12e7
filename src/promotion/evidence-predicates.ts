import type { Context } from './context.js'
import { evidenceOf } from './evidence.js'
import { isChallenger, predecessorOf, variantOf, type Variant } from './ladder.js'
import type { Predicate } from './predicate.js'

/** Not one selection episode of the variant is capped, on whatever rung it ran. */
export function noCoreViolation({ evidence }: Context, { version }: Variant): Predicate {
  const { episodes, capped } = evidenceOf(evidence, version)
  return { name: 'no_core_violation', passed: capped.length === 0, inputs: { episodes, capped } }
}

export function minShadowEpisodes({ ladder, evidence }: Context, { version }: Variant): Predicate {
  const { shadowEpisodes } = evidenceOf(evidence, version)
  const required = ladder.config.minShadowEpisodes
  return {
    name: 'min_shadow_episodes',
    passed: shadowEpisodes >= required,
    inputs: { graded: shadowEpisodes, required },
  }
}

/**
 * The test has accepted the challenger against the present live version, and at least one result came since it is on
 * its rung. Without the second, what was compared while it waited in shadow could carry it through trial in no time.
 */
export function sequentialTestAccepts(context: Context, variant: Variant): Predicate {
  const sinceEntry = resultsSinceEntry(context, variant).length
  const test = testInputs(context, variant)
  return {
    name: 'sequential_test_accepts',
    passed: test.decision === 'accept' && sinceEntry > 0,
    inputs: { ...test, results_on_rung: sinceEntry },
  }
}

/** The test has not given the challenger up. */
export function sequentialTestDoesNotReject(context: Context, variant: Variant): Predicate {
  const test = testInputs(context, variant)
  return {
    name: 'sequential_test_does_not_reject',
    passed: test.decision !== 'reject',
    inputs: test,
  }
}

function testInputs({ ladder, readings }: Context, { version }: Variant) {
  const test = readings.test(version, ladder.live)
  return {
    against: ladder.live.version,
    generation: ladder.live.generation,
    kind: test.kind,
    wins: test.wins,
    losses: test.losses,
    ties: test.ties,
    errors: test.errors,
    statistic: test.statistic,
    accept_at: test.acceptAt,
    futility_statistic: test.futilityStatistic,
    reject_at: test.rejectAt,
    decision: test.decision,
  }
}

/**
 * The verifier's pass rate has not fallen too far below that of the version it competes with: for a challenger the
 * live one, for the live one the version that a rollback would restore.
 */
export function passRateHolds({ ladder, evidence }: Context, variant: Variant): Predicate {
  const rival = isChallenger(variant)
    ? variantOf(ladder, ladder.live.version)
    : predecessorOf(ladder, variant.version)
  const { passRateMargin, minVerified } = ladder.config
  const own = evidenceOf(evidence, variant.version).verified
  const other = rival === null ? { n: 0, passed: 0 } : evidenceOf(evidence, rival.version).verified
  const enough = rival !== null && own.n >= minVerified && other.n >= minVerified
  const fall = enough ? other.passed / other.n - own.passed / own.n : null
  return {
    name: 'pass_rate_holds',
    // A fall of exactly the margin is allowed; 0.9 - 0.85 is a little more than 0.05 in doubles.
    passed: fall === null || fall <= passRateMargin + 1e-9,
    inputs: {
      against: rival?.version ?? null,
      verified: own.n,
      verifier_passed: own.passed,
      against_verified: other.n,
      against_passed: other.passed,
      min_verified: minVerified,
      fall,
      margin: passRateMargin,
    },
  }
}

/** The interval of the strength difference to the live version lies above zero. */
export function beatsCurrent({ ladder, readings }: Context, { version }: Variant): Predicate {
  const lead = readings.lead(version, ladder.live)
  return {
    name: 'beats_current',
    passed: lead.lower !== null && lead.lower > 0,
    inputs: {
      against: ladder.live.version,
      generation: ladder.live.generation,
      method: lead.method,
      difference: lead.value,
      lower: lead.lower,
      upper: lead.upper,
      reason: lead.reason,
    },
  }
}

/** Where there is a budget, costs are known and their mean is within it. */
export function costWithinBudget({ ladder, evidence }: Context, { version }: Variant): Predicate {
  const { n, mean } = evidenceOf(evidence, version).cost
  const budget = ladder.config.costBudget
  return {
    name: 'cost_within_budget',
    passed: budget === null || (mean !== null && mean <= budget),
    inputs: { episodes: n, mean_cost: mean, budget },
  }
}

/**
 * Over the latest groups that were compared with the live version since the variant came onto its rung (or step), as
 * many as required, it won more than it lost.
 */
export function sustained(context: Context, variant: Variant, required: number): Predicate {
  const byGroup = new Map<string, { wins: number; losses: number }>()
  for (const { groupId, standing } of resultsSinceEntry(context, variant)) {
    const group = byGroup.get(groupId) ?? { wins: 0, losses: 0 }
    // Put back at the end: groups stand in the order of their latest results.
    byGroup.delete(groupId)
    byGroup.set(groupId, group)
    if (standing === 'win') group.wins += 1
    else if (standing === 'loss') group.losses += 1
  }
  const latest = [...byGroup.values()].slice(-required)
  const wins = latest.reduce((sum, group) => sum + group.wins, 0)
  const losses = latest.reduce((sum, group) => sum + group.losses, 0)
  return {
    name: 'sustained',
    passed: byGroup.size >= required && wins > losses,
    inputs: { groups: byGroup.size, required, wins, losses },
  }
}

/** Results of this rung that are evidence of anything; an error is not. */
function resultsSinceEntry({ ladder, readings }: Context, variant: Variant) {
  return readings
    .results(variant.version, ladder.live)
    .filter(({ sequence, standing }) => sequence > variant.since.sequence && standing !== 'error')
}
