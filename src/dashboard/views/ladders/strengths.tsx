/** Strengths of the variants from all their comparisons, with intervals; only those of one class can be measured together. */
import { get } from '../../api/client'
import type { Ladder, Strengths as Fit } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { ladderHref } from '../../hrefs'
import { IntervalPlot, type IntervalRow } from '../../parts/interval-plot'
import { Name } from '../../parts/name'
import { Empty, Loaded } from '../../parts/states'
import { StatusMark } from '../../parts/status'
import { logText } from './evidence'
import { RungMark } from './rungs'

type Strength = Fit['strengths'][number]

export function Strengths({ ladder }: { ladder: Ladder }) {
  const strengths = useResource(`strengths ${ladder.ladder} ${ladder.live.generation}`, (signal) =>
    get<Fit>(`/v1/ladders/${encodeURIComponent(ladder.ladder)}/strengths`, { signal }),
  )
  return (
    <section class="section" aria-labelledby="strengths">
      <div class="section-head">
        <h2 id="strengths">Strengths</h2>
        <span class="muted small">
          Bradley-Terry, with 95 % intervals; a difference of 1 is odds of 2.7 to 1
        </span>
      </div>
      <Loaded of={strengths} what="strengths" rows={5}>
        {(fit) => <Drawn fit={fit} ladder={ladder} />}
      </Loaded>
    </section>
  )
}

function Drawn({ fit, ladder }: { fit: Fit; ladder: Ladder }) {
  const measured = fit.strengths.filter(({ value }) => value !== null)
  const unmeasured = fit.strengths.filter(({ value }) => value === null)
  if (fit.strengths.length === 0) {
    return (
      <div class="panel">
        <Empty title="Nobody was compared yet." />
      </div>
    )
  }
  const classes = [...new Set(measured.map((one) => one.class))]
  return (
    <div class="strength-classes">
      {!fit.connected && (
        <p class="muted">
          <StatusMark status="insufficient" word="not connected" quiet /> No chain of comparisons links all of
          them: strengths of different panels say nothing of each other.
        </p>
      )}
      {classes.map((one) => (
        <div key={one} class="panel">
          <IntervalPlot
            id="strengths"
            rows={measured
              .filter((strength) => strength.class === one)
              .sort((a, b) => b.value! - a.value!)
              .map((strength) => rowOf(strength, ladder))}
            axis="strength, as a natural logarithm; 0 is the mean of these"
          />
        </div>
      ))}
      {unmeasured.length > 0 && (
        <p class="muted unmeasured">
          No finite strength, since {unmeasured.length === 1 ? 'it' : 'each'} won or lost everything against
          the others:{' '}
          {unmeasured.map(({ variant }) => (
            <a key={variant} href={ladderHref(ladder.ladder, variant)}>
              <Name text={variant} />
            </a>
          ))}
        </p>
      )}
    </div>
  )
}

function rowOf({ variant, value, lower, upper }: Strength, ladder: Ladder): IntervalRow {
  const standing = ladder.variants.find(({ version }) => version === variant)
  const figures =
    lower === null || upper === null
      ? logText(value!)
      : `${logText(value!)} (${logText(lower)} to ${logText(upper)})`
  return {
    key: variant,
    head: (
      <div class="strength-head">
        <a href={ladderHref(ladder.ladder, variant)}>
          <Name text={variant} />
        </a>
        {standing && <RungMark rung={standing.rung} quiet />}
      </div>
    ),
    figures,
    estimate: value,
    lower,
    upper,
    ...(variant === ladder.live.version && { tone: 'pass' as const }),
    label: `${variant}: strength ${figures}`,
  }
}
