import { createHash } from 'node:crypto'
import { toJson } from '../documents/json.js'
import { GatehouseError } from '../errors.js'
import { textFault } from '../gate/text.js'
import { normalizeTimestamp } from '../gate/timestamp.js'

/** What a client asks of a list. */
export interface PageRequest {
  readonly limit: number
  readonly cursor: string | null
}

export interface PageResult<T> {
  readonly items: T[]
  readonly next_cursor: string | null
}

/** Where a row stands in its list, as text that a cursor carries, and back. */
export interface Place<Row, After> {
  of(row: Row): readonly (string | number)[]
  /** null where the parts are not those of a row of this list: somebody made the cursor up. */
  read(parts: readonly unknown[]): After | null
}

/**
 * One page of a list. The cursor names the last row told, never an offset, so that rows written meanwhile neither
 * repeat nor skip one; it carries a digest of list and filters, and is good for no other.
 * @param list the list's name and filters
 * @param fetch reads up to `limit` rows that stand after `after`
 * @throws GatehouseError bad_cursor
 */
export async function readPage<Row, After, T>(
  list: readonly [name: string, filter: object],
  request: PageRequest,
  place: Place<Row, After>,
  fetch: (page: { limit: number; after: After | null }) => Promise<readonly Row[]>,
  encode: (row: Row) => T,
): Promise<PageResult<T>> {
  const digest = digestOf(toJson(list))
  const after = request.cursor === null ? null : decodeCursor(request.cursor, digest, place)
  // One row more than asked tells whether there is another page.
  const rows = await fetch({ limit: request.limit + 1, after })
  const shown = rows.slice(0, request.limit)
  const last = rows.length > request.limit ? shown.at(-1) : undefined
  return {
    items: shown.map(encode),
    next_cursor: last === undefined ? null : encodeCursor([digest, ...place.of(last)]),
  }
}

/** The last part is a digest of the others: a cursor that was cut or changed begins nowhere, not somewhere else. */
function encodeCursor(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([...parts, digestOf(JSON.stringify(parts))])).toString('base64url')
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

function decodeCursor<After>(cursor: string, digest: string, place: Place<never, After>): After {
  let parts: unknown
  try {
    parts = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(cursor, 'base64url')))
  } catch {
    parts = null
  }
  const [ownDigest, ...rest] = Array.isArray(parts) ? (parts as unknown[]).slice(0, -1) : []
  const after = place.read(rest)
  // Encoded once more, since base64url is read past characters that are none of it.
  if (after === null || encodeCursor([ownDigest, ...rest]) !== cursor)
    throw badCursor('is no cursor of this service; use the next_cursor of an answer as it is')
  if (ownDigest !== digest)
    throw badCursor('belongs to a list with other filters; start again without a cursor')
  return after
}

function badCursor(message: string): GatehouseError {
  return new GatehouseError('bad_cursor', `?cursor ${message}`, [{ where: '?cursor', message }])
}

/** The place in a list that is newest first: time, then the row's own id. */
export function newestFirst<Row>(
  of: (row: Row) => { createdAt: string; id: string },
): Place<Row, { createdAt: string; id: string }> {
  return {
    of: (row) => Object.values(of(row)),
    read: ([createdAt, id, ...more]) =>
      isTimestamp(createdAt) && isText(id) && more.length === 0 ? { createdAt, id } : null,
  }
}

/** Whether a cursor's part is a time as the store writes it. */
export function isTimestamp(part: unknown): part is string {
  return typeof part === 'string' && normalizeTimestamp(part) === part
}

/** Whether a cursor's part is text that both databases can hold. */
export function isText(part: unknown): part is string {
  return typeof part === 'string' && textFault(part) === null
}
