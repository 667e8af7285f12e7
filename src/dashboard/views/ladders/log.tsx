/** What was decided on a ladder, newest first: every change of a rung, or every entry that was refused. */
import { visibleText } from '../../../charts/visible-text'
import { get } from '../../api/client'
import type { Ladder, LoggedCheck, Page, Predicate, Transition } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { ladderHref } from '../../hrefs'
import { Icon } from '../../parts/icon'
import { Name } from '../../parts/name'
import { plural } from '../../parts/number'
import { Pager } from '../../parts/pager'
import { Empty, Loaded } from '../../parts/states'
import { StatusMark } from '../../parts/status'
import { Time } from '../../parts/time'
import { setQuery } from '../../router'
import { Predicates } from './predicates'
import { percent, RungMark } from './rungs'

const PER_PAGE = 20

const KINDS = [
  ['transitions', 'Transitions'],
  ['evaluations', 'Did not pass'],
] as const

export function Log({ ladder, query }: { ladder: Ladder; query: URLSearchParams }) {
  const kind = query.get('log') === 'evaluations' ? 'evaluations' : 'transitions'
  const only = query.get('only')
  const cursor = query.get('cursor')
  const path = `/v1/ladders/${encodeURIComponent(ladder.ladder)}/${kind}`
  const page = useResource<Page<Transition | LoggedCheck>>(
    `${path} ${only} ${cursor} ${ladder.live.generation} ${ladder.variants.map(({ since }) => since).join(' ')}`,
    (signal) => get(path, { query: { variant: only, cursor, limit: PER_PAGE }, signal }),
  )
  return (
    <section class="section" aria-labelledby="log">
      <div class="section-head">
        <h2 id="log">Decisions</h2>
        <span class="muted small">newest first, each with what decided it</span>
      </div>
      <div class="toolbar log-tools">
        <div class="segmented" role="group" aria-label="Kind of decision">
          {KINDS.map(([name, word]) => (
            <button
              key={name}
              type="button"
              aria-pressed={kind === name}
              onClick={() => setQuery({ log: name === 'transitions' ? null : name, cursor: null })}
            >
              {word}
            </button>
          ))}
        </div>
        <select
          class="select"
          aria-label="Variant"
          value={only ?? ''}
          onChange={(event) => setQuery({ only: event.currentTarget.value, cursor: null })}
        >
          <option value="">every variant</option>
          {ladder.variants.map(({ version }) => (
            <option key={version} value={version}>
              {visibleText(version)}
            </option>
          ))}
        </select>
      </div>
      <Loaded of={page} what="decisions" rows={6}>
        {({ items, next_cursor: next }) =>
          items.length === 0 ? (
            <div class="panel">
              <Empty
                title={
                  kind === 'transitions' ? 'Nothing moved yet.' : 'Every entry that was evaluated passed.'
                }
              />
            </div>
          ) : (
            <>
              <ol class="log">
                {items.map((item) => (
                  <li key={item.sequence} class="panel log-item">
                    {'to' in item ? (
                      <Moved transition={item} ladder={ladder} />
                    ) : (
                      <Refused check={item} ladder={ladder} />
                    )}
                  </li>
                ))}
              </ol>
              <Pager path={ladderHref(ladder.ladder)} query={query} next={next} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function Moved({ transition, ladder }: { transition: Transition; ladder: Ladder }) {
  const { variant, from, to, share, cause, predicates, actor, reason, at, live } = transition
  return (
    <>
      <div class="log-head">
        <a href={ladderHref(ladder.ladder, variant)}>
          <Name text={variant} />
        </a>
        <span class="log-move">
          <RungMark rung={from} quiet />
          <Icon name="right" size={12} />
          <span class="visually-hidden">to</span>
          <RungMark rung={to} />
        </span>
        <span>{cause.replaceAll('_', ' ')}</span>
        {share > 0 && <span class="muted">gets {percent(share)}</span>}
        <span class="muted small log-when">
          <Time iso={at} />
        </span>
      </div>
      <p class="muted small">
        by {actor === 'rules' ? 'the rules' : <Name text={actor} mono={false} />}; live then:{' '}
        <Name text={live.version} />, generation {live.generation}
      </p>
      {reason !== null && (
        <p class="log-reason">
          <bdi dir="auto">{reason}</bdi>
        </p>
      )}
      <Decided predicates={predicates} />
    </>
  )
}

function Refused({ check, ladder }: { check: LoggedCheck; ladder: Ladder }) {
  const { variant, rung, ramp_step: step, predicates, created_at: at } = check
  return (
    <>
      <div class="log-head">
        <a href={ladderHref(ladder.ladder, variant)}>
          <Name text={variant} />
        </a>
        <span class="log-move">
          <StatusMark status="fail" word="not let onto" quiet />
          <RungMark rung={rung} step={step} />
        </span>
        <span class="muted small log-when">
          <Time iso={at} />
        </span>
      </div>
      <Decided predicates={predicates} />
    </>
  )
}

/** What failed is seen at once; the rest is a click away. */
function Decided({ predicates }: { predicates: readonly Predicate[] }) {
  const failed = predicates.filter(({ passed }) => !passed)
  const held = predicates.filter(({ passed }) => passed)
  return (
    <>
      {failed.length > 0 && <Predicates predicates={failed} />}
      {held.length > 0 && (
        <details class="held">
          <summary>{plural(held.length, 'predicate')} held</summary>
          <Predicates predicates={held} />
        </details>
      )}
    </>
  )
}
