/** What failed in the last days, a series a line, with the reason of its newest failure. */
import { get } from '../../api/client'
import type { Check, Verdict, VerdictHead } from '../../api/types'
import { runHref, seriesHref, verdictHref } from '../../hrefs'
import { useKept } from '../../hooks/use-kept'
import { Name } from '../../parts/name'
import { plural } from '../../parts/number'
import { SeriesName } from '../../parts/series-name'
import { StatusMark } from '../../parts/status'
import { Time } from '../../parts/time'
import type { Row } from './rows'

const MOST_CHECKS = 1_000

export function FailedLately({ rows, days }: { rows: readonly Row[]; days: number }) {
  if (rows.length === 0) {
    return (
      <section class="lately lately-none panel">
        <StatusMark status="pass" word={`Nothing failed in the last ${days} days`} />
      </section>
    )
  }
  return (
    <section class="lately panel" aria-labelledby="lately">
      <h2 id="lately">Failed in the last {days} days</h2>
      <ul>
        {rows.map((row) => (
          <Failure key={row.key} row={row} />
        ))}
      </ul>
    </section>
  )
}

function Failure({ row: { series, lastFailure, failures } }: { row: Row }) {
  const verdict = lastFailure!
  const href = verdict.run_id === null ? verdictHref(verdict.verdict_id ?? '') : runHref(verdict.run_id)
  const { pr_number: pr } = verdict.provenance
  return (
    <li>
      <SeriesName series={series} href={seriesHref(series)} />
      <Reason verdict={verdict} />
      <div class="lately-when">
        <a href={href} class="lately-open">
          <StatusMark status="fail" word={pr === null ? 'failed' : `failed in #${pr}`} />{' '}
          <Time iso={verdict.created_at} />
        </a>
        <span class="muted small">{plural(failures, 'failure')}</span>
      </div>
    </li>
  )
}

/** Of the checks the first that fails CI; where there are very many, their number alone. */
function Reason({ verdict }: { verdict: VerdictHead }) {
  const { checks, failing_ci: failing } = verdict.counts
  const check = useKept<Check | null>(`reason ${verdict.verdict_id}`, async (signal) => {
    if (checks > MOST_CHECKS) return null
    const whole = await get<Verdict>(`/v1/verdicts/${encodeURIComponent(verdict.verdict_id ?? '')}`, {
      signal,
    })
    return whole.checks.find(({ fails_ci }) => fails_ci) ?? null
  })
  return (
    <div class="lately-reason">
      {check ? (
        <>
          <Name text={check.metric_key} />
          <span class="muted small lately-text" title={check.reason}>
            <bdi>{check.reason}</bdi>
            {failing > 1 && ` · and ${plural(failing - 1, 'check')} more`}
          </span>
        </>
      ) : (
        <span class="muted">{`${plural(failing, 'check')} of ${checks}`}</span>
      )}
    </div>
  )
}
