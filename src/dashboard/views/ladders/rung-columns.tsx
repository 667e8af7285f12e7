/** The rungs side by side, each with its variants and their shares; a variant is chosen by a link. What ended stands beneath. */
import type { Ladder } from '../../api/types'
import { ladderHref } from '../../hrefs'
import { Name } from '../../parts/name'
import { count, plural } from '../../parts/number'
import { Time } from '../../parts/time'
import { configuredShare, isEnd, percent, RungMark, WAY_UP } from './rungs'
import { ShareBar } from './share-bar'

type Standing = Ladder['variants'][number]

const MOST_ON_RUNG = 12
const MOST_ENDED = 60

export function Rungs({ ladder, chosen }: { ladder: Ladder; chosen: string }) {
  const ended = ladder.variants.filter(({ rung }) => isEnd(rung)).sort((a, b) => (a.since < b.since ? 1 : -1))
  return (
    <section aria-labelledby="rungs">
      <h2 id="rungs" class="visually-hidden">
        Rungs
      </h2>
      <ShareBar ladder={ladder} />
      <ol class={`rungs rungs-${ladder.mode}`}>
        {WAY_UP[ladder.mode].map((rung) => {
          const here = ladder.variants.filter((variant) => variant.rung === rung)
          const share = configuredShare(ladder, rung)
          return (
            <li key={rung} class="panel rung">
              <p class="rung-head">
                <RungMark rung={rung} quiet />
                <span class="muted small">{share === null ? count(here.length) : `gets ${share}`}</span>
              </p>
              {here.length === 0 ? (
                <p class="muted small">nobody</p>
              ) : (
                <ul>
                  {here.slice(0, MOST_ON_RUNG).map((variant) => (
                    <Chip
                      key={variant.version}
                      ladder={ladder}
                      variant={variant}
                      isChosen={variant.version === chosen}
                    />
                  ))}
                  {here.length > MOST_ON_RUNG && (
                    <li class="muted small">and {count(here.length - MOST_ON_RUNG)} more</li>
                  )}
                </ul>
              )}
            </li>
          )
        })}
      </ol>
      {ended.length > 0 && (
        <details class="ended" open={ended.length <= 6 || ended.some(({ version }) => version === chosen)}>
          <summary>{plural(ended.length, 'variant')} whose way has ended</summary>
          <ul>
            {ended.slice(0, MOST_ENDED).map((variant) => (
              <Chip
                key={variant.version}
                ladder={ladder}
                variant={variant}
                isChosen={variant.version === chosen}
                withRung
              />
            ))}
            {ended.length > MOST_ENDED && (
              <li class="muted small">and {count(ended.length - MOST_ENDED)} more</li>
            )}
          </ul>
        </details>
      )}
    </section>
  )
}

interface ChipProps {
  readonly ladder: Ladder
  readonly variant: Standing
  readonly isChosen: boolean
  readonly withRung?: boolean
}

function Chip({ ladder, variant, isChosen, withRung }: ChipProps) {
  const { version, share, since, rung, ramp_step: step } = variant
  return (
    <li>
      <a
        class="variant-chip"
        href={ladderHref(ladder.ladder, version)}
        {...(isChosen && { 'aria-current': 'true' })}
      >
        <Name text={version} />
        <span class="variant-chip-facts small">
          {withRung && <RungMark rung={rung} quiet />}
          {share > 0 && (
            <strong>
              {percent(share)}
              {step !== null && `, step ${step + 1}`}
            </strong>
          )}
          <span class="muted">
            <Time iso={since} />
          </span>
        </span>
      </a>
    </li>
  )
}
