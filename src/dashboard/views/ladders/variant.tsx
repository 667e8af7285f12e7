/** One variant: its test against the live version, drawn, and what keeps it from its next rung. */
import { ApiError, get } from '../../api/client'
import type { Ladder, LadderTest, Variant } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { Name, ShortId } from '../../parts/name'
import { count, plural } from '../../parts/number'
import { Empty, Loaded } from '../../parts/states'
import { Predicates } from './predicates'
import { RungMark } from './rungs'
import { Trajectory } from './trajectory'
import { TestFacts } from './test-facts'

interface Shown {
  readonly variant: Variant
  /** null where it was never a challenger. */
  readonly test: LadderTest | null
}

export function VariantPart({ ladder, version }: { ladder: Ladder; version: string }) {
  const path = `/v1/ladders/${encodeURIComponent(ladder.ladder)}`
  // Whatever moves on the ladder may move this one.
  const standing = ladder.variants.find((variant) => variant.version === version)
  const shown = useResource<Shown>(
    `${ladder.ladder} ${version} ${standing?.rung} ${ladder.live.generation}`,
    async (signal) => {
      const [variant, test] = await Promise.all([
        get<Variant>(`${path}/variants/${encodeURIComponent(version)}`, { signal }),
        readTest(path, version, signal),
      ])
      return { variant, test }
    },
    { everyMs: 30_000 },
  )
  return (
    <section class="section" aria-labelledby="variant">
      <div class="section-head">
        <h2 id="variant" class="variant-title">
          <Name text={version} />
        </h2>
        {shown.data && <VariantHead variant={shown.data.variant} />}
      </div>
      <Loaded of={shown} what="variant" rows={8}>
        {({ variant, test }) => (
          <div class="variant-body">
            <div class="panel test-panel">
              {test === null || test.trajectory.length === 0 ? (
                <Empty title="Nothing was compared yet.">
                  The test looks at its comparisons with the live version, one after another.
                </Empty>
              ) : (
                <>
                  <Trajectory test={test} minEffect={ladder.test.min_effect} />
                  <TestFacts test={test} />
                </>
              )}
            </div>
            <div class="panel next-panel">
              <h3>What its next rung asks</h3>
              {variant.predicates.length === 0 ? (
                <p class="muted">There is no next rung.</p>
              ) : (
                <Predicates predicates={variant.predicates} />
              )}
            </div>
          </div>
        )}
      </Loaded>
    </section>
  )
}

async function readTest(path: string, version: string, signal: AbortSignal): Promise<LadderTest | null> {
  try {
    return await get<LadderTest>(`${path}/test`, { query: { variant: version }, signal })
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 404) return null
    throw thrown
  }
}

function VariantHead({ variant }: { variant: Variant }) {
  const { rung, ramp_step: step, parents, commit_sha: sha, episodes, comparisons } = variant
  return (
    <span class="variant-head">
      <RungMark rung={rung} step={step} />
      {parents.length > 0 && (
        <span class="muted small">
          from{' '}
          {parents.map((parent) => (
            <Name key={parent} text={parent} />
          ))}
        </span>
      )}
      {sha !== null && (
        <span class="muted small">
          commit <ShortId id={sha} length={12} />
        </span>
      )}
      <span class="muted small">
        {plural(episodes, 'episode')}; of all its comparisons {count(comparisons.won)} won,{' '}
        {count(comparisons.lost)} lost, {count(comparisons.tied)} tied
        {comparisons.voided > 0 && `, ${count(comparisons.voided)} void`}
      </span>
    </span>
  )
}
