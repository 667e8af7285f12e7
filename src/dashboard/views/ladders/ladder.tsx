/** A ladder: its rungs with who stands on them, one variant's test, strengths, and everything that was decided. */
import { get } from '../../api/client'
import type { Ladder } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { Name } from '../../parts/name'
import { short } from '../../parts/number'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import { useLocation } from '../../router'
import type { ViewProps } from '../../view-props'
import { Log } from './log'
import { Rungs } from './rung-columns'
import { isEnd, RungMark } from './rungs'
import { Strengths } from './strengths'
import { VariantPart } from './variant'
import './ladders.css'

const EVERY_MS = 30_000

export function LadderView({ params }: ViewProps) {
  const name = params.get('ladder') ?? ''
  const { query } = useLocation()
  const ladder = useResource(
    `ladder ${name}`,
    (signal) => get<Ladder>(`/v1/ladders/${encodeURIComponent(name)}`, { signal }),
    { everyMs: EVERY_MS },
  )
  const { data } = ladder
  return (
    <>
      <PageHead
        title={`Ladder ${name}`}
        heading={<Name text={name} mono={false} />}
        above={<a href="/ladders">Ladders</a>}
        {...(data && {
          below: (
            <>
              <span class="ladder-live">
                <RungMark rung="current" /> <Name text={data.live.version} />
              </span>
              <span>
                generation {data.live.generation}, since <Time iso={data.live.since} />
              </span>
              <span>
                {data.mode}, {testWords(data.test)}
              </span>
            </>
          ),
        })}
      />
      <Loaded of={ladder} what="ladder" rows={10}>
        {(loaded) => {
          const chosen = query.get('variant') ?? chosenOf(loaded)
          return (
            <>
              <Rungs ladder={loaded} chosen={chosen} />
              <VariantPart key={chosen} ladder={loaded} version={chosen} />
              <Strengths ladder={loaded} />
              <Log ladder={loaded} query={query} />
            </>
          )
        }}
      </Loaded>
    </>
  )
}

function testWords({ kind, alpha, beta, min_effect: effect, p1 }: Ladder['test']): string {
  const against = kind === 'mixture' ? `effect from ${short(effect)}` : `against ${short(p1)}`
  return `${kind} test with α ${short(alpha)}, β ${short(beta)}, ${against}`
}

/** Who is nearest to being live; where nobody climbs, who was decided last. */
function chosenOf({ variants, live, mode }: Ladder): string {
  const order = mode === 'pairwise' ? ['trial', 'shadow'] : ['ramp', 'canary', 'shadow']
  for (const rung of order) {
    const found = variants.find((variant) => variant.rung === rung)
    if (found) return found.version
  }
  const ended = variants.filter(({ rung }) => isEnd(rung) && rung !== 'superseded')
  const last = ended.reduce<(typeof ended)[number] | null>(
    (latest, variant) => (latest === null || variant.since > latest.since ? variant : latest),
    null,
  )
  return last === null || last.since < live.since ? live.version : last.version
}
