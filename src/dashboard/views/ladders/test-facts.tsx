/** How a test stands, in words and figures beside its drawing. */
import type { LadderTest } from '../../api/types'
import { Name } from '../../parts/name'
import { count } from '../../parts/number'
import { StatusMark } from '../../parts/status'
import { logText } from './evidence'

export function TestFacts({ test }: { test: LadderTest }) {
  const { against, generation, wins, losses, ties, errors, kind } = test
  return (
    <dl class="test-facts">
      <div>
        <dt>Decision</dt>
        <dd>
          <DecisionMark test={test} />
        </dd>
      </div>
      <div>
        <dt>Against</dt>
        <dd>
          <Name text={against} /> <span class="muted small">generation {generation}</span>
        </dd>
      </div>
      <div>
        <dt>Comparisons</dt>
        <dd>
          {count(wins)} won, {count(losses)} lost
          <span class="muted small">
            {' '}
            {count(ties)} tied, {count(errors)} errors
          </span>
        </dd>
      </div>
      <div>
        <dt>
          <Swatch kind="for" /> Evidence for it
        </dt>
        <dd>
          {logText(test.statistic)} <span class="muted small">accepts at {logText(test.accept_at)}</span>
        </dd>
      </div>
      <div>
        <dt>
          {kind === 'mixture' ? (
            <>
              <Swatch kind="against" /> Evidence against it
            </>
          ) : (
            'Gives it up at'
          )}
        </dt>
        <dd>
          {test.futility_statistic === null ? (
            logText(test.reject_at)
          ) : (
            <>
              {logText(test.futility_statistic)}{' '}
              <span class="muted small">rejects at {logText(test.reject_at)}</span>
            </>
          )}
        </dd>
      </div>
    </dl>
  )
}

/** How its line is drawn. */
function Swatch({ kind }: { kind: 'for' | 'against' }) {
  return (
    <svg class="swatch" width="24" height="8" viewBox="0 0 24 8" aria-hidden="true">
      <path class={`trajectory-${kind}`} d="M0 4H24" />
    </svg>
  )
}

export function DecisionMark({ test: { decision, decided_at: at } }: { test: LadderTest }) {
  if (decision === 'continue') return <StatusMark status="undecided" word="goes on" />
  const word = `${decision === 'accept' ? 'accepted' : 'rejected'}${at === null ? '' : ` after ${count(at)}`}`
  return <StatusMark status={decision === 'accept' ? 'pass' : 'fail'} word={word} />
}
