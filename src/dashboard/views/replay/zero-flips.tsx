/** Failing coordinates whose values mix exact zeros with others; each leads to a try with a floor. */
import { plural } from '../../parts/number'
import { StatusMark } from '../../parts/status'
import { CoordinateChart, coordinateKey } from './coordinate-chart'
import type { Replayed } from './replay'
import { replayHref, type ReplayForm } from './request'
import { CoordinateName } from './places'
import { ShowMore, useSome } from './show-more'

export function ZeroFlips({ replayed: { report, revoked }, form }: { replayed: Replayed; form: ReplayForm }) {
  const some = useSome(report.zero_flip_coordinates)
  return (
    <>
      <ul class="coordinates">
        {some.shown.map((flip) => {
          const { series, metric_key: metric, zeros, non_zeros: others, failures, ambiguous } = flip
          return (
            <li key={coordinateKey(flip)} class="panel coordinate">
              <div class="coordinate-head">
                <CoordinateName of={flip} />
                <p>
                  {plural(zeros, 'exact zero')} among {plural(zeros + others, 'value')};{' '}
                  <StatusMark status="fail" word={`${plural(failures, 'comparison')} failed`} quiet />
                </p>
                {ambiguous && (
                  <p>
                    <StatusMark status="undecided" word="stale as well" quiet />
                  </p>
                )}
                <p>
                  <a class="button" href={replayHref({ ...form, ...series, metric }, { isRun: false })}>
                    Try a wider band
                  </a>
                </p>
              </div>
              <CoordinateChart of={flip} revoked={revoked} />
            </li>
          )
        })}
      </ul>
      <ShowMore of={some} total={report.zero_flip_coordinates_total} />
    </>
  )
}
