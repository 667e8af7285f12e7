import { setTimeout as sleep } from 'node:timers/promises'
import { uuidv7 } from 'uuidv7'
import { askedBy } from './asked-by.js'
import { assertMayTouch } from './confinement.js'
import { mayDo } from '../auth/principal.js'
import { toJson } from '../documents/json.js'
import type { VerdictDocument } from '../documents/verdict.js'
import { GatehouseError } from '../errors.js'
import type { Verdict } from '../gate/verdict.js'
import { writesHistory } from '../policy/cadence.js'
import { StoreUnavailable } from '../store/errors.js'
import type { HistoryWriter } from '../store/store.js'
import type { NewVerdict, SubmissionKey } from '../store/verdicts.js'
import { contentHash } from './content-hash.js'
import type { Gatehouse } from './gatehouse.js'
import { inSlices } from './in-slices.js'
import { judgeRun, prepareSubmission, type ReadySubmission } from './judge-run.js'
import { evaluateWatching } from './ladders/evaluate.js'
import { declarationDocument } from './read-declarations.js'
import { keyOf, repeatedVerdict } from './submission-key.js'
import type { Caller, Submission } from './submission.js'
import { checkPieces, documentOf, verdictDocument } from './verdict-document.js'

export interface SubmitOptions {
  /** Judge and store nothing at all. */
  readonly dryRun: boolean
  /** The client's own key; without one a submission with a GitHub run id has its natural one. */
  readonly idempotencyKey: string | null
}

export interface Submitted {
  readonly verdict: VerdictDocument
  /** The checks of the verdict as JSON text, where it was just made. */
  readonly pieces?: NewVerdict['checks']
  /** Whether the submission (this one, or the one it repeats) wrote a run. */
  readonly written: boolean
  /** Whether this is the verdict of an earlier submission with the same key and content. */
  readonly replayed: boolean
}

const JUDGE_PATIENCE_MS = 2_000

const NO_KEY_WARNING = {
  metricKey: null,
  message:
    'This run was stored without an Idempotency-Key or a github_run_id: sent again after a lost answer, it would count twice.',
  missingSteps: null,
}

/**
 * Judges a run and, unless it is a dry run, keeps the verdict; a nightly or weekly run is stored with the trust that
 * it earned.
 * @throws GatehouseError invalid_input, forbidden, idempotency_conflict; unavailable, carrying the checks where the
 *   judgement was made and could not be kept
 */
export async function submitRun(
  gatehouse: Gatehouse,
  caller: Caller,
  submission: Submission,
  options: SubmitOptions,
): Promise<Submitted> {
  assertMayTouch(caller.principal, submission.series.testPath)
  const ready = await prepareSubmission(gatehouse, submission)
  if (options.dryRun) return dryRun(gatehouse, ready)
  const asksToWrite = writesHistory(ready.cadence)
  if (asksToWrite && !mayDo(caller.principal, 'baselines:write')) {
    throw new GatehouseError(
      'forbidden',
      `a ${ready.cadence} run writes history, which needs the scope baselines:write; submit it with cadence=regular to have it judged only`,
    )
  }
  // A test that declares no gate has nothing to put into history, whatever its cadence.
  const writesRun = asksToWrite && ready.declarations.length > 0
  const key = keyOf(submission, caller.principal.owner, options.idempotencyKey)
  return keep(gatehouse, caller, ready, { key, writesRun })
}

async function dryRun(gatehouse: Gatehouse, ready: ReadySubmission): Promise<Submitted> {
  const { createdAt, verdict } = await gatehouse.store.read(
    (reader) => judgeRun(reader, ready, gatehouse.settings),
    { single: 'mostly' },
  )
  const facts = { ...ready.submission, cadence: ready.cadence, verdictId: null, runId: null, createdAt }
  return { verdict: await inSlices(verdictDocument(facts, verdict)), written: false, replayed: false }
}

interface Keeping {
  readonly key: SubmissionKey | null
  readonly writesRun: boolean
}

