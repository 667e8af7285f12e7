import type { AssignmentDocument } from '../../documents/ladder-reports.js'
import type { LadderDocument, LadderPage, LiveDocument } from '../../documents/ladder.js'
import { GatehouseError, invalidInput } from '../../errors.js'
import { assign } from '../../promotion/assignment.js'
import { configFaults, DEFAULT_LADDER_CONFIG, type LadderConfig } from '../../promotion/config.js'
import { newLadder } from '../../promotion/ladder.js'
import type { StoredLadder } from '../../store/ladders.js'
import { askedBy } from '../asked-by.js'
import type { Gatehouse } from '../gatehouse.js'
import { isText, readPage, type PageRequest, type Place } from '../paging.js'
import type { Caller } from '../submission.js'
import { noLadder } from './change.js'
import { encodeLadder, encodeLive } from './encode.js'

export interface LadderRequest {
  readonly ladder: string
  readonly live: string
  readonly config: Partial<LadderConfig>
}

/**
 * Makes a ladder whose live version holds all traffic, as generation 1.
 * @throws GatehouseError invalid_input; name_taken
 */
export async function createLadder(
  { store, log }: Gatehouse,
  { principal, requestId }: Caller,
  request: LadderRequest,
): Promise<LadderDocument> {
  const faults = configFaults({ ...DEFAULT_LADDER_CONFIG, ...request.config })
  if (faults.length > 0) throw invalidInput(faults)
  const { actor } = principal
  let madeAt: string | null = null
  const stored = await store.write(async (writer, attempt): Promise<StoredLadder> => {
    const at = await writer.now()
    const ladder = newLadder(request.ladder, request.config, request.live, at)
    if (await writer.writeLadder(ladder, { at, by: actor })) {
      madeAt = at
      return { ladder, revisions: new Map(), createdAt: at, createdBy: actor }
    }
    const standing = await writer.findLadder(request.ladder)
    // A retry after a commit whose answer was lost finds its own.
    if (attempt > 1 && standing !== null && standing.createdAt === madeAt) return standing
    throw new GatehouseError(
      'name_taken',
      `there is a ladder ${JSON.stringify(request.ladder)} already, made at ${standing?.createdAt}; its configuration never changes: choose another name`,
    )
  })
  log.info(
    {
      ...askedBy({ principal, requestId }),
      ladder: request.ladder,
      live: request.live,
      mode: stored.ladder.config.mode,
    },
    'ladder made',
  )
  return encodeLadder(stored)
}

const byName: Place<StoredLadder, string> = {
  of: ({ ladder }) => [ladder.name],
  read: ([name, ...more]) => (isText(name) && more.length === 0 ? name : null),
}

/** Every ladder, by name. */
export function listLadders({ store }: Gatehouse, request: PageRequest): Promise<LadderPage> {
  return store.read((reader) =>
    readPage(['ladders', {}], request, byName, (page) => reader.listLadders(page), encodeLadder),
  )
}

/** @throws GatehouseError not_found */
export async function readLadder({ store }: Gatehouse, name: string): Promise<LadderDocument> {
  return encodeLadder(await findLadder(store, name))
}

/**
 * The live version of this moment, read from the store each time: another instance may have moved it.
 * @throws GatehouseError not_found
 */
export async function readLive({ store }: Pick<Gatehouse, 'store'>, name: string): Promise<LiveDocument> {
  const live = await store.read((reader) => reader.readLive(name), { single: true })
  if (live === null) throw noLadder(name)
  return encodeLive(live)
}

/**
 * Who serves a unit, in the shares of this moment.
 * @throws GatehouseError not_found
 */
export async function assignUnit(
  { store }: Gatehouse,
  name: string,
  unit: string,
): Promise<AssignmentDocument> {
  const { ladder } = await findLadder(store, name)
  const { version, rung } = assign(ladder, unit)
  return { version, rung, generation: ladder.live.generation }
}

async function findLadder(store: Gatehouse['store'], name: string): Promise<StoredLadder> {
  const stored = await store.read((reader) => reader.findLadder(name))
  if (stored === null) throw noLadder(name)
  return stored
}
