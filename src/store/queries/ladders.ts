/** Ladders, their variants and the pointer to the live version. */
import { sql } from 'kysely'
import type { LadderConfig } from '../../promotion/config.js'
import type { Ladder, LivePointer, Variant } from '../../promotion/ladder.js'
import { LadderMoved, type Made, type StoredLadder } from '../ladders.js'
import { assertStorableLadder, assertStorableLive, assertStorableVariant } from '../ladder-checks.js'
import type { Database, Dialect } from './dialect.js'
import { forDialect, statement } from './statement.js'

const selectLive = forDialect((dialect) =>
  statement((db, { ladder }: { ladder: string }) =>
    selectGenerations(db, dialect)
      .where('g.ladder', '=', ladder)
      .orderBy('g.generation', 'desc')
      .limit(sql.lit(1)),
  ),
)

export async function readLive(db: Database, dialect: Dialect, ladder: string): Promise<LivePointer | null> {
  const [row] = await selectLive(dialect)(db, { ladder })
  return row ?? null
}

export async function readGeneration(
  db: Database,
  dialect: Dialect,
  ladder: string,
  generation: number,
): Promise<LivePointer | null> {
  const row = await selectGenerations(db, dialect)
    .where('g.ladder', '=', ladder)
    .where('g.generation', '=', generation)
    .executeTakeFirst()
  return row ?? null
}

function selectGenerations(db: Database, dialect: Dialect) {
  return db
    .selectFrom('ladder_generations as g')
    .select(['g.version', 'g.generation', dialect.timeText('g.since').as('since')])
}

export async function findLadder(
  db: Database,
  dialect: Dialect,
  ladder: string,
): Promise<StoredLadder | null> {
  const rows = await selectLadders(db, dialect).where('l.ladder', '=', ladder).execute()
  const [found] = await withVariants(db, dialect, rows)
  return found ?? null
}

export async function listLadders(
  db: Database,
  dialect: Dialect,
  { limit, after }: { limit: number; after: string | null },
): Promise<StoredLadder[]> {
  const name = dialect.byCodePoint('l.ladder')
  const rows = await selectLadders(db, dialect)
    .$if(after !== null, (query) => query.where(name, '>', after))
    .orderBy(name)
    .limit(limit)
    .execute()
  return withVariants(db, dialect, rows)
}

function selectLadders(db: Database, dialect: Dialect) {
  return db
    .selectFrom('ladders as l')
    .innerJoin('ladder_generations as g', (join) =>
      join.onRef('g.ladder', '=', 'l.ladder').on('g.generation', '=', (from) =>
        from
          .selectFrom('ladder_generations as m')
          .select(({ fn }) => fn.max('m.generation').as('newest'))
          .whereRef('m.ladder', '=', 'l.ladder'),
      ),
    )
    .select(['l.ladder', 'l.config', 'l.created_by', 'g.generation', 'g.version'])
    .select([dialect.timeText('l.created_at').as('created_at'), dialect.timeText('g.since').as('since')])
}

type LadderRow = Awaited<ReturnType<ReturnType<typeof selectLadders>['execute']>>[number]

async function withVariants(
  db: Database,
  dialect: Dialect,
  rows: readonly LadderRow[],
): Promise<StoredLadder[]> {
  if (rows.length === 0) return []
  const names = rows.map(({ ladder }) => ladder)
  const states = await db
    .selectFrom('ladder_variants as v')
    .innerJoin('ladder_variant_states as s', (join) =>
      join
        .onRef('s.ladder', '=', 'v.ladder')
        .onRef('s.version', '=', 'v.version')
        .on('s.revision', '=', (from) =>
          from
            .selectFrom('ladder_variant_states as m')
            .select(({ fn }) => fn.max('m.revision').as('newest'))
            .whereRef('m.ladder', '=', 'v.ladder')
            .whereRef('m.version', '=', 'v.version'),
        ),
    )
    .select(['v.ladder', 'v.version', 'v.parents', 'v.commit_sha', 's.revision', 's.state'])
    .where(dialect.isOneOf('v.ladder', names))
    .orderBy('v.position')
    .execute()
  const byLadder = new Map(
    names.map((name) => [name, { variants: [] as Variant[], revisions: new Map<string, number>() }]),
  )
  for (const row of states) {
    const { variants, revisions } = byLadder.get(row.ladder)!
    variants.push({
      version: row.version,
      parents: JSON.parse(row.parents) as string[],
      commitSha: row.commit_sha,
      ...(JSON.parse(row.state) as VariantState),
    })
    revisions.set(row.version, row.revision)
  }
  return rows.map((row) => {
    const { variants, revisions } = byLadder.get(row.ladder)!
    const { version, generation, since } = row
    return {
      ladder: {
        name: row.ladder,
        config: JSON.parse(row.config) as LadderConfig,
        live: { version, generation, since },
        variants,
      },
      revisions,
      createdAt: row.created_at,
      createdBy: row.created_by,
    }
  })
}

