/** Who has what part of the traffic, as one bar; the live version is filled, challengers are hatched. */
import { useId, useRef } from 'preact/hooks'
import type { Ladder } from '../../api/types'
import { useWidth } from '../../hooks/use-width'
import { percent } from './rungs'

const HEIGHT = 12
const GAP = 2

export function ShareBar({ ladder: { shares, live } }: { ladder: Ladder }) {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const hatch = useId()
  let left = 0
  return (
    <div ref={place} class="shares">
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          role="img"
          aria-label={`Traffic: ${shares.map(({ version, share }) => `${version} ${percent(share)}`).join(', ')}`}
        >
          <defs>
            <pattern
              id={hatch}
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect class="share-hatch-ground" width="6" height="6" />
              <rect class="share-hatch" width="2.5" height="6" />
            </pattern>
          </defs>
          {shares.map(({ version, share }) => {
            const from = left
            left += share * width
            return (
              <rect
                key={version}
                {...(version === live.version ? { class: 'share-live' } : { fill: `url(#${hatch})` })}
                x={from}
                width={Math.max(1, left - from - (left < width - 1 ? GAP : 0))}
                height={HEIGHT}
                rx={3}
              />
            )
          })}
        </svg>
      )}
    </div>
  )
}
