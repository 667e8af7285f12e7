import { type Static, Type } from 'typebox'
import { Document, Nullable, TimestampSchema } from './common.js'
import { PageSchema } from './page.js'

const CellSchema = Document({
  task: Type.String(),
  harness: Type.String(),
  repeat: Type.Integer({ description: 'from 1' }),
})
export type CellDocument = Static<typeof CellSchema>

function cells(what: string) {
  return Type.Array(CellSchema, {
    description: `${what}; the first list_limit, counts tells how many there are`,
  })
}

const figures = {
  mean_reward: Nullable(Type.Number({ description: 'over the scored cells; null where there is none' })),
  pass_rate: Nullable(Type.Number({ description: 'the part of the scored cells that reach pass_threshold' })),
  scored_n: Type.Integer({ description: 'cells that mean_reward and pass_rate rest on' }),
}
const groupFigures = {
  planned_cells: Type.Integer(),
  ...figures,
  errored: Type.Integer(),
  unscored: Type.Integer(),
  missing: Type.Integer(),
  dry_run: Type.Integer(),
}

const headProperties = {
  complete: Type.Boolean({ description: 'every planned cell has exactly one row, and a score' }),
  outcome: Type.Enum(['pass', 'fail']),
  grid_id: Type.String(),
  created_at: TimestampSchema,
  name: Nullable(Type.String()),
  dry_run: Type.Boolean({ description: 'whether the plan was a dry run' }),
  repeats: Type.Integer(),
  reward_range: Nullable(Document({ min: Type.Number(), max: Type.Number() })),
  pass_threshold: Type.Number(),
  counts: Document({
    planned_cells: Type.Integer({ description: 'tasks times harnesses times repeats' }),
    scored: Type.Integer({ description: 'rows' }),
    errored: Type.Integer({ description: 'rows with an error' }),
    unscored: Type.Integer({ description: 'rows whose reward is no finite number within reward_range' }),
    missing: Type.Integer({ description: 'planned cells without a row' }),
    duplicate: Type.Integer({ description: 'rows beyond the first of a cell' }),
    unplanned: Type.Integer({ description: 'rows of no planned cell' }),
    dry_run: Type.Integer({ description: 'rows of a dry run under a dry plan' }),
  }),
  ...figures,
}

/** A grid in a list: all but its cells and the figures of each task and harness. */
export const GridHeadSchema = Document(headProperties)
export type GridHead = Static<typeof GridHeadSchema>

const detailProperties = {
  cells: Document({
    missing: cells('planned cells without a row, in the order of the plan'),
    errored: cells('rows'),
    unscored: cells('rows'),
    duplicate: cells('rows'),
    unplanned: cells('rows'),
  }),
  list_limit: Type.Integer({ description: 'entries that each list of cells holds at most' }),
  by_task: Type.Array(
    Document({ task: Type.String(), ...groupFigures }, 'cells by the state of their first row'),
  ),
  by_harness: Type.Array(
    Document({ harness: Type.String(), ...groupFigures }, 'cells by the state of their first row'),
  ),
}
export const GridDetailSchema = Document(detailProperties)
export type GridDetail = Static<typeof GridDetailSchema>

export const GridSchema = Document({ ...headProperties, ...detailProperties })
export type GridDocument = Static<typeof GridSchema>

export const GridPageSchema = PageSchema(GridHeadSchema)
export type GridPage = Static<typeof GridPageSchema>

/** A row as it was sent; what was left out has its default. */
export const GridRowSchema = Document({
  task: Type.String(),
  harness: Type.String(),
  repeat: Type.Integer(),
  reward: Type.Unknown({ description: 'as it was sent' }),
  error: Type.Unknown({ description: 'as it was sent; null where there was none' }),
  dry_run: Type.Boolean(),
  metrics: Nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
})
export type GridRowDocument = Static<typeof GridRowSchema>

export const GridRowPageSchema = PageSchema(GridRowSchema)
export type GridRowPage = Static<typeof GridRowPageSchema>
