/** API tokens and sessions. */
import { sql } from 'kysely'
import type { Timestamp } from '../../gate/run.js'
import type {
  ListedToken,
  NewSession,
  NewToken,
  StoredSession,
  StoredToken,
  TokenRevocation,
} from '../credentials.js'
import type { Page } from '../lists.js'
import { assertStorableSession, assertStorableToken, assertStorableTokenRevocation } from '../write-checks.js'
import { afterRow, all } from './conditions.js'
import type { Database, Dialect } from './dialect.js'
import { statement } from './statement.js'

/** Asked with every request in open mode. */
export async function hasTokens(db: Database): Promise<boolean> {
  return (await firstToken(db, {})).length > 0
}

const firstToken = statement((db) => db.selectFrom('api_tokens').select('token_id').limit(sql.lit(1)))

export async function findToken(
  db: Database,
  dialect: Dialect,
  tokenHash: string,
): Promise<StoredToken | null> {
  const row = await selectTokens(db, dialect).where('t.token_hash', '=', tokenHash).executeTakeFirst()
  return row === undefined ? null : readToken(row)
}

export async function findTokenById(
  db: Database,
  dialect: Dialect,
  tokenId: string,
): Promise<StoredToken | null> {
  const row = await selectTokens(db, dialect).where('t.token_id', '=', tokenId).executeTakeFirst()
  return row === undefined ? null : readToken(row)
}

export async function findNamedToken(
  db: Database,
  dialect: Dialect,
  name: string,
): Promise<StoredToken | null> {
  const row = await selectTokens(db, dialect)
    .where('t.name', '=', name)
    .where('v.token_id', 'is', null)
    .executeTakeFirst()
  return row === undefined ? null : readToken(row)
}

export async function findSession(
  db: Database,
  dialect: Dialect,
  sessionHash: string,
): Promise<StoredSession | null> {
  const row = await db
    .selectFrom('sessions as s')
    .leftJoin('session_ends as e', 'e.session_hash', 's.session_hash')
    .leftJoin('api_tokens as t', 't.token_hash', 's.credential_hash')
    .leftJoin('api_token_revocations as v', 'v.token_id', 't.token_id')
    .select(['s.credential_hash', ...TOKEN_COLUMNS])
    .select(tokenTimes(dialect))
    .where('s.session_hash', '=', sessionHash)
    .where('e.session_hash', 'is', null)
    .where(sql<boolean>`s.expires_at > ${dialect.clock()}`)
    .executeTakeFirst()
  if (row === undefined) return null
  const { credential_hash: credentialHash, token_id, name, scopes, created_by, created_at, ...rest } = row
  // A left join: the row of the token is there as a whole or not at all.
  const isStored = token_id !== null && name !== null && scopes !== null && created_by !== null
  const token = isStored ? readToken({ ...rest, token_id, name, scopes, created_by, created_at }) : null
  return { credentialHash, token }
}

export async function listTokens(db: Database, dialect: Dialect, page: Page): Promise<ListedToken[]> {
  const rows = await selectTokens(db, dialect)
    .select(
      sql<Timestamp | null>`(select ${dialect.timeText('u.used_at')} from api_token_uses u
        where u.token_id = t.token_id order by u.hour desc limit 1)`.as('last_used_at'),
    )
    .where(all(afterRow(dialect, 't.created_at', 't.token_id', page.after)))
    .orderBy('t.created_at', 'desc')
    .orderBy(dialect.byCodePoint('t.token_id'), 'desc')
    .limit(page.limit)
    .execute()
  return rows.map((row) => ({ ...readToken(row), lastUsedAt: row.last_used_at }))
}

export async function writeToken(db: Database, dialect: Dialect, token: NewToken): Promise<void> {
  assertStorableToken(token)
  await db
    .insertInto('api_tokens')
    .values({
      token_id: token.tokenId,
      name: token.name,
      token_hash: token.tokenHash,
      scopes: JSON.stringify(token.scopes),
      test_path_prefixes: token.testPathPrefixes && JSON.stringify(token.testPathPrefixes),
      created_at: dialect.time(token.createdAt),
      created_by: token.createdBy,
      expires_at: token.expiresAt === null ? null : dialect.time(token.expiresAt),
    })
    .execute()
}

export async function writeTokenRevocation(
  db: Database,
  dialect: Dialect,
  tokenId: string,
  revocation: TokenRevocation,
): Promise<void> {
  assertStorableTokenRevocation(revocation)
  await db
    .insertInto('api_token_revocations')
    .values({
      token_id: tokenId,
      created_at: dialect.time(revocation.createdAt),
      actor: revocation.actor,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const HOUR_MS = 3_600_000

export async function writeTokenUse(db: Database, dialect: Dialect, tokenId: string): Promise<void> {
  const usedAt = await dialect.now(db)
  await db
    .insertInto('api_token_uses')
    .values({
      token_id: tokenId,
      hour: Math.floor(Date.parse(usedAt) / HOUR_MS),
      used_at: dialect.time(usedAt),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function writeSession(db: Database, dialect: Dialect, session: NewSession): Promise<void> {
  assertStorableSession(session)
  await db
    .insertInto('sessions')
    .values({
      session_hash: session.sessionHash,
      credential_hash: session.credentialHash,
      created_at: dialect.time(session.createdAt),
      expires_at: dialect.time(session.expiresAt),
    })
    .execute()
}

export async function endSession(db: Database, dialect: Dialect, sessionHash: string): Promise<void> {
  const begun = await db
    .selectFrom('sessions')
    .select('session_hash')
    .where('session_hash', '=', sessionHash)
    .executeTakeFirst()
  // Whoever presents an id that never was must not fill the table.
  if (begun === undefined) return
  await db
    .insertInto('session_ends')
    .values({ session_hash: sessionHash, ended_at: dialect.time(await dialect.now(db)) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const TOKEN_COLUMNS = [
  't.token_id',
  't.name',
  't.scopes',
  't.test_path_prefixes',
  't.created_by',
  'v.actor as revoked_by',
] as const

function tokenTimes(dialect: Dialect) {
  return [
    dialect.timeText('t.created_at').as('created_at'),
    sql<Timestamp | null>`${dialect.timeText('t.expires_at')}`.as('expires_at'),
    sql<Timestamp | null>`${dialect.timeText('v.created_at')}`.as('revoked_at'),
    sql<boolean | number | null>`t.expires_at <= ${dialect.clock()}`.as('expired'),
  ] as const
}

function selectTokens(db: Database, dialect: Dialect) {
  return db
    .selectFrom('api_tokens as t')
    .leftJoin('api_token_revocations as v', 'v.token_id', 't.token_id')
    .select(TOKEN_COLUMNS)
    .select(tokenTimes(dialect))
}

type TokenRow = Awaited<ReturnType<ReturnType<typeof selectTokens>['execute']>>[number]

function readToken(row: TokenRow): StoredToken {
  return {
    tokenId: row.token_id,
    name: row.name,
    scopes: JSON.parse(row.scopes) as string[],
    testPathPrefixes:
      row.test_path_prefixes === null ? null : (JSON.parse(row.test_path_prefixes) as string[]),
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    // Without an expiry the comparison is null.
    expired: Boolean(row.expired),
    revoked:
      row.revoked_at === null || row.revoked_by === null
        ? null
        : { createdAt: row.revoked_at, actor: row.revoked_by },
  }
}