async function keep(
  gatehouse: Gatehouse,
  caller: Caller,
  ready: ReadySubmission,
  keeping: Keeping,
): Promise<Submitted> {
  const { submission, cadence } = ready
  const content = {
    ...submission,
    cadence,
    declarations: ready.declarations,
    recordDigest: ready.recordDigest,
  }
  const hash = keeping.key === null ? '' : contentHash(content)
  const verdictId = uuidv7()
  const runId = keeping.writesRun ? uuidv7() : null
  let judged: VerdictDocument | null = null
  let watching: readonly string[] = []

  const work = async (writer: HistoryWriter, attempt: number): Promise<Submitted> => {
    // A retry may follow a commit whose answer was lost: then its own verdict is there.
    const own = attempt > 1 ? await writer.findVerdict(verdictId) : null
    if (own) return { verdict: documentOf(own), written: keeping.writesRun, replayed: false }
    if (keeping.key) {
      const first = await repeatedVerdict(writer, keeping.key, hash)
      if (first) return { verdict: first, written: first.run_id !== null, replayed: true }
    }
    const { createdAt, verdict: judgement } = await judgeRun(writer, ready, gatehouse.settings)
    const verdict = withKeyWarning(judgement, keeping)
    const facts = { ...submission, cadence, verdictId, runId, createdAt }
    judged = await inSlices(verdictDocument(facts, verdict))
    const { series, provenance } = submission
    const { trusted } = verdict
    const { checks, ...head } = judged
    const pieces = await inSlices(checkPieces(checks))
    // None rests on another: a database that is far away has them all at once.
    await allDone([
      writer.writeVerdict({
        verdictId,
        createdAt,
        series,
        provenance,
        cadence,
        runId,
        trusted,
        outcome: verdict.outcome,
        failingCi: judged.counts.failing_ci,
        actor: caller.principal.actor,
        document: toJson(head),
        checks: pieces,
        declarations: JSON.stringify(ready.declarations.map(declarationDocument)),
        evidence: verdict.evidence,
      }),
      ...(runId === null
        ? []
        : [
            writer.writeRun({ runId, series, provenance, createdAt, trusted, values: storedValues(verdict) }),
            writer.laddersWatching([series]).then((names) => (watching = names)),
          ]),
    ])
    if (keeping.key) {
      await writer.writeSubmissionKey(keeping.key, {
        verdictId,
        contentHash: hash,
        createdAt,
        wroteRun: keeping.writesRun,
      })
    }
    return { verdict: judged, pieces, written: keeping.writesRun, replayed: false }
  }

  try {
    const submitted = await gatehouse.store.write(work)
    if (submitted.replayed) return submitted
    logSubmission(gatehouse, caller, submitted.verdict)
    if (watching.length > 0) await evaluateWatching(gatehouse, caller, () => Promise.resolve(watching))
    return submitted
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    throw await unkept(gatehouse, ready, judged, error)
  }
}

/**
 * Throws what failed first (the others may have failed of that), but not before all are over: none may still write when
 * the transaction ends.
 */
async function allDone(works: ReadonlyArray<Promise<unknown>>): Promise<void> {
  const done = Promise.all(works)
  await Promise.allSettled([done, ...works])
  await done
}

function withKeyWarning(verdict: Verdict, { key, writesRun }: Keeping): Verdict {
  return writesRun && key === null ? { ...verdict, warnings: [...verdict.warnings, NO_KEY_WARNING] } : verdict
}

/** One stored value a selected coordinate, whatever its rule; selection lets only finite ones through. */
function storedValues(verdict: Verdict) {
  return verdict.checks.flatMap(({ declaration, selected }) =>
    selected === null
      ? []
      : [
          {
            metricKey: declaration.metricKey,
            step: selected.step,
            value: selected.value,
            stepsKey: declaration.stepsKey,
            constraintKey: declaration.constraintKey,
          },
        ],
  )
}

/** A judgement that could not be kept is told with the refusal, so that it is not lost: judged on a read where the write never began. */
async function unkept(
  gatehouse: Gatehouse,
  ready: ReadySubmission,
  judged: VerdictDocument | null,
  cause: StoreUnavailable,
): Promise<GatehouseError> {
  const verdict = judged ?? (await withinPatience(dryRun(gatehouse, ready)))?.verdict
  const told = verdict && { outcome: verdict.outcome, trusted: verdict.trusted, checks: verdict.checks }
  return new GatehouseError(
    'unavailable',
    `the store cannot keep the run now (${cause.reason}); send it again: under its key it counts once`,
    [],
    told ?? {},
    { cause },
  )
}

/** The write has waited its whole bound already: what a read does not give soon is not given. */
function withinPatience<T>(work: Promise<T>): Promise<T | null> {
  const settled = work.catch(() => null)
  return Promise.race([settled, sleep(JUDGE_PATIENCE_MS, null, { ref: false })])
}

function logSubmission({ log }: Gatehouse, { principal, requestId }: Caller, verdict: VerdictDocument): void {
  log.info(
    {
      ...askedBy({ principal, requestId }),
      verdict_id: verdict.verdict_id,
      run_id: verdict.run_id,
      series: verdict.series,
      outcome: verdict.outcome,
      trusted: verdict.trusted,
    },
    verdict.run_id === null ? 'run judged' : 'run stored',
  )
}
