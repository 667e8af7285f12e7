/** A replay's report: the totals, and what of it asks for something to be done before what does not. */
import type { ComponentChildren } from 'preact'
import type { Replay } from '../../api/types'
import { count, plural } from '../../parts/number'
import { StatusMark } from '../../parts/status'
import { Candidates } from './candidates'
import { AmbiguousWindows, ColdStarts, Incomplete } from './gaps'
import type { Replayed } from './replay'
import type { ReplayForm } from './request'
import { StaleCoordinates } from './stale'
import { ZeroFlips } from './zero-flips'

interface Props {
  readonly replayed: Replayed
  readonly form: ReplayForm
  readonly onChanged: () => void
}

export function Report({ replayed, form, onChanged }: Props) {
  const { report } = replayed
  return (
    <div class="report">
      <Totals report={report} />
      <Section
        title="Stale coordinates"
        total={report.stale_coordinates_total}
        says="The last three comparisons fail on the same side: the level has moved and the baseline has not. Revoking its trusted runs lets the history begin anew."
        none="No baseline lags behind its values."
      >
        <StaleCoordinates replayed={replayed} onChanged={onChanged} />
      </Section>
      <Section
        title="Zero-flip coordinates"
        total={report.zero_flip_coordinates_total}
        says="Exact zeros among other values. The remedy is a wider band, an absolute floor mostly; revoking does not help."
        none="No failing coordinate mixes exact zeros with other values."
      >
        <ZeroFlips replayed={replayed} form={form} />
      </Section>
      <Section
        title="Trusted inconsistencies"
        total={report.trusted_inconsistencies_total}
        says="Values that fail although their run is trusted: the rule became tighter, or a bad run was believed."
        none="Every trusted value fits what was trusted before it."
      >
        <Candidates id="trusted" label="Trusted inconsistencies" items={report.trusted_inconsistencies} />
      </Section>
      <Section
        title="Untrusted regressions"
        total={report.untrusted_regressions_total}
        says="Values that fail and whose run is untrusted: what the gate caught. They ask for nothing."
        none="No untrusted value fails."
      >
        <Candidates id="untrusted" label="Untrusted regressions" items={report.untrusted_regressions} />
      </Section>
      <Section
        title="Incomplete coverage"
        total={report.counts.incomplete}
        says="Runs that lack a declared metric, or steps that were required of it."
        none="Every run holds what is declared."
      >
        <Incomplete items={report.incomplete} />
      </Section>
      <Section
        title="Cold starts"
        total={report.declarations_without_eligible_comparisons_total}
        says={`Declarations that were never enforceable in this time. ${plural(report.counts.cold_starts, 'value')} in all had nothing before them.`}
        none={`Every declaration was enforceable at least once. ${plural(report.counts.cold_starts, 'value')} in all had nothing before them.`}
      >
        <ColdStarts items={report.declarations_without_eligible_comparisons} />
      </Section>
      {report.counts.ambiguous_window > 0 && (
        <Section
          title="Ambiguous windows"
          total={report.counts.ambiguous_window}
          says="Their window would end within values of one time, so what came before is not known. They count as incomplete."
          none=""
        >
          <AmbiguousWindows items={report.ambiguous_windows} />
        </Section>
      )}
    </div>
  )
}

function Totals({ report: { snapshot, counts, outcome } }: { report: Replay }) {
  const figures: ReadonlyArray<readonly [name: string, value: number]> = [
    ['Comparisons', counts.comparisons],
    ['Passes', counts.passes],
    ['Failures', counts.failures],
    ['Enforceable', counts.enforcement_eligible],
    ['Too little history', counts.insufficient_history],
    ['Cold starts', counts.cold_starts],
    ['Ambiguous windows', counts.ambiguous_window],
    ['Incomplete', counts.incomplete],
  ]
  return (
    <section class="panel totals" aria-label="Totals">
      <p class="totals-head" role="status">
        <StatusMark status={outcome} />
        <span>
          {plural(snapshot.runs, 'run')} with {plural(snapshot.values, 'value')} of{' '}
          {plural(snapshot.series, 'series', 'series')}, by{' '}
          {snapshot.declarations === 'given'
            ? 'the bands that are tried'
            : 'the declarations of the newest runs'}
        </span>
        <span class="muted small">
          window {snapshot.window}, enforced from {snapshot.minimum} trusted values
        </span>
      </p>
      <dl>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{count(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

interface SectionProps {
  readonly title: string
  readonly total: number
  readonly says: string
  readonly none: string
  readonly children: ComponentChildren
}

function Section({ title, total, says, none, children }: SectionProps) {
  return (
    <section class="section">
      <div class="section-head">
        <h2>
          {title} <span class="muted">{count(total)}</span>
        </h2>
        <span class="muted small">{total === 0 ? none : says}</span>
      </div>
      {total > 0 && children}
    </section>
  )
}
