/** The comparisons of ladders, and their results. */
import { sql } from 'kysely'
import type { Winner } from '../../promotion/comparison.js'
import type { LivePointer } from '../../promotion/ladder.js'
import type { ComparisonFilter, IssuedComparison, Made, StoredComparison } from '../ladders.js'
import { assertStorableComparison, assertStorableResult } from '../ladder-checks.js'
import { all, equals } from './conditions.js'
import type { Database, Dialect } from './dialect.js'
import { cappedLate } from './ladder-episodes.js'
import { chunks } from './rows.js'

export async function listComparisons(
  db: Database,
  dialect: Dialect,
  ladder: string,
  { groupId, generation, variant }: ComparisonFilter,
): Promise<StoredComparison[]> {
  const rows = await selectComparisons(db, dialect)
    .where('c.ladder', '=', ladder)
    .where(all([...equals('c.group_id', groupId), ...equals('c.generation', generation)]))
    .$if(variant !== undefined, (query) =>
      query.where((where) =>
        where.or([where('c.a_variant', '=', variant!), where('c.b_variant', '=', variant!)]),
      ),
    )
    .orderBy(dialect.byCodePoint('c.comparison_id'))
    .execute()
  return rows.map(readComparison)
}

export async function findComparison(
  db: Database,
  dialect: Dialect,
  ladder: string,
  comparisonId: string,
): Promise<StoredComparison | null> {
  const row = await selectComparisons(db, dialect)
    .where('c.comparison_id', '=', comparisonId)
    .where('c.ladder', '=', ladder)
    .executeTakeFirst()
  return row === undefined ? null : readComparison(row)
}

export async function lastContested(
  db: Database,
  dialect: Dialect,
  ladder: string,
  variant: string,
): Promise<LivePointer | null> {
  const row = await db
    .selectFrom('ladder_comparisons as c')
    .innerJoin('ladder_results as r', 'r.comparison_id', 'c.comparison_id')
    .innerJoin('ladder_generations as g', (join) =>
      join.onRef('g.ladder', '=', 'c.ladder').onRef('g.generation', '=', 'c.generation'),
    )
    .select(['g.version', 'g.generation', dialect.timeText('g.since').as('since')])
    .where('c.ladder', '=', ladder)
    .where('g.version', '<>', variant)
    .where((where) =>
      where.or([
        where.and([where('c.a_variant', '=', variant), where('c.b_variant', '=', where.ref('g.version'))]),
        where.and([where('c.b_variant', '=', variant), where('c.a_variant', '=', where.ref('g.version'))]),
      ]),
    )
    .where(sql<boolean>`not ${cappedLate('c', 'a')} and not ${cappedLate('c', 'b')}`)
    .orderBy('g.generation', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

export async function newestResult(db: Database, ladder: string): Promise<number> {
  const row = await db
    .selectFrom('ladder_results as r')
    .select(({ fn }) => fn.max('r.sequence').as('newest'))
    .where('r.ladder', '=', ladder)
    .executeTakeFirst()
  return row?.newest ?? 0
}

export async function writeComparisons(
  db: Database,
  dialect: Dialect,
  ladder: string,
  comparisons: readonly IssuedComparison[],
  made: Made,
): Promise<void> {
  for (const comparison of comparisons) assertStorableComparison(comparison, made)
  for (const some of chunks(comparisons, 500)) {
    await db
      .insertInto('ladder_comparisons')
      .values(
        some.map(({ comparisonId, groupId, generation, a, b }) => ({
          comparison_id: comparisonId,
          ladder,
          group_id: groupId,
          generation,
          a_variant: a.variant,
          a_episode_id: a.episodeId,
          b_variant: b.variant,
          b_episode_id: b.episodeId,
          created_at: dialect.time(made.at),
          created_by: made.by,
        })),
      )
      .execute()
  }
}

export async function writeResult(
  db: Database,
  dialect: Dialect,
  ladder: string,
  comparisonId: string,
  { winner, judge }: { readonly winner: Winner; readonly judge: string | null },
  made: Made,
): Promise<number> {
  assertStorableResult(judge, made)
  const sequence = (await newestResult(db, ladder)) + 1
  await db
    .insertInto('ladder_results')
    .values({
      comparison_id: comparisonId,
      ladder,
      sequence,
      winner,
      judge,
      created_at: dialect.time(made.at),
      created_by: made.by,
    })
    .execute()
  return sequence
}

function selectComparisons(db: Database, dialect: Dialect) {
  return db
    .selectFrom('ladder_comparisons as c')
    .leftJoin('ladder_results as r', 'r.comparison_id', 'c.comparison_id')
    .select(['c.comparison_id', 'c.group_id', 'c.generation', 'r.winner', 'r.judge', 'r.sequence'])
    .select(['c.a_variant', 'c.a_episode_id', 'c.b_variant', 'c.b_episode_id'])
    .select(dialect.timeText('c.created_at').as('created_at'))
    .select(sql<boolean | number>`(${cappedLate('c', 'a')} or ${cappedLate('c', 'b')})`.as('voided'))
}

type ComparisonRow = Awaited<ReturnType<ReturnType<typeof selectComparisons>['execute']>>[number]

function readComparison(row: ComparisonRow): StoredComparison {
  return {
    comparisonId: row.comparison_id,
    groupId: row.group_id,
    generation: row.generation,
    a: { variant: row.a_variant, episodeId: row.a_episode_id },
    b: { variant: row.b_variant, episodeId: row.b_episode_id },
    winner: row.winner,
    sequence: row.sequence,
    voided: Boolean(row.voided),
    judge: row.judge,
    createdAt: row.created_at,
  }
}
