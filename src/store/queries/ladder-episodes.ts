/** The episodes of ladders, with what evaluations add up of them. */
import { sql, type SqlBool } from 'kysely'
import type { Episode } from '../../promotion/episode.js'
import { meanOf, type VariantEvidence } from '../../promotion/evidence.js'
import type { Score } from '../../promotion/score.js'
import type { EpisodeFilter, EpisodePage, Made, StoredEpisode } from '../ladders.js'
import { assertStorableCap, assertStorableEpisode } from '../ladder-checks.js'
import { withoutNegativeZero } from '../write-checks.js'
import { afterRow, all, equals } from './conditions.js'
import type { Database, Dialect } from './dialect.js'
import { chunks } from './rows.js'

export async function findEpisodes(
  db: Database,
  dialect: Dialect,
  ladder: string,
  episodeIds: readonly string[],
): Promise<StoredEpisode[]> {
  if (episodeIds.length === 0) return []
  const rows = await selectEpisodes(db, dialect)
    .where('e.ladder', '=', ladder)
    .where(dialect.isOneOf('e.episode_id', episodeIds))
    .execute()
  return rows.map(readEpisode)
}

export async function groupEpisodes(
  db: Database,
  dialect: Dialect,
  ladder: string,
  groupId: string,
): Promise<StoredEpisode[]> {
  const rows = await selectEpisodes(db, dialect)
    .where('e.ladder', '=', ladder)
    .where('e.group_id', '=', groupId)
    .execute()
  return rows.map(readEpisode)
}

