import { createHash } from 'node:crypto'
import { toJson } from '../documents/json.js'
import { GatehouseError } from '../errors.js'
import type { Page } from '../store/store.js'

/** What a client asks of a list. */
export interface PageRequest {
  readonly limit: number
  readonly cursor: string | null
}

export interface PageResult<T> {
  readonly items: T[]
  readonly next_cursor: string | null
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/**
 * One page of a list that is newest first. The cursor names the last row told, never an offset, so that rows written
 * meanwhile neither repeat nor skip one; it carries a digest of list and filters, and is good for no other.
 * @param list the list's name and filters
 * @param fetch reads the rows after the page's `after`
 * @throws GatehouseError bad_cursor
 */
export async function readPage<Row, T>(
  list: readonly [name: string, filter: object],
  request: PageRequest,
  fetch: (page: Page) => Promise<readonly Row[]>,
  place: (row: Row) => { createdAt: string; id: string },
  encode: (row: Row) => T,
): Promise<PageResult<T>> {
  const digest = createHash('sha256').update(toJson(list)).digest('base64url').slice(0, 16)
  const after = request.cursor === null ? null : decodeCursor(request.cursor, digest)
  // One row more than asked tells whether there is another page.
  const rows = await fetch({ limit: request.limit + 1, after })
  const shown = rows.slice(0, request.limit)
  const last = rows.length > request.limit ? shown.at(-1) : undefined
  return {
    items: shown.map(encode),
    next_cursor: last === undefined ? null : encodeCursor(place(last), digest),
  }
}

function encodeCursor({ createdAt, id }: { createdAt: string; id: string }, digest: string): string {
  return Buffer.from(JSON.stringify([digest, createdAt, id])).toString('base64url')
}

function decodeCursor(cursor: string, digest: string): Page['after'] {
  let parts: unknown
  try {
    parts = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(cursor, 'base64url')))
  } catch {
    parts = null
  }
  const [ownDigest, createdAt, id] = Array.isArray(parts) && parts.length === 3 ? (parts as unknown[]) : []
  if (typeof createdAt !== 'string' || !isTime(createdAt) || typeof id !== 'string' || id.includes('\0')) {
    throw badCursor('is no cursor of this service; use the next_cursor of an answer as it is')
  }
  if (ownDigest !== digest)
    throw badCursor('belongs to a list with other filters; start again without a cursor')
  return { createdAt, id }
}

function isTime(text: string): boolean {
  return TIMESTAMP.test(text) && !Number.isNaN(Date.parse(text))
}

function badCursor(message: string): GatehouseError {
  return new GatehouseError('bad_cursor', `?cursor ${message}`, [{ where: '?cursor', message }])
}
