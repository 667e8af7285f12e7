/**
 * The write boundary: what the databases cannot both hold is refused before either is touched, even where a bug above
 * let it through. These are broken promises of the caller, not faults of a client: those are told apart earlier.
 */
import type { Provenance, Series, Timestamp } from '../gate/run.js'
import type { NewSession, NewToken, TokenRevocation } from './credentials.js'
import type { EvalRunDeletion, NewEvalRun, NewEvalVerdict } from './evals.js'
import type { ImportedRun } from './exchange.js'
import type { NewRevocation, NewUndo } from './trust.js'
import type { NewRun, RunValue } from './runs.js'
import type { NewVerdict, SubmissionKey } from './verdicts.js'

/** Something was about to be written that cannot be kept faithfully. */
export class NotStorable extends Error {
  override readonly name = 'NotStorable'
  constructor(what: string) {
    super(`not storable: ${what}`)
  }
}

const MAX_INT32 = 2_147_483_647
const MAX_INT64 = 9_223_372_036_854_775_807n

/**
 * Bytes of UTF-8, by what one entry of a PostgreSQL index can hold (2,704 bytes): the baseline index has the series,
 * trust, time and run id, the value index run id, metric key and step, the key index owner and key, that of checks the
 * verdict's id, metric key and position, those of tokens and eval runs their name.
 */
export const MAX_SERIES_BYTES = 2_000
export const MAX_METRIC_KEY_BYTES = 2_048
export const MAX_RUN_ID_BYTES = 256
export const MAX_SUBMISSION_KEY_BYTES = 2_600
export const MAX_TOKEN_NAME_BYTES = 2_048
export const MAX_EVAL_RUN_NAME_BYTES = 2_048

/** Refuses a run of which any part is not storable. */
export function assertStorable(run: NewRun): void {
  assertRunId(run.runId)
  assertSeries(run.series)
  assertProvenance(run.provenance)
  assertTimestamp('createdAt', run.createdAt)
  for (const value of run.values) assertValue(value)
}

/** As `assertStorable`, for a run that may lack a commit and brings more than its row and values. */
export function assertStorableImport(run: ImportedRun): void {
  const { commitSha } = run.provenance
  assertStorable({ ...run, provenance: { ...run.provenance, commitSha: commitSha ?? '' } })
  assertTexts({ cadence: run.cadence ?? '', declarations: run.declarations ?? '' })
}

/** Refuses a verdict of which any part is not storable. */
export function assertStorableVerdict(verdict: NewVerdict): void {
  assertTexts({
    verdictId: verdict.verdictId,
    actor: verdict.actor,
    document: verdict.document,
    declarations: verdict.declarations,
  })
  for (const { metricKey, checks } of verdict.checks) {
    assertMetricKey(metricKey)
    assertTexts({ checks })
    if (checks.includes('\n')) throw new NotStorable(`the checks of ${metricKey} hold a line break`)
  }
  if (verdict.runId !== null) assertRunId(verdict.runId)
  for (const runId of verdict.evidence) assertRunId(runId)
  assertSeries(verdict.series)
  assertProvenance(verdict.provenance)
  assertTimestamp('createdAt', verdict.createdAt)
  assertInteger('failingCi', verdict.failingCi, 0, MAX_INT32)
}

/** Refuses a submission key of which any part is not storable. */
export function assertStorableKey(key: SubmissionKey): void {
  assertTexts({ owner: key.owner, key: key.key })
  assertBytes('owner and key', key.owner + key.key, MAX_SUBMISSION_KEY_BYTES)
}

/** Refuses a revocation of which any part is not storable. */
export function assertStorableRevocation(revocation: NewRevocation): void {
  assertTexts({
    revocationId: revocation.revocationId,
    actor: revocation.actor,
    reason: revocation.reason,
    impact: revocation.impact,
  })
  assertTimestamp('createdAt', revocation.createdAt)
}

/** Refuses an undo of which any part is not storable. */
export function assertStorableUndo(undo: NewUndo): void {
  assertTexts({ revocationId: undo.revocationId, actor: undo.actor, reason: undo.reason })
  assertTimestamp('createdAt', undo.createdAt)
}

/** Refuses a token of which any part is not storable. */
export function assertStorableToken(token: NewToken): void {
  const { tokenId, name, createdBy, scopes, testPathPrefixes, createdAt, expiresAt } = token
  assertTexts({ tokenId, name, createdBy, scopes: scopes.join(), prefixes: (testPathPrefixes ?? []).join() })
  assertBytes('name', name, MAX_TOKEN_NAME_BYTES)
  assertHash('tokenHash', token.tokenHash)
  assertTimestamp('createdAt', createdAt)
  if (expiresAt !== null) assertTimestamp('expiresAt', expiresAt)
}