/** What changes of a variant. */
type VariantState = Omit<Variant, 'version' | 'parents' | 'commitSha'>

export async function writeLadder(
  db: Database,
  dialect: Dialect,
  ladder: Ladder,
  made: Made,
): Promise<boolean> {
  assertStorableLadder(ladder, made)
  const { name, config, live, variants } = ladder
  const inserted = await db
    .insertInto('ladders')
    .values({
      ladder: name,
      config: JSON.stringify(config),
      created_at: dialect.time(made.at),
      created_by: made.by,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('ladder')
    .execute()
  if (inserted.length === 0) return false
  await insertGeneration(db, dialect, name, live)
  for (const [position, variant] of variants.entries()) {
    await writeVariant(db, dialect, name, position, variant, made)
  }
  const series = new Map(config.driftSeries.map((one) => [JSON.stringify(one), one]))
  if (series.size > 0) {
    await db
      .insertInto('ladder_drift_series')
      .values(
        [...series.values()].map(({ testPath, backend, suite }) => ({
          test_path: testPath,
          backend,
          suite,
          ladder: name,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  return true
}

export async function writeVariant(
  db: Database,
  dialect: Dialect,
  ladder: string,
  position: number,
  variant: Variant,
  made: Made,
): Promise<boolean> {
  assertStorableVariant(variant, made)
  const inserted = await db
    .insertInto('ladder_variants')
    .values({
      ladder,
      version: variant.version,
      position,
      parents: JSON.stringify(variant.parents),
      commit_sha: variant.commitSha,
      created_at: dialect.time(made.at),
      created_by: made.by,
    })
    .onConflict((conflict) => conflict.columns(['ladder', 'version']).doNothing())
    .returning('version')
    .execute()
  if (inserted.length === 0) return false
  await writeVariantState(db, ladder, variant, 0)
  return true
}

export async function writeVariantState(
  db: Database,
  ladder: string,
  variant: Variant,
  revision: number,
): Promise<void> {
  const { version, parents: _parents, commitSha: _commitSha, ...state } = variant
  const inserted = await db
    .insertInto('ladder_variant_states')
    .values({
      ladder,
      version,
      revision: revision + 1,
      state: JSON.stringify(state satisfies VariantState),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('revision')
    .execute()
  if (inserted.length === 0) throw new LadderMoved(`${version} has changed meanwhile`)
}

export async function writeLive(
  db: Database,
  dialect: Dialect,
  ladder: string,
  live: LivePointer,
): Promise<void> {
  assertStorableLive(live)
  const before = await readLive(db, dialect, ladder)
  const follows = before?.generation === live.generation - 1
  // Whoever read the same generation at the same moment finds the row taken: the key is the comparison.
  if (!follows || !(await insertGeneration(db, dialect, ladder, live))) {
    throw new LadderMoved(`generation ${live.generation} does not follow what is live now`)
  }
}

async function insertGeneration(
  db: Database,
  dialect: Dialect,
  ladder: string,
  live: LivePointer,
): Promise<boolean> {
  const inserted = await db
    .insertInto('ladder_generations')
    .values({
      ladder,
      generation: live.generation,
      version: live.version,
      since: dialect.time(live.since),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('generation')
    .execute()
  return inserted.length > 0
}
