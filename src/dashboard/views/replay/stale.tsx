/** Coordinates whose trusted history no longer matches the present level; each can be reset, after a look at what goes along. */
import { useRef, useState } from 'preact/hooks'
import { useSession } from '../../api/session'
import type { Replay } from '../../api/types'
import { Icon } from '../../parts/icon'
import { Name } from '../../parts/name'
import { count, plural, short } from '../../parts/number'
import { RevokeDialog } from '../../parts/revoke'
import { StatusMark } from '../../parts/status'
import { stepPhrase } from '../../parts/step'
import { CoordinateChart, coordinateKey } from './coordinate-chart'
import type { Replayed } from './replay'
import { CoordinateName } from './places'
import { ShowMore, useSome } from './show-more'

type Stale = Replay['stale_coordinates'][number]

/** The API revokes so many runs at a time. */
const MOST_RESET = 1_000
const MOST_OTHERS = 12

export function StaleCoordinates({ replayed, onChanged }: { replayed: Replayed; onChanged: () => void }) {
  const { report, revoked } = replayed
  const some = useSome(report.stale_coordinates)
  return (
    <>
      <ul class="coordinates">
        {some.shown.map((stale) => (
          <li key={coordinateKey(stale)} class="panel coordinate">
            <Card stale={stale} onChanged={onChanged} />
            <CoordinateChart of={stale} revoked={revoked} />
          </li>
        ))}
      </ul>
      <ShowMore of={some} total={report.stale_coordinates_total} />
    </>
  )
}

function Card({ stale, onChanged }: { stale: Stale; onChanged: () => void }) {
  const { side, latest, ambiguous } = stale
  return (
    <div class="coordinate-head">
      <CoordinateName of={stale} />
      <p>
        <span class={`side side-${side}`}>
          <Icon name={side === 'above' ? 'up' : 'down'} size={14} /> {side} its corridor
        </span>{' '}
        three times in a row: {latest.map(({ value }) => short(value)).join(', ')}
        {latest.at(-1)?.mean !== null && latest.at(-1) !== undefined && (
          <span class="muted"> against a mean of {short(latest.at(-1)!.mean)}</span>
        )}
      </p>
      {ambiguous && (
        <p>
          <StatusMark status="undecided" word="flips to zero as well" quiet /> A wider band may be what is
          wanted.
        </p>
      )}
      <Reset stale={stale} onChanged={onChanged} />
    </div>
  )
}

function Reset({ stale, onChanged }: { stale: Stale; onChanged: () => void }) {
  const { reset_run_ids: ids, reset_run_ids_total: total, warning } = stale
  const { may } = useSession()
  const [isOpen, setOpen] = useState(false)
  const hasRevoked = useRef(false)
  const isPossible = ids !== null && ids.length > 0 && ids.length <= MOST_RESET
  return (
    <>
      {warning !== null && (
        <p class="reset-warning">
          <Icon name="error" size={14} /> <bdi>{warning}</bdi>
        </p>
      )}
      <Others stale={stale} />
      {isPossible && may('trust:revoke') ? (
        <p>
          <button type="button" class="button button-danger" onClick={() => setOpen(true)}>
            Preview a reset: {plural(total, 'run')}…
          </button>
        </p>
      ) : (
        <p class="muted small">
          {may('trust:revoke')
            ? total === 0
              ? 'It has no trusted run that could be revoked.'
              : `A reset would revoke ${plural(total, 'run')}: more than one revocation takes. Revoke them in parts by the API.`
            : `A reset would revoke ${plural(total, 'run')}; that needs the scope trust:revoke.`}
        </p>
      )}
      {isOpen && isPossible && (
        <RevokeDialog
          choices={[{ selector: { run_ids: ids }, words: 'the trusted runs of this coordinate' }]}
          onRevoked={() => (hasRevoked.current = true)}
          onClose={() => {
            setOpen(false)
            // Replayed anew only now: the coordinate would vanish, and the dialog with it.
            if (hasRevoked.current) onChanged()
          }}
        />
      )}
    </>
  )
}

function Others({ stale: { other_coordinates: others, other_coordinates_total: total } }: { stale: Stale }) {
  if (total === 0) return <p class="muted small">A reset takes values of no other coordinate along.</p>
  return (
    <details class="others">
      <summary>A reset would take values of {plural(total, 'other coordinate')} along</summary>
      <ul>
        {others
          .slice(0, MOST_OTHERS)
          .map(({ metric_key: metric, step, runs_lost: lost, runs_left: left }) => (
            <li key={`${metric} ${step}`}>
              <Name text={metric} /> <span class="muted">{stepPhrase(step)}:</span> loses {count(lost)}, keeps{' '}
              {count(left)}
            </li>
          ))}
        {total > MOST_OTHERS && (
          <li class="muted">and {count(total - Math.min(MOST_OTHERS, others.length))} more</li>
        )}
      </ul>
    </details>
  )
}
