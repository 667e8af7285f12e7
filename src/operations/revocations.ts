import { uuidv7 } from 'uuidv7'
import type { Principal } from '../auth/principal.js'
import type { RevocationDocument, RevocationPage, UndoDocument } from '../documents/revocation.js'
import { GatehouseError } from '../errors.js'
import type { HistoryReader } from '../store/store.js'
import type { NewRevocation, Revocation, RunSelector } from '../store/trust.js'
import { askedBy } from './asked-by.js'
import { assertMayTouch } from './confinement.js'
import type { Gatehouse } from './gatehouse.js'
import { evaluateWatching } from './ladders/evaluate.js'
import { newestFirst, readPage, type PageRequest } from './paging.js'
import { impactDocument, revocationDocument } from './revocation-document.js'
import type { Caller } from './submission.js'

export interface RevokeRequest {
  readonly selector: RunSelector
  readonly reason: string
  /** Tell what would happen, and change nothing. */
  readonly dryRun: boolean
}

const MAX_LISTED_IMPACT = 100

/**
 * Takes the trust of every run that the selector matches. Nothing is deleted and nothing re-judged: the next baseline
 * read leaves the runs out.
 * @throws GatehouseError not_found where no run matches; forbidden where one is beyond the caller's test paths
 */
export async function revokeTrust(
  gatehouse: Gatehouse,
  caller: Caller,
  request: RevokeRequest,
): Promise<RevocationDocument> {
  const { actor } = caller.principal
  if (request.dryRun) {
    return gatehouse.store.read(async (reader) => {
      const { matched, flipped, impact } = await foresee(reader, gatehouse, caller, request.selector)
      const createdAt = await reader.now()
      const { reason } = request
      return revocationDocument(
        { createdAt, actor, reason, matched, flipped, impact: JSON.stringify(impact), undone: null },
        null,
      )
    })
  }
  const revocationId = uuidv7()
  const document = await gatehouse.store.write(async (writer, attempt) => {
    const own = attempt > 1 ? await writer.findRevocation(revocationId) : null
    if (own) return revocationDocument(own, revocationId)
    await writer.lockTrust()
    const { matched, impact } = await foresee(writer, gatehouse, caller, request.selector)
    const flipped = await writer.markUntrusted(request.selector)
    await assertNoneBeyond(writer, caller.principal, flipped, matched)
    const revocation: NewRevocation = {
      revocationId,
      createdAt: await writer.now(),
      actor,
      reason: request.reason,
      selector: request.selector,
      // A run may have been written between the two statements: what was flipped did match.
      matched: [...new Set([...flipped, ...matched])],
      flipped,
      impact: JSON.stringify(impact),
    }
    await writer.writeRevocation(revocation)
    return revocationDocument({ ...revocation, undone: null }, revocationId)
  })
  gatehouse.log.info(
    {
      ...askedBy(caller),
      revocation_id: revocationId,
      revoked: document.revoked,
      run_ids: document.run_ids,
    },
    'trust revoked',
  )
  await evaluateWatchers(gatehouse, caller, document.run_ids)
  return document
}

/**
 * A run may be written between the look and the change, and be beyond the caller's test paths.
 * @throws GatehouseError forbidden, which takes the change back
 */
async function assertNoneBeyond(
  reader: HistoryReader,
  principal: Principal,
  flipped: readonly string[],
  looked: readonly string[],
): Promise<void> {
  if (principal.testPathPrefixes === null) return
  const seen = new Set(looked)
  const late = flipped.filter((runId) => !seen.has(runId))
  if (late.length === 0) return
  for (const { testPath } of await reader.matchRuns({ runIds: late })) assertMayTouch(principal, testPath)
}

/** Ladders that look at one of these runs find its trust changed. */
async function evaluateWatchers(
  gatehouse: Gatehouse,
  caller: Caller,
  runIds: readonly string[],
): Promise<void> {
  if (runIds.length === 0) return
  await evaluateWatching(gatehouse, caller, async (reader) =>
    reader.laddersWatching(await reader.seriesOfRuns(runIds)),
  )
}

