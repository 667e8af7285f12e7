/** What a revocation does, or would do: the runs, the coordinates that lose their footing, the verdicts that rested on them. */
import type { Impact, Revocation } from '../api/types'
import { seriesHref, verdictHref } from '../hrefs'
import { Name } from './name'
import { count, plural } from './number'
import { StatusMark } from './status'
import { stepPhrase } from './step'
import { Time } from './time'

/** Of each list, unless asked otherwise; the API tells a hundred. */
const MOST_SHOWN = 8

/** @param most entries of each list that are shown */
export function ImpactOf({
  revocation,
  most = MOST_SHOWN,
}: {
  revocation: Pick<Revocation, 'revoked' | 'matched_run_ids' | 'impact' | 'dry_run'>
  most?: number
}) {
  const { revoked, matched_run_ids: matched, impact, dry_run: isDry } = revocation
  const untouched = matched.length - revoked
  return (
    <div class="impact">
      <p>
        <strong>
          {plural(revoked, 'run')}{' '}
          {isDry ? (revoked === 1 ? 'loses its trust' : 'lose their trust') : 'lost trust'}.
        </strong>{' '}
        {untouched > 0 &&
          `${plural(untouched, 'run')} matched but ${untouched === 1 ? 'was' : 'were'} untrusted already.`}
      </p>
      <Coordinates impact={impact} most={most} />
      <Verdicts impact={impact} most={most} />
    </div>
  )
}

interface ListProps {
  readonly impact: Impact
  readonly most: number
}

function Coordinates({ impact: { coordinates, coordinates_total: total }, most }: ListProps) {
  if (total === 0) return <p class="muted">Every coordinate keeps the history that enforcement needs.</p>
  return (
    <div>
      <p>{plural(total, 'coordinate')} without enough trusted history afterwards:</p>
      <ul class="impact-list">
        {coordinates
          .slice(0, most)
          .map(({ series, metric_key: metric, step, n_before: before, n_after: after, effect }) => (
            <li key={`${series.test_path} ${series.backend} ${series.suite} ${metric} ${step}`}>
              <a href={seriesHref(series, { metric, step })}>
                <Name text={metric} />
              </a>
              <span class="muted">{stepPhrase(step)}</span>
              <StatusMark
                status="insufficient"
                word={effect === 'cold' ? `cold: ${before} to 0 values` : `${before} to ${after} values`}
                quiet
              />
            </li>
          ))}
      </ul>
      <More total={total} shown={Math.min(most, coordinates.length)} />
    </div>
  )
}

function Verdicts({ impact: { verdicts, verdicts_total: total }, most }: ListProps) {
  if (total === 0) return <p class="muted">No stored verdict rested on them.</p>
  return (
    <div>
      <p>{plural(total, 'stored verdict')} rested on them, and stay as they are:</p>
      <ul class="impact-list">
        {verdicts.slice(0, most).map(({ verdict_id: id, series, created_at: at, outcome }) => (
          <li key={id}>
            <StatusMark status={outcome} quiet />
            <a href={verdictHref(id)}>
              <Name text={series.test_path} mono={false} />
            </a>
            <span class="muted">
              <Time iso={at} />
            </span>
          </li>
        ))}
      </ul>
      <More total={total} shown={Math.min(most, verdicts.length)} />
    </div>
  )
}

function More({ total, shown }: { total: number; shown: number }) {
  return total > shown ? <p class="muted small">and {count(total - shown)} more</p> : null
}
