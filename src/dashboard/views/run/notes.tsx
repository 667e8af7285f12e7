/** What else a verdict says: warnings, and metrics that were recorded and not judged. */
import type { Verdict } from '../../api/types'
import { Icon } from '../../parts/icon'
import { Name } from '../../parts/name'
import { count, plural } from '../../parts/number'

const MOST_SHOWN = 100

export function Notes({ verdict: { warnings, undeclared_metrics: undeclared } }: { verdict: Verdict }) {
  if (warnings.length === 0 && undeclared.length === 0) return null
  return (
    <div class="notes">
      {warnings.length > 0 && (
        <details class="panel note" open={warnings.length <= 3}>
          <summary>
            <Icon name="error" size={14} /> {plural(warnings.length, 'warning')}
          </summary>
          <ul>
            {warnings
              .slice(0, MOST_SHOWN)
              .map(({ metric_key: metric, message, missing_steps: missing }, index) => (
                <li key={index}>
                  {metric !== null && <Name text={metric} />} <bdi>{message}</bdi>
                  {missing !== null && missing.length > 0 && (
                    <span class="muted"> (steps {missing.slice(0, 20).join(', ')})</span>
                  )}
                </li>
              ))}
          </ul>
          <More total={warnings.length} />
        </details>
      )}
      {undeclared.length > 0 && (
        <details class="panel note">
          <summary>{plural(undeclared.length, 'metric')} recorded, not judged</summary>
          <ul>
            {undeclared.slice(0, MOST_SHOWN).map((metric) => (
              <li key={metric}>
                <Name text={metric} />
              </li>
            ))}
          </ul>
          <More total={undeclared.length} />
        </details>
      )}
    </div>
  )
}

function More({ total }: { total: number }) {
  return total > MOST_SHOWN ? <p class="muted small">and {count(total - MOST_SHOWN)} more</p> : null
}
