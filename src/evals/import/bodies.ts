import { accepted, type Fault, type Outcome } from '../../gate/outcome.js'
import { decimalMean } from '../decimals.js'
import type { Model } from '../eval-run.js'
import { compareModels } from '../identity.js'
import { named, type EvalLog, type Harness, type LogRow } from './eval-log.js'

/** The body of `POST /v1/evals/grids`. */
export interface GridBody {
  readonly name: string
  readonly plan: {
    readonly tasks: readonly string[]
    readonly harnesses: readonly string[]
    readonly repeats: number
    readonly dry_run: false
  }
  readonly results: ReadonlyArray<{
    readonly task: string
    readonly harness: string
    readonly repeat: number
    readonly reward: number | null
    readonly error: string | null
  }>
}

/** The body of `PUT /v1/evals/runs/{name}`. */
export interface RunBody {
  readonly answer_model: Model
  readonly judge: { readonly kind: 'single' } & Model
  readonly questions: ReadonlyArray<{
    readonly question_id: string
    readonly context_score: number | null
    readonly baseline_score: number | null
    readonly errored: boolean
    readonly votes: null
  }>
}

/** What a crash leaves in a message, and no text may hold: one such message would have the whole grid refused. */
const NOT_KEPT = /[\0\p{Cs}]/gu

/** A log as a grid: a question is a task, what was run against is a harness, and an epoch is a repeat. */
export function gridBody(name: string, { harnesses, questions, repeats, rows }: EvalLog): GridBody {
  return {
    name,
    plan: { tasks: questions, harnesses: harnesses.map((one) => one.name), repeats, dry_run: false },
    results: rows.map(({ question, harness, repeat, score, error }) => ({
      task: question,
      harness,
      repeat,
      reward: score,
      error: error && error.replace(NOT_KEPT, '\ufffd'),
    })),
  }
}

const NOT_RECORDED: Model = { provider: null, model: null }

/** One harness of a log; which one may be left out where there is no other. */
export interface Side {
  readonly log: EvalLog
  readonly harness: string | null
}

export interface RunParts {
  /** The log of the run with the context under test. */
  readonly context: Side
  /**
   * That of the run without it (of promptfoo perhaps another harness of the same file), or one score for every question:
   * with 0 the lift is the score with the context. It is never assumed: a score that nobody measured is somebody's word.
   */
  readonly baseline: Side | number | null
  /** Names the judge where the log does not; null takes what the log says. */
  readonly judge: Model | null
}

/**
 * Two logs as one eval run. A question that was repeated has the mean of its repeats, if every planned one has a score;
 * one error makes it errored. A question that was planned and not answered stands there without a score. A model or
 * judge that one of the logs does not name is not recorded.
 */
export function runBody({ context, baseline, judge }: RunParts): Outcome<RunBody> {
  const faults: Fault[] = []
  const take = (side: Side, where: string): Harness | null => {
    const { harnesses } = side.log
    const found = side.harness === null ? harnesses : harnesses.filter(({ name }) => name === side.harness)
    if (found.length === 1) return found[0]!
    const held = named(harnesses.map(({ name }) => name))
    const message =
      side.harness === null ? `holds more than one harness, name one of ${held}` : `is none of ${held}`
    faults.push({ where, message })
    return null
  }
  const withContext = take(context, 'harness')
  const without =
    baseline === null || typeof baseline === 'number' ? null : take(baseline, 'baseline harness')
  let answeredBy = withContext?.model ?? NOT_RECORDED
  let judgedBy = judge ?? context.log.judge
  if (baseline === null) {
    const message =
      'is missing: give the log of the run without the context, or one score for every question (0 for none)'
    faults.push({ where: 'baseline', message })
  } else if (typeof baseline === 'number') {
    if (!Number.isFinite(baseline)) faults.push({ where: 'baseline', message: 'must be a finite score' })
  } else if (without !== null) {
    const answer = compareModels(answeredBy, without.model)
    if (answer === 'not_recorded') answeredBy = NOT_RECORDED
    if (answer === 'different')
      faults.push({ where: 'baseline', message: 'was answered by another model, so its scores make no lift' })
    const judges = judge === null ? compareModels(context.log.judge, baseline.log.judge) : 'same'
    if (judges === 'not_recorded') judgedBy = NOT_RECORDED
    if (judges === 'different')
      faults.push({ where: 'baseline', message: 'was judged by another judge, so its scores make no lift' })
  }
  if (faults.length > 0 || withContext === null || baseline === null) return { ok: false, faults }
  const scores = scoresOf(context.log, withContext.name)
  const others =
    typeof baseline === 'number' || without === null ? null : scoresOf(baseline.log, without.name)
  const ids = new Set([...scores.keys(), ...(others?.keys() ?? [])])
  return accepted({
    answer_model: answeredBy,
    judge: { kind: 'single', ...judgedBy },
    questions: [...ids].map((id) => {
      const one = scores.get(id) ?? NOTHING
      const other =
        others === null ? { score: baseline as number, errored: false } : (others.get(id) ?? NOTHING)
      return {
        question_id: id,
        context_score: one.score,
        baseline_score: other.score,
        errored: one.errored || other.errored,
        votes: null,
      }
    }),
  })
}

interface QuestionScore {
  readonly score: number | null
  readonly errored: boolean
}

const NOTHING: QuestionScore = { score: null, errored: false }

function scoresOf(log: EvalLog, harness: string): Map<string, QuestionScore> {
  const rows = new Map<string, LogRow[]>(log.questions.map((question) => [question, []]))
  for (const row of log.rows) if (row.harness === harness) rows.get(row.question)?.push(row)
  return new Map(
    [...rows].map(([question, repeats]) => {
      const scores = repeats.flatMap(({ score }) => (score === null ? [] : [score]))
      const distinct = new Set(repeats.map(({ repeat }) => repeat))
      const isWhole = [scores.length, repeats.length, distinct.size].every((count) => count === log.repeats)
      const errored = repeats.some(({ error }) => error !== null)
      return [question, { score: isWhole ? decimalMean(scores) : null, errored }]
    }),
  )
}
