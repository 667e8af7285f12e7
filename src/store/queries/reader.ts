/** The contract's reader and writer on one transaction: each operation is a function of its own subject's file. */
import type { HistoryReader, HistoryWriter } from '../store.js'
import * as credentials from './credentials.js'
import type { Database, Dialect } from './dialect.js'
import * as evals from './evals.js'
import { findKeyedVerdict, writeSubmissionKey } from './idempotency.js'
import { revocationImpact } from './impact.js'
import { readGateHistory } from './gate-history.js'
import { listCoordinates, newestDeclarations } from './coordinates.js'
import { exportRuns } from './export.js'
import { listHistory } from './history.js'
import { listRuns, valuesOf, writeRun } from './runs.js'
import { listSeries } from './series.js'
import * as trust from './trust.js'
import { findVerdict, latestVerdicts, listVerdicts, writeVerdict } from './verdicts.js'

export function createReader(db: Database, dialect: Dialect): HistoryReader {
  return {
    now: () => dialect.now(db),
    gateHistory: (series, question) => readGateHistory(db, dialect, series, question),
    recentTrustedValues: async (series, coordinates, limit) => {
      if (coordinates.length === 0) return []
      const { baselines } = await readGateHistory(db, dialect, series, { coordinates, stepsOf: [], limit })
      return [...baselines]
    },
    listRuns: (filter, page) => listRuns(db, dialect, filter, page),
    valuesOf: (runId) => valuesOf(db, dialect, runId),
    revocationsOf: (runId) => trust.revocationsOf(db, dialect, runId),
    findVerdict: (verdictId) => findVerdict(db, dialect, verdictId),
    listVerdicts: (filter, page) => listVerdicts(db, dialect, filter, page),
    latestVerdicts: (filter) => latestVerdicts(db, dialect, filter),
    matchRuns: (selector) => trust.matchRuns(db, dialect, selector),
    revocationImpact: (runIds, settings) => revocationImpact(db, dialect, runIds, settings),
    findRevocation: (revocationId) => trust.findRevocation(db, dialect, revocationId),
    listRevocations: (page) => trust.listRevocations(db, dialect, page),
    listSeries: (filter, page) => listSeries(db, dialect, filter, page),
    listCoordinates: (series, page) => listCoordinates(db, dialect, series, page),
    newestDeclarations: (series) => newestDeclarations(db, dialect, series),
    listHistory: (filter, page) => listHistory(db, dialect, filter, page),
    exportRuns: (filter) => exportRuns(db, dialect, filter),
    restorableRuns: (revocationId) => trust.restorableRuns(db, dialect, revocationId),
    hasTokens: () => credentials.hasTokens(db),
    findToken: (tokenHash) => credentials.findToken(db, dialect, tokenHash),
    findSession: (sessionHash) => credentials.findSession(db, dialect, sessionHash),
    readToken: (tokenId) => credentials.findTokenById(db, dialect, tokenId),
    findNamedToken: (name) => credentials.findNamedToken(db, dialect, name),
    listTokens: (page) => credentials.listTokens(db, dialect, page),
    findEvalKey: (key) => evals.findEvalKey(db, key),
    findEvalVerdict: (kind, evalId) => evals.findEvalVerdict(db, dialect, kind, evalId),
    listEvalVerdicts: (kind, page) => evals.listEvalVerdicts(db, dialect, kind, page),
    gridRows: (evalId, position, limit) => evals.gridRows(db, evalId, position, limit),
    findEvalRun: (name) => evals.findEvalRun(db, dialect, name),
    evalRunQuestions: (evalRunId) => evals.evalRunQuestions(db, evalRunId),
    listEvalRuns: (page) => evals.listEvalRuns(db, dialect, page),
  }
}

export function createWriter(db: Database, dialect: Dialect): HistoryWriter {
  return {
    ...createReader(db, dialect),
    lockSubmissionKey: (key) => dialect.lockSubmissionKey(db, key),
    findKeyedVerdict: (key) => findKeyedVerdict(db, key),
    writeSubmissionKey: (key, entry) => writeSubmissionKey(db, dialect, key, entry),
    writeRun: (run) => writeRun(db, dialect, run),
    writeVerdict: (verdict) => writeVerdict(db, dialect, verdict),
    lockTrust: () => dialect.lockTrust(db),
    markUntrusted: (selector) => trust.markUntrusted(db, dialect, selector),
    writeRevocation: (revocation) => trust.writeRevocation(db, dialect, revocation),
    writeUndo: (undo) => trust.writeUndo(db, dialect, undo),
    lockTokens: () => dialect.lockTokens(db),
    writeToken: (token) => credentials.writeToken(db, dialect, token),
    writeTokenRevocation: (tokenId, revocation) =>
      credentials.writeTokenRevocation(db, dialect, tokenId, revocation),
    writeTokenUse: (tokenId) => credentials.writeTokenUse(db, dialect, tokenId),
    writeSession: (session) => credentials.writeSession(db, dialect, session),
    endSession: (sessionHash) => credentials.endSession(db, dialect, sessionHash),
    writeEvalVerdict: (verdict, rows) => evals.writeEvalVerdict(db, dialect, verdict, rows),
    writeEvalKey: (key, entry) => evals.writeEvalKey(db, dialect, key, entry),
    writeEvalRun: (run, questions) => evals.writeEvalRun(db, dialect, run, questions),
    writeEvalRunDeletion: (evalRunId, deletion) =>
      evals.writeEvalRunDeletion(db, dialect, evalRunId, deletion),
  }
}