export async function listEpisodes(
  db: Database,
  dialect: Dialect,
  ladder: string,
  filter: EpisodeFilter,
  page: EpisodePage,
): Promise<StoredEpisode[]> {
  const rows = await selectEpisodes(db, dialect)
    .where('e.ladder', '=', ladder)
    .where(
      all([
        ...equals('e.variant', filter.variant),
        ...equals('e.group_id', filter.groupId),
        ...equals('e.split', filter.split),
        ...afterRow(dialect, 'e.created_at', 'e.episode_id', page.after),
      ]),
    )
    .orderBy('e.created_at', 'desc')
    .orderBy(dialect.byCodePoint('e.episode_id'), 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(readEpisode)
}

export async function countEpisodes(
  db: Database,
  ladder: string,
  variant: string,
): Promise<{ selection: number; heldOut: number }> {
  const rows = await db
    .selectFrom('ladder_episodes as e')
    .select(['e.split', ({ fn }) => fn.countAll<number>().as('episodes')])
    .where('e.ladder', '=', ladder)
    .where('e.variant', '=', variant)
    .where('e.split', 'in', ['selection', 'held_out'])
    .groupBy('e.split')
    .execute()
  const of = (split: Episode['split']) => rows.find((row) => row.split === split)?.episodes ?? 0
  return { selection: of('selection'), heldOut: of('held_out') }
}

/** `gatherEvidence` in SQL; the contract's suite holds the two together. */
export async function sumUpEpisodes(
  db: Database,
  dialect: Dialect,
  ladder: string,
  { costs }: { readonly costs: boolean },
): Promise<Map<string, VariantEvidence>> {
  const selection = db
    .selectFrom('ladder_episodes as e')
    .where('e.ladder', '=', ladder)
    .where('e.split', '=', 'selection')
  const counts = await selection
    .select('e.variant')
    .select([
      sql<number>`count(*)`.as('episodes'),
      sql<number>`count(case when e.rung = 'shadow' then 1 end)`.as('shadow'),
      sql<number>`count(e.verifier_passed)`.as('verified'),
      sql<number>`count(case when e.verifier_passed = ${dialect.flag(true)} then 1 end)`.as('passed'),
    ])
    .groupBy('e.variant')
    .execute()
  const capped = await selection
    .select(['e.variant', 'e.episode_id'])
    .where('e.violations', 'is not', null)
    .unionAll(
      db
        .selectFrom('ladder_episode_caps as c')
        .innerJoin('ladder_episodes as e', (join) =>
          join.onRef('e.ladder', '=', 'c.ladder').onRef('e.episode_id', '=', 'c.episode_id'),
        )
        .select(['e.variant', 'e.episode_id'])
        .where('c.ladder', '=', ladder)
        .where('e.split', '=', 'selection'),
    )
    .execute()
  const priced = costs
    ? await selection.select(['e.variant', 'e.cost']).where('e.cost', 'is not', null).execute()
    : []
  const cappedOf = grouped(capped.map((row) => [row.variant, row.episode_id]))
  const costsOf = grouped(priced.flatMap((row) => (row.cost === null ? [] : [[row.variant, row.cost]])))
  return new Map(
    counts.map(({ variant, episodes, shadow, verified, passed }) => [
      variant,
      {
        episodes,
        shadowEpisodes: shadow,
        capped: (cappedOf.get(variant) ?? []).sort(),
        verified: { n: verified, passed },
        cost: meanOf(costsOf.get(variant) ?? []),
      },
    ]),
  )
}

function grouped<T>(pairs: ReadonlyArray<readonly [key: string, item: T]>): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const [key, item] of pairs) {
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

export async function writeEpisodes(
  db: Database,
  dialect: Dialect,
  ladder: string,
  episodes: readonly Episode[],
  made: Made,
): Promise<void> {
  for (const episode of episodes) assertStorableEpisode(episode, made)
  for (const some of chunks(episodes, 500)) {
    await db
      .insertInto('ladder_episodes')
      .values(
        some.map(({ score, verifierPassed, ...episode }) => ({
          ladder,
          episode_id: episode.episodeId,
          variant: episode.variant,
          group_id: episode.groupId,
          split: episode.split,
          rung: episode.rung,
          score: score.kind === 'scored' ? withoutNegativeZero(score.value) : null,
          violations: score.kind === 'capped' ? JSON.stringify(score.violations) : null,
          verifier_passed: verifierPassed === null ? null : dialect.flag(verifierPassed),
          cost: episode.cost === null ? null : withoutNegativeZero(episode.cost),
          created_at: dialect.time(made.at),
          created_by: made.by,
        })),
      )
      .execute()
  }
}

export async function writeCap(
  db: Database,
  dialect: Dialect,
  ladder: string,
  episodeId: string,
  violations: readonly string[],
  made: Made,
): Promise<void> {
  assertStorableCap(violations, made)
  await db
    .insertInto('ladder_episode_caps')
    .values({
      ladder,
      episode_id: episodeId,
      violations: JSON.stringify(violations),
      created_at: dialect.time(made.at),
      created_by: made.by,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether the episode on one side of a comparison was capped after it had been issued. */
export function cappedLate(alias: string, side: 'a' | 'b') {
  return sql<SqlBool>`exists (
    select 1 from ladder_episode_caps k
    where k.ladder = ${sql.ref(`${alias}.ladder`)} and k.episode_id = ${sql.ref(`${alias}.${side}_episode_id`)}
  )`
}

function selectEpisodes(db: Database, dialect: Dialect) {
  return db
    .selectFrom('ladder_episodes as e')
    .leftJoin('ladder_episode_caps as c', (join) =>
      join.onRef('c.ladder', '=', 'e.ladder').onRef('c.episode_id', '=', 'e.episode_id'),
    )
    .select(['e.episode_id', 'e.variant', 'e.group_id', 'e.split', 'e.rung', 'e.score', 'e.violations'])
    .select(['e.verifier_passed', 'e.cost', 'e.created_by', 'c.violations as late_violations'])
    .select(dialect.timeText('e.created_at').as('created_at'))
    .select(sql<string | null>`${dialect.timeText('c.created_at')}`.as('capped_at'))
}

type EpisodeRow = Awaited<ReturnType<ReturnType<typeof selectEpisodes>['execute']>>[number]

function readEpisode(row: EpisodeRow): StoredEpisode {
  const violations = row.late_violations ?? row.violations
  const score: Score =
    violations === null
      ? { kind: 'scored', value: row.score! }
      : { kind: 'capped', violations: JSON.parse(violations) as string[] }
  return {
    episodeId: row.episode_id,
    variant: row.variant,
    groupId: row.group_id,
    split: row.split,
    rung: row.rung as Episode['rung'],
    score,
    verifierPassed: row.verifier_passed === null ? null : Boolean(row.verifier_passed),
    cost: row.cost,
    createdAt: row.created_at,
    createdBy: row.created_by,
    scoredBefore: row.late_violations === null ? null : row.score,
    cappedAt: row.capped_at,
  }
}
