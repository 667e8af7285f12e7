import type { Context, DriftFact } from './context.js'
import type { DriftSeries } from './config.js'
import { findVariant, type Variant } from './ladder.js'
import type { InputValue, Predicate } from './predicate.js'

/** The variant and all its parents are versions of the ladder. */
export function registered({ ladder }: Context, variant: Variant): Predicate {
  const unknown = variant.parents.filter((parent) => !findVariant(ladder, parent))
  const known = findVariant(ladder, variant.version) !== undefined
  return {
    name: 'registered',
    passed: known && unknown.length === 0,
    inputs: { version: variant.version, parents: variant.parents, unknown_parents: unknown },
  }
}

export function validated(_: Context, { facts }: Variant): Predicate {
  return {
    name: 'validated',
    passed: facts.validated === true,
    inputs: { validated: facts.validated },
  }
}

export function sandboxClean(_: Context, { facts }: Variant): Predicate {
  return {
    name: 'sandbox_clean',
    passed: facts.sandboxClean === true,
    inputs: { sandbox_clean: facts.sandboxClean },
  }
}

/** Each dimension with a limit is declared, and within it. What is not declared is not known to fit. */
export function resourceFits({ ladder }: Context, { facts }: Variant): Predicate {
  const declared = facts.resourceProfile
  const dimensions = Object.entries(ladder.config.resourceBudget).map(([dimension, limit]) => {
    const need = Object.hasOwn(declared, dimension) ? declared[dimension]! : null
    return { dimension, declared: need, limit, fits: need !== null && need <= limit }
  })
  return {
    name: 'resource_fits',
    passed: dimensions.every(({ fits }) => fits),
    inputs: { dimensions },
  }
}

/** Every drift series has a run of the variant's commit, and the newest is trusted now and passed. */
export function driftClean({ ladder, drift }: Context, variant: Variant): Predicate {
  const facts = drift.get(variant.version) ?? []
  const series = ladder.config.driftSeries.map((wanted) => readSeries(wanted, facts))
  return {
    name: 'drift_clean',
    passed: series.every(({ clean }) => clean),
    inputs: { commit_sha: variant.commitSha, series },
  }
}

function readSeries(wanted: DriftSeries, facts: readonly DriftFact[]) {
  const run =
    facts.find(
      ({ series }) =>
        series.testPath === wanted.testPath &&
        series.backend === wanted.backend &&
        series.suite === wanted.suite,
    )?.run ?? null
  const clean = run !== null && run.trusted && run.outcome === 'pass'
  return {
    test_path: wanted.testPath,
    backend: wanted.backend,
    suite: wanted.suite,
    run_id: run?.runId ?? null,
    trusted: run?.trusted ?? null,
    outcome: run?.outcome ?? null,
    clean,
    reason: clean ? null : unclean(run),
  } satisfies InputValue
}

function unclean(run: DriftFact['run']): string {
  if (run === null) return 'no run of this series has the commit of the variant'
  if (!run.trusted) return 'the newest run is not trusted'
  return run.outcome === null ? 'the newest run has no verdict' : 'the verdict of the newest run failed'
}