/** Refuses a revocation of a token of which any part is not storable. */
export function assertStorableTokenRevocation({ createdAt, actor }: TokenRevocation): void {
  assertTexts({ actor })
  assertTimestamp('createdAt', createdAt)
}

/** Refuses a session of which any part is not storable. */
export function assertStorableSession(session: NewSession): void {
  assertHash('sessionHash', session.sessionHash)
  assertHash('credentialHash', session.credentialHash)
  assertTimestamp('createdAt', session.createdAt)
  assertTimestamp('expiresAt', session.expiresAt)
}

/** Refuses a grid or a comparison of which any part is not storable. Its rows are JSON, which holds only what it escapes. */
export function assertStorableEvalVerdict(verdict: NewEvalVerdict): void {
  const { evalId, name, actor, head, detail, createdAt } = verdict
  assertTexts({ evalId, name: name ?? '', actor, head, detail })
  assertTimestamp('createdAt', createdAt)
}

/** Refuses an eval run of which any part is not storable. */
export function assertStorableEvalRun(run: NewEvalRun): void {
  const { evalRunId, name, actor, contentHash, head, questions, createdAt } = run
  assertTexts({ evalRunId, name, actor, head })
  assertBytes('name', name, MAX_EVAL_RUN_NAME_BYTES)
  assertHash('contentHash', contentHash)
  assertInteger('questions', questions, 0, MAX_INT32)
  assertTimestamp('createdAt', createdAt)
}

/** Refuses a deletion of which any part is not storable. */
export function assertStorableEvalRunDeletion({ createdAt, actor }: EvalRunDeletion): void {
  assertTexts({ actor })
  assertTimestamp('createdAt', createdAt)
}

/** -0 as 0: SQLite drops the sign and PostgreSQL keeps it, and the two must not differ. */
export function withoutNegativeZero(value: number): number {
  return value + 0
}

function assertValue({ metricKey, step, value, stepsKey, constraintKey }: RunValue): void {
  assertMetricKey(metricKey)
  assertTexts({ stepsKey, constraintKey })
  assertInteger('step', step, -2, Number.MAX_SAFE_INTEGER)
  if (!Number.isFinite(value)) throw new NotStorable(`the value of ${metricKey} at ${step} is ${value}`)
}

function assertMetricKey(metricKey: string): void {
  assertTexts({ metricKey })
  assertBytes('metricKey', metricKey, MAX_METRIC_KEY_BYTES)
}

function assertSeries({ testPath, backend, suite }: Series): void {
  assertTexts({ testPath, backend, suite })
  assertBytes('series', testPath + backend + suite, MAX_SERIES_BYTES)
}

function assertProvenance(provenance: Provenance): void {
  const { commitSha, prNumber, githubRunId, githubRunAttempt, eventName, ref } = provenance
  assertTexts({ commitSha, eventName: eventName ?? '', ref: ref ?? '' })
  if (prNumber !== null) assertInteger('prNumber', prNumber, 0, MAX_INT32)
  if (githubRunAttempt !== null) assertInteger('githubRunAttempt', githubRunAttempt, 0, MAX_INT32)
  if (githubRunId !== null && (githubRunId < 0n || githubRunId > MAX_INT64)) {
    throw new NotStorable('githubRunId is no 64-bit integer')
  }
}

function assertRunId(runId: string): void {
  assertTexts({ runId })
  assertBytes('runId', runId, MAX_RUN_ID_BYTES)
}

/** Nothing but a hash: a credential itself must never come here. */
function assertHash(name: string, hash: string): void {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new NotStorable(`${name} is no SHA-256 in hex`)
}

export function assertTimestamp(name: string, timestamp: Timestamp): void {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(timestamp)) {
    throw new NotStorable(`${name} is no UTC time with six decimals`)
  }
}

export function assertInteger(name: string, value: number, min: number, max: number): void {
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new NotStorable(`${name} is no integer from ${min} to ${max}`)
  }
}

/** PostgreSQL holds no NUL, and UTF-8 no half of a surrogate pair. */
export function assertTexts(texts: Record<string, string>): void {
  for (const [name, text] of Object.entries(texts)) {
    if (text.includes('\0')) throw new NotStorable(`${name} holds a NUL character`)
    if (!text.isWellFormed()) throw new NotStorable(`${name} holds a lone surrogate`)
  }
}

export function assertBytes(name: string, text: string, limit: number): void {
  if (text.length * 3 > limit && Buffer.byteLength(text) > limit) {
    throw new NotStorable(`${name} is longer than ${limit} bytes`)
  }
}
