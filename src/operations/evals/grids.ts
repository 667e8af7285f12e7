import type { GridHead, GridPage, GridRowDocument, GridRowPage } from '../../documents/evals-grid.js'
import { GatehouseError } from '../../errors.js'
import type { EvalVerdictHead } from '../../store/evals.js'
import type { Gatehouse } from '../gatehouse.js'
import { newestFirst, readPage, type PageRequest, type Place } from '../paging.js'
import type { Caller } from '../submission.js'
import { keepVerdict, keyedHash, replayOf, verdictOf, type Kept, type Verdict } from './keep-verdict.js'
import { PIECE } from './pieces.js'
import type { PreparedGrid } from './prepare-grid.js'

/**
 * Keeps a grid with its rows, complete or not.
 * @throws GatehouseError idempotency_conflict
 */
export async function submitGrid(
  gatehouse: Gatehouse,
  caller: Caller,
  { head, detail, rows, hash }: PreparedGrid,
  idempotencyKey: string | null,
): Promise<Kept<GridHead>> {
  const keyed = keyedHash(caller.principal.owner, idempotencyKey, 'grid', hash)
  if (keyed !== null) {
    const first = await gatehouse.store.read((reader) => replayOf<GridHead>(reader, 'grid', keyed))
    if (first !== null) return { ...first, replayed: true }
  }
  const { complete, outcome, name, ...rest } = head
  const keeping = {
    kind: 'grid' as const,
    name,
    outcome,
    head: (gridId: string, createdAt: string): GridHead => ({
      complete,
      outcome,
      grid_id: gridId,
      created_at: createdAt,
      name,
      ...rest,
    }),
    detail,
    rows,
  }
  return keepVerdict(gatehouse, caller, keeping, keyed)
}

/** @throws GatehouseError not_found */
export async function readGrid({ store }: Gatehouse, gridId: string): Promise<Verdict<GridHead>> {
  const stored = await store.read((reader) => reader.findEvalVerdict('grid', gridId))
  if (stored === null) throw unknownGrid(gridId)
  return verdictOf(stored)
}

export function listGrids({ store }: Gatehouse, request: PageRequest): Promise<GridPage> {
  return store.read((reader) =>
    readPage(
      ['grids', {}],
      request,
      newestFirst<EvalVerdictHead>(({ createdAt, evalId }) => ({ createdAt, id: evalId })),
      (page) => reader.listEvalVerdicts('grid', page),
      ({ head }) => JSON.parse(head) as GridHead,
    ),
  )
}

interface PlacedRow {
  readonly position: number
  readonly row: GridRowDocument
}

const ROW_PLACE: Place<PlacedRow, number> = {
  of: ({ position }) => [position],
  read: ([position, ...more]) =>
    Number.isSafeInteger(position) && (position as number) >= 0 && more.length === 0
      ? (position as number)
      : null,
}

/**
 * The rows of a grid as they came.
 * @throws GatehouseError not_found, bad_cursor
 */
export function listGridRows(
  { store }: Gatehouse,
  gridId: string,
  request: PageRequest,
): Promise<GridRowPage> {
  return store.read(async (reader) => {
    if ((await reader.findEvalVerdict('grid', gridId)) === null) throw unknownGrid(gridId)
    return readPage(
      ['grid rows', { gridId }],
      request,
      ROW_PLACE,
      async ({ limit, after }) => {
        const from = after === null ? 0 : after + 1
        // The piece in which the page begins may hold no more than one row of it.
        const pieces = await reader.gridRows(gridId, from, 1 + Math.ceil(limit / PIECE))
        return pieces
          .flatMap(({ position, items }) =>
            (JSON.parse(items) as GridRowDocument[]).map((row, index) => ({
              position: position + index,
              row,
            })),
          )
          .filter(({ position }) => position >= from)
          .slice(0, limit)
      },
      ({ row }) => row,
    )
  })
}

function unknownGrid(gridId: string): GatehouseError {
  return new GatehouseError('not_found', `there is no grid ${JSON.stringify(gridId)}`)
}