async function foresee(
  reader: HistoryReader,
  { settings }: Gatehouse,
  { principal }: Caller,
  selector: RunSelector,
) {
  const runs = await reader.matchRuns(selector)
  if (runs.length === 0) throw new GatehouseError('not_found', `no stored run matches ${named(selector)}`)
  for (const { testPath } of runs) assertMayTouch(principal, testPath)
  const flipped = runs.filter(({ trusted }) => trusted).map(({ runId }) => runId)
  const impact = await reader.revocationImpact(flipped, {
    window: settings.baselineWindow,
    minimum: settings.enforceMinHistory,
    limit: MAX_LISTED_IMPACT,
  })
  return { matched: runs.map(({ runId }) => runId), flipped, impact: impactDocument(impact) }
}

function named(selector: RunSelector): string {
  if ('commitSha' in selector) {
    return `commit_sha ${selector.commitSha} (for a pull request, GITHUB_SHA is a merge commit: revoke by the SHA that the run was submitted with, or by github_run_id)`
  }
  if ('githubRunId' in selector) return `github_run_id ${selector.githubRunId}`
  return selector.runIds.length === 1
    ? `run_id ${JSON.stringify(selector.runIds[0])}`
    : `any of the ${selector.runIds.length} run_ids`
}

/**
 * Undoes a mistaken revocation: its runs are trusted again, unless another standing one covers them; no run becomes
 * trusted that had not earned it.
 * @throws GatehouseError not_found, already_undone; forbidden as `revokeTrust`
 */
export async function undoRevocation(
  gatehouse: Gatehouse,
  caller: Caller,
  revocationId: string,
  reason: string,
): Promise<UndoDocument> {
  const { actor } = caller.principal
  let made: { createdAt: string; document: UndoDocument } | null = null
  const document = await gatehouse.store.write(async (writer) => {
    await writer.lockTrust()
    const revocation = await writer.findRevocation(revocationId)
    if (!revocation) throw noRevocation(revocationId)
    if (revocation.undone) {
      // A retry after a commit whose answer was lost finds its own undo.
      if (made && made.createdAt === revocation.undone.createdAt) return made.document
      throw new GatehouseError(
        'already_undone',
        `revocation ${revocationId} was undone at ${revocation.undone.createdAt} by ${revocation.undone.actor}`,
      )
    }
    const covered = await writer.matchRuns({ runIds: revocation.matched })
    for (const { testPath } of covered) assertMayTouch(caller.principal, testPath)
    const { restore, heldBack } = await writer.restorableRuns(revocationId)
    const createdAt = await writer.now()
    const undone: UndoDocument = {
      revocation_id: revocationId,
      restored: restore.length,
      run_ids: [...restore],
      not_restored: heldBack.map((held) => ({ run_id: held.runId, revocation_id: held.revocationId })),
    }
    made = { createdAt, document: undone }
    await writer.writeUndo({ revocationId, createdAt, actor, reason, restore })
    return undone
  })
  gatehouse.log.info(
    {
      ...askedBy(caller),
      revocation_id: revocationId,
      restored: document.restored,
      run_ids: document.run_ids,
    },
    'revocation undone',
  )
  await evaluateWatchers(gatehouse, caller, document.run_ids)
  return document
}

/** @throws GatehouseError not_found */
export async function readRevocation(
  { store }: Gatehouse,
  revocationId: string,
): Promise<RevocationDocument> {
  const revocation = await store.read((reader) => reader.findRevocation(revocationId))
  if (!revocation) throw noRevocation(revocationId)
  return revocationDocument(revocation, revocationId)
}

/** All revocations, newest first. */
export async function listRevocations({ store }: Gatehouse, request: PageRequest): Promise<RevocationPage> {
  return store.read((reader) =>
    readPage(
      ['revocations', {}],
      request,
      newestFirst<Revocation>(({ createdAt, revocationId }) => ({ createdAt, id: revocationId })),
      (page) => reader.listRevocations(page),
      (revocation) => revocationDocument(revocation, revocation.revocationId),
    ),
  )
}

function noRevocation(revocationId: string): GatehouseError {
  return new GatehouseError('not_found', `there is no revocation ${JSON.stringify(revocationId)}`)
}
