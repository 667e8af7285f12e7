/** What the point under the pointer says, in words beside it. */
import { changeFrom } from '../../../charts/numbers'
import { KIND_WORDS, type ChartPoint } from '../../../charts/points'
import { ShortId } from '../name'
import { short } from '../number'
import { fullTime } from '../time'
import { KindMark } from './legend'

export function Readout({ point }: { point: ChartPoint }) {
  const { item, value, kind, mean, lower, upper } = point
  return (
    <>
      <div class="readout-value">
        <KindMark kind={kind} />
        <strong>{short(value)}</strong>
        <span>{KIND_WORDS[kind]}</span>
        {mean !== null && <span class="muted">{changeFrom(mean, value).replace('-', '−')} of the mean</span>}
      </div>
      <dl class="readout-facts">
        <dt>Corridor</dt>
        <dd>{corridorText(lower, upper)}</dd>
        <dt>Mean</dt>
        <dd>{short(mean)}</dd>
        <dt>Commit</dt>
        <dd>{item.commit_sha === null ? '—' : <ShortId id={item.commit_sha} length={12} />}</dd>
        <dt>Run</dt>
        <dd>
          <ShortId id={item.run_id} length={13} />
        </dd>
        <dt>Time</dt>
        <dd>{fullTime(item.created_at)}</dd>
      </dl>
    </>
  )
}

export function corridorText(lower: number | null, upper: number | null): string {
  if (lower === null && upper === null) return '—'
  if (lower === null) return `at most ${short(upper)}`
  if (upper === null) return `at least ${short(lower)}`
  return `${short(lower)} to ${short(upper)}`
}

/** All of it in one sentence, for those who hear it. */
export function readoutText({ item, value, kind, mean, lower, upper }: ChartPoint): string {
  const parts = [
    `${short(value)}, ${KIND_WORDS[kind]}`,
    mean === null ? null : `mean ${short(mean)}`,
    lower === null && upper === null ? null : `corridor ${corridorText(lower, upper)}`,
    item.commit_sha === null ? null : `commit ${item.commit_sha.slice(0, 12)}`,
    fullTime(item.created_at),
  ]
  return parts.filter(Boolean).join('; ')
}
