import type { LadderTestDocument, StrengthsDocument } from '../../documents/ladder-reports.js'
import type { CheckPage, TransitionPage } from '../../documents/ladder.js'
import { findVariant, type Ladder, type LivePointer } from '../../promotion/ladder.js'
import { strengthsFrom } from '../../promotion/reports.js'
import type { LadderQueries, LoggedCheck, LoggedTransition, LogPage } from '../../store/ladders.js'
import type { Gatehouse } from '../gatehouse.js'
import { readPage, type PageRequest, type Place } from '../paging.js'
import { noLadder, noVariant } from './change.js'
import { encodeLoggedCheck, encodeTest, encodeTransition } from './encode.js'
import { testState } from './evidence.js'

/**
 * The sequential test of a variant: against the live version while it is a challenger, afterwards as it was when the
 * variant last was one.
 * @throws GatehouseError not_found
 */
export function readTest({ store }: Gatehouse, name: string, version: string): Promise<LadderTestDocument> {
  return store.read(async (reader) => {
    const stored = await reader.findLadder(name)
    if (stored === null) throw noLadder(name)
    const { ladder } = stored
    const against = await rivalOf(reader, ladder, version)
    const comparisons = await reader.listComparisons(name, { generation: against.generation })
    return encodeTest(version, against, testState(ladder, comparisons, version, against))
  })
}

async function rivalOf(reader: LadderQueries, { name, live, ...ladder }: Ladder, version: string) {
  const variant = findVariant({ name, live, ...ladder }, version)
  if (variant === undefined) throw noVariant(version)
  const isOver = ['current', 'rejected', 'rolled_back', 'superseded'].includes(variant.rung)
  const last: LivePointer | null = isOver ? await reader.lastContested(name, version) : null
  return last ?? live
}

/**
 * Bradley-Terry strengths from every comparison that stands.
 * @throws GatehouseError not_found
 */
export function readStrengths({ store }: Gatehouse, name: string): Promise<StrengthsDocument> {
  return store.read(async (reader) => {
    if ((await reader.readLive(name)) === null) throw noLadder(name)
    const comparisons = await reader.listComparisons(name, {})
    const { connected, finite, components, strengths } = strengthsFrom({ episodes: [], comparisons })
    return {
      connected,
      finite,
      components: components.map((variants) => [...variants]),
      strengths: strengths.map(({ variant, class: group, estimate }) => ({
        variant,
        class: group,
        value: estimate?.value ?? null,
        standard_error: estimate?.standardError ?? null,
        lower: estimate?.lower ?? null,
        upper: estimate?.upper ?? null,
      })),
    }
  })
}

const bySequence: Place<{ readonly sequence: number }, number> = {
  of: ({ sequence }) => [sequence],
  read: ([sequence, ...more]) =>
    Number.isSafeInteger(sequence) && more.length === 0 ? (sequence as number) : null,
}

/**
 * Every change of a rung, newest first.
 * @throws GatehouseError not_found
 */
export function listTransitions(
  gatehouse: Gatehouse,
  name: string,
  variant: string | null,
  request: PageRequest,
): Promise<TransitionPage> {
  return readLog(gatehouse, 'transitions', { name, variant }, request, {
    fetch: (reader, page) => reader.listTransitions(name, page),
    encode: (logged: LoggedTransition) => encodeTransition(logged),
  })
}

/**
 * Every evaluation of a rung's entry that did not pass, newest first; what passed is a transition.
 * @throws GatehouseError not_found
 */
export function listChecks(
  gatehouse: Gatehouse,
  name: string,
  variant: string | null,
  request: PageRequest,
): Promise<CheckPage> {
  return readLog(gatehouse, 'evaluations', { name, variant }, request, {
    fetch: (reader, page) => reader.listChecks(name, page),
    encode: (logged: LoggedCheck) => encodeLoggedCheck(logged),
  })
}

function readLog<Row extends { readonly sequence: number }, T>(
  { store }: Gatehouse,
  log: string,
  { name, variant }: { readonly name: string; readonly variant: string | null },
  request: PageRequest,
  how: {
    readonly fetch: (reader: LadderQueries, page: LogPage) => Promise<Row[]>
    readonly encode: (row: Row) => T
  },
) {
  return store.read(async (reader) => {
    if ((await reader.readLive(name)) === null) throw noLadder(name)
    return readPage(
      [log, { ladder: name, variant }],
      request,
      bySequence,
      ({ limit, after }) => how.fetch(reader, { limit, before: after, ...(variant !== null && { variant }) }),
      how.encode,
    )
  })
}
