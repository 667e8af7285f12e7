/** The result of a comparison, and of one of its gates, as icon and word. */
import type { ComparisonHead, Gate } from '../../api/types'
import { type Status, StatusMark } from '../../parts/status'

const RESULTS: Readonly<Record<ComparisonHead['result'], Status>> = {
  pass: 'pass',
  regression: 'fail',
  inconclusive: 'undecided',
  incomparable: 'error',
  report: 'inactive',
}
const RESULT_WORDS: Readonly<Record<ComparisonHead['result'], string>> = {
  pass: 'passed',
  regression: 'regression',
  inconclusive: 'inconclusive',
  incomparable: 'incomparable',
  report: 'report only',
}

export function ResultMark({ result }: { result: ComparisonHead['result'] }) {
  return <StatusMark status={RESULTS[result]} word={RESULT_WORDS[result]} />
}

export function GateMark({ status }: { status: Gate['status'] }) {
  if (status === null) return <StatusMark status="inactive" word="not judged" />
  if (status === 'pass') return <StatusMark status="pass" />
  return status === 'regression' ? (
    <StatusMark status="fail" word="regression" />
  ) : (
    <StatusMark status="undecided" word="undecided" />
  )
}

export const GATE_WORDS: Readonly<Record<Gate['gate'], string>> = {
  max_context_drop: 'Score with the context',
  max_lift_drop: 'Lift by the context',
}
