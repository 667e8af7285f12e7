/** What a verdict reads: by the copies of the history where they reach, by its rows where not. */
import type { Baseline, Series } from '../../gate/run.js'
import type { GateHistory, GateQuestion } from '../baselines.js'
import { answerFromCopies } from '../gate-history.js'
import type { Database, Dialect } from './dialect.js'

/** At most three queries, and one as long as every run has its copy and every metric its usual steps. */
export async function readGateHistory(
  db: Database,
  dialect: Dialect,
  series: Series,
  question: GateQuestion,
): Promise<GateHistory> {
  const { coordinates, limit } = question
  const metricKeys = [...new Set([...coordinates.map(({ metricKey }) => metricKey), ...question.stepsOf])]
  if (metricKeys.length === 0) return { now: await dialect.now(db), baselines: [], trustedSteps: new Map() }
  const { now, copied, loose } = await dialect.readCopies(db, series, metricKeys, limit)
  if (loose === null) {
    const baselines =
      coordinates.length === 0 ? [] : await dialect.recentTrustedValues(db, series, coordinates, limit)
    const trustedSteps =
      question.stepsOf.length === 0
        ? new Map<string, number[]>()
        : await dialect.newestTrustedSteps(db, series, question.stepsOf)
    return { now, baselines, trustedSteps }
  }
  const answer = answerFromCopies(question, copied, loose)
  const { trustedSteps, stepsFromRows } = answer
  if (stepsFromRows.length > 0) {
    const found = await dialect.newestTrustedSteps(db, series, stepsFromRows)
    for (const [metricKey, steps] of found) trustedSteps.set(metricKey, steps)
  }
  return { now, baselines: await filledByRows(db, dialect, series, question, answer.baselines), trustedSteps }
}

async function filledByRows(
  db: Database,
  dialect: Dialect,
  series: Series,
  { coordinates, limit }: GateQuestion,
  baselines: ReadonlyArray<Baseline | null>,
): Promise<Baseline[]> {
  const short = coordinates.filter((_coordinate, index) => baselines[index] === null)
  const filled = short.length === 0 ? [] : await dialect.recentTrustedValues(db, series, short, limit)
  let next = 0
  return baselines.map((baseline) => baseline ?? filled[next++]!)
}
