/** Ladders by name: what is live on each, and who climbs. */
import { get } from '../../api/client'
import type { Ladder, Page } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { ladderHref } from '../../hrefs'
import { Name } from '../../parts/name'
import { plural } from '../../parts/number'
import { PageHead } from '../../parts/page-head'
import { Pager } from '../../parts/pager'
import { Empty, Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import { useLocation } from '../../router'
import { isEnd, RungMark } from './rungs'
import { ShareBar } from './share-bar'
import './ladders.css'

const PER_PAGE = 24
const EVERY_MS = 60_000
const MOST_CHALLENGERS = 4

export function LaddersView() {
  const { query } = useLocation()
  const cursor = query.get('cursor')
  const page = useResource(
    `ladders ${cursor}`,
    (signal) => get<Page<Ladder>>('/v1/ladders', { query: { limit: PER_PAGE, cursor }, signal }),
    { everyMs: EVERY_MS },
  )
  return (
    <>
      <PageHead
        title="Ladders"
        below="Which version is live, who climbs to replace it, and on what evidence"
      />
      <Loaded of={page} what="ladders" rows={8}>
        {({ items, next_cursor: next }) =>
          items.length === 0 ? (
            <div class="panel">
              <Empty title={cursor === null ? 'There is no ladder yet.' : 'There are no further ones.'}>
                <code>POST /v1/ladders</code> makes one for a prompt, a model or an agent’s configuration that
                is to be replaced by better ones.
              </Empty>
            </div>
          ) : (
            <>
              <ul class="ladder-cards">
                {items.map((ladder) => (
                  <Card key={ladder.ladder} ladder={ladder} />
                ))}
              </ul>
              <Pager path="/ladders" query={query} next={next} first="First" further="Further" />
            </>
          )
        }
      </Loaded>
    </>
  )
}

function Card({ ladder }: { ladder: Ladder }) {
  const { ladder: name, live, mode, variants } = ladder
  const climbing = variants.filter(({ rung }) => rung !== 'current' && !isEnd(rung))
  return (
    <li class="panel ladder-card">
      <h2>
        <a href={ladderHref(name)}>
          <Name text={name} mono={false} />
        </a>
        <span class="muted small">{mode}</span>
      </h2>
      <p class="ladder-live">
        <RungMark rung="current" /> <Name text={live.version} />
        <span class="muted small">
          generation {live.generation}, <Time iso={live.since} />
        </span>
      </p>
      <ShareBar ladder={ladder} />
      {climbing.length === 0 ? (
        <p class="muted">Nobody climbs.</p>
      ) : (
        <ul class="ladder-climbing">
          {climbing.slice(0, MOST_CHALLENGERS).map(({ version, rung, ramp_step: step }) => (
            <li key={version}>
              <RungMark rung={rung} step={step} quiet />
              <a href={ladderHref(name, version)}>
                <Name text={version} />
              </a>
            </li>
          ))}
          {climbing.length > MOST_CHALLENGERS && (
            <li class="muted">and {plural(climbing.length - MOST_CHALLENGERS, 'further one')}</li>
          )}
        </ul>
      )}
    </li>
  )
}
