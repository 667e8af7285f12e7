/** A comparison of two eval runs: the result and why, each gate's interval against its limit, and the drops by question. */
import { get } from '../../api/client'
import type { Comparison, Double, Gate } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { IntervalPlot, type IntervalRow, intervalText } from '../../parts/interval-plot'
import { Name } from '../../parts/name'
import { count, plural, short } from '../../parts/number'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { StatusMark } from '../../parts/status'
import { Time } from '../../parts/time'
import type { ViewProps } from '../../view-props'
import { RunName, threeDigits } from './comparison-list'
import { QuestionDrops } from './drops'
import { GATE_WORDS, GateMark, ResultMark } from './result-mark'
import './evals.css'

export function ComparisonView({ params }: ViewProps) {
  const id = params.get('comparison_id') ?? ''
  const comparison = useResource(`comparison ${id}`, (signal) =>
    get<Comparison>(`/v1/evals/comparisons/${encodeURIComponent(id)}`, { signal }),
  )
  const { data } = comparison
  return (
    <>
      <PageHead
        title={
          data
            ? `Comparison of ${data.current.name ?? 'a run'} with ${data.baseline.name ?? 'a run'}`
            : 'Comparison'
        }
        heading={
          data && (
            <span class="compared">
              <RunName name={data.current.name} />
              <span class="muted compared-with">against</span>
              <RunName name={data.baseline.name} />
            </span>
          )
        }
        above={<a href="/evals?show=comparisons">Evals</a>}
        {...(data && {
          below: (
            <>
              <ResultMark result={data.result} />
              {data.outcome !== null && (
                <span>
                  counts as <StatusMark status={data.outcome} quiet />
                </span>
              )}
              <Time iso={data.created_at} form="line" />
            </>
          ),
        })}
      />
      <Loaded of={comparison} what="comparison" rows={8}>
        {(loaded) => (
          <>
            <Reasons comparison={loaded} />
            <Gates comparison={loaded} />
            <Figures comparison={loaded} />
            <LeftOut comparison={loaded} />
            <QuestionDrops comparison={loaded} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Reasons({ comparison: { reasons, small_sample: isSmall } }: { comparison: Comparison }) {
  if (reasons.length === 0 && !isSmall) return null
  return (
    <ul class="panel reasons" aria-label="Reasons">
      {reasons.map((reason, index) => (
        <li key={index}>
          <bdi>{reason}</bdi>
        </li>
      ))}
      {isSmall && (
        <li>
          <StatusMark status="insufficient" word="small sample" /> Fewer than 15 questions match: the
          intervals are known to be too short.
        </li>
      )}
    </ul>
  )
}

const ORDER = { undecided: 0, regression: 1, pass: 2 } as const
const TONES = { undecided: 'warn', regression: 'fail', pass: 'pass' } as const

function Gates({ comparison: { gates } }: { comparison: Comparison }) {
  if (gates.length === 0) {
    return <p class="section muted">No gate was asked for: the means are there, and nothing is claimed.</p>
  }
  const rank = ({ status }: Gate) => (status === null ? -1 : ORDER[status])
  return (
    <section class="section" aria-labelledby="gates">
      <div class="section-head">
        <h2 id="gates">Mean drops and their 95 % intervals</h2>
        <span class="muted small">
          baseline − current: to the right is worse; the dashed line is the limit
        </span>
      </div>
      <div class="panel">
        <IntervalPlot
          id="gates"
          rows={[...gates].sort((a, b) => rank(a) - rank(b)).map(rowOf)}
          axis="drop, in score points"
        />
      </div>
    </section>
  )
}

function rowOf({
  gate,
  limit,
  mean_drop: drop,
  ci95,
  method,
  small_sample: isSmall,
  status,
}: Gate): IntervalRow {
  const [mean, lower, upper] = [finite(drop), finite(ci95?.[0] ?? null), finite(ci95?.[1] ?? null)]
  const figures = intervalText(mean, lower, upper)
  return {
    key: gate,
    head: (
      <div class="gate-head">
        <span>{GATE_WORDS[gate]}</span>
        <GateMark status={status} />
      </div>
    ),
    figures: (
      <div class="gate-figures">
        <span>{figures}</span>
        <span class="muted small">
          {method === null ? 'no interval' : METHODS[method]}
          {isSmall && ', small sample'}
        </span>
      </div>
    ),
    estimate: mean,
    lower,
    upper,
    limit: { at: limit, label: `limit ${short(limit)}` },
    ...(status !== null && { tone: TONES[status] }),
    label: `${GATE_WORDS[gate]}: mean drop ${figures}, limit ${short(limit)}, ${status ?? 'not judged'}`,
  }
}

const METHODS = { bootstrap: 'bootstrap', normal: 'normal', mean: 'the mean itself' } as const

function Figures({ comparison }: { comparison: Comparison }) {
  const { means, questions, identity, min_matched: least, strict } = comparison
  return (
    <section class="section" aria-labelledby="means">
      <h2 id="means">Means over the matched questions</h2>
      <dl class="panel facts">
        <div>
          <dt>With the context</dt>
          <dd>
            {shown(means.baseline.context)} → {shown(means.current.context)}
          </dd>
        </div>
        <div>
          <dt>Lift</dt>
          <dd>
            {shown(means.baseline.lift)} → {shown(means.current.lift)}
          </dd>
        </div>
        <div>
          <dt>Matched questions</dt>
          <dd>
            {count(questions.matched)}
            <span class="muted small">
              {' '}
              of {count(questions.baseline)} and {count(questions.current)}
              {least !== null && `, ${count(least)} wanted`}
            </span>
          </dd>
        </div>
        <div>
          <dt>Answer model</dt>
          <dd>
            <Identity is={identity.answer} />
          </dd>
        </div>
        <div>
          <dt>Judge</dt>
          <dd>
            <Identity is={identity.judge} />
            {strict && <span class="muted small"> both have to be the same</span>}
          </dd>
        </div>
      </dl>
    </section>
  )
}

function Identity({ is }: { is: Comparison['identity']['answer'] }) {
  if (is === 'same') return <StatusMark status="pass" word="same" quiet />
  return is === 'different' ? (
    <StatusMark status="fail" word="different" quiet />
  ) : (
    <StatusMark status="insufficient" word="not recorded" quiet />
  )
}

const MOST_IDS = 60

/** Questions that no drop can be told of, by why. */
function LeftOut({ comparison: { questions } }: { comparison: Comparison }) {
  const lists: ReadonlyArray<readonly [words: string, ids: readonly string[], total: number]> = [
    ['scored in the baseline alone', questions.only_baseline, questions.only_baseline_total],
    ['scored in the current run alone', questions.only_current, questions.only_current_total],
    ['not scored in the baseline', questions.unscored_baseline, questions.unscored_baseline_total],
    ['not scored in the current run', questions.unscored_current, questions.unscored_current_total],
  ]
  const found = lists.filter(([, , total]) => total > 0)
  if (found.length === 0) return null
  return (
    <section class="section" aria-labelledby="left-out">
      <h2 id="left-out">Questions that do not match</h2>
      <div class="panel left-out">
        {found.map(([words, ids, total]) => (
          <details key={words}>
            <summary>
              {plural(total, 'question')} {words}
            </summary>
            <ul>
              {ids.slice(0, MOST_IDS).map((id) => (
                <li key={id}>
                  <Name text={id} />
                </li>
              ))}
              {total > MOST_IDS && (
                <li class="muted">and {count(total - Math.min(MOST_IDS, ids.length))} more</li>
              )}
            </ul>
          </details>
        ))}
      </div>
    </section>
  )
}

function shown(value: Double | null): string {
  return short(threeDigits(value))
}

function finite(value: Double | null): number | null {
  return typeof value === 'number' ? value : null
}
