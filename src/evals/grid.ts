import { accepted, type Outcome } from '../gate/outcome.js'
import type { Listed } from '../replay/report.js'
import { FirstItems, LIST_LIMIT } from './first-items.js'
import { checkGrid } from './grid-checks.js'
import { summarize } from './grid-figures.js'
import type { Cell, CellState, FirstRow, GridPlan, GridReport, GridRequest, GridRow } from './grid-report.js'
import { isScore } from './scores.js'
import { SLICE, type Sliced } from '../gate/slices.js'

/** The state of one row: exactly one of the four. A reward of 0 is a result: the verifier said no. */
export function stateOf(row: GridRow, { plan, rewardRange }: Omit<GridRequest, 'rows'>): CellState {
  if (plan.dryRun && row.dryRun) return 'planned'
  if (row.error !== null && row.error !== undefined) return 'errored'
  const { reward } = row
  if (!isScore(reward)) return 'unscored'
  if (rewardRange !== null && (reward < rewardRange.min || reward > rewardRange.max)) return 'unscored'
  return 'scored'
}

/**
 * Is a grid complete: has every planned cell exactly one row, with a score (or, in a dry run, planned)? A grid that is
 * not is a `fail`, however good the rest of it looks.
 * @returns the report, or what is wrong with the plan; nothing is counted then
 */
export function* judgeGrid(request: GridRequest, listLimit = LIST_LIMIT): Sliced<Outcome<GridReport>> {
  const faults = checkGrid(request)
  if (faults.length > 0) return { ok: false, faults }
  const { plan, rows } = request
  const tasks = new Map(plan.tasks.map((task, index) => [task, index]))
  const harnesses = new Map(plan.harnesses.map((harness, index) => [harness, index]))
  const lists = {
    planned: new FirstItems<Cell>(listLimit),
    errored: new FirstItems<Cell>(listLimit),
    scored: new FirstItems<Cell>(0),
    unscored: new FirstItems<Cell>(listLimit),
    duplicate: new FirstItems<Cell>(listLimit),
    unplanned: new FirstItems<Cell>(listLimit),
  }
  const seen = new Set<number>()
  const firstRows: FirstRow[] = []
  for (const [index, row] of rows.entries()) {
    if (index % SLICE === SLICE - 1) yield
    const state = stateOf(row, request)
    const cell = { task: row.task, harness: row.harness, repeat: row.repeat }
    lists[state].push(cell)
    const task = tasks.get(row.task)
    const harness = harnesses.get(row.harness)
    if (task === undefined || harness === undefined || !isRepeat(row.repeat, plan)) {
      lists.unplanned.push(cell)
      continue
    }
    const key = (task * plan.harnesses.length + harness) * plan.repeats + row.repeat - 1
    if (seen.has(key)) {
      lists.duplicate.push(cell)
      continue
    }
    seen.add(key)
    firstRows.push({ task, harness, state, reward: state === 'scored' ? (row.reward as number) : 0 })
  }
  const plannedCells = plan.tasks.length * plan.harnesses.length * plan.repeats
  const missing = missingCells(plan, seen, plannedCells - seen.size, listLimit)
  const figures = yield* summarize(request, firstRows)
  const done = firstRows.every(({ state }) => state === 'scored' || state === 'planned')
  const complete = done && missing.total === 0 && lists.duplicate.total === 0 && lists.unplanned.total === 0
  return accepted({
    complete,
    outcome: complete ? 'pass' : 'fail',
    counts: {
      plannedCells,
      scored: lists.scored.total,
      errored: lists.errored.total,
      unscored: lists.unscored.total,
      missing: missing.total,
      duplicate: lists.duplicate.total,
      unplanned: lists.unplanned.total,
      dryRun: lists.planned.total,
    },
    cells: {
      missing,
      errored: lists.errored.list(),
      unscored: lists.unscored.list(),
      duplicate: lists.duplicate.list(),
      unplanned: lists.unplanned.list(),
    },
    ...figures,
  })
}

function isRepeat(repeat: number, { repeats }: GridPlan): boolean {
  return Number.isInteger(repeat) && repeat >= 1 && repeat <= repeats
}

/** The first missing cells; it looks at no more cells than are seen or listed, as a plan may have billions. */
function missingCells(
  { tasks, harnesses, repeats }: GridPlan,
  seen: ReadonlySet<number>,
  total: number,
  limit: number,
): Listed<Cell> {
  const items: Cell[] = []
  const wanted = Math.min(total, limit)
  for (let key = 0; items.length < wanted; key++) {
    if (seen.has(key)) continue
    const pair = Math.floor(key / repeats)
    items.push({
      task: tasks[Math.floor(pair / harnesses.length)]!,
      harness: harnesses[pair % harnesses.length]!,
      repeat: (key % repeats) + 1,
    })
  }
  return { items, total }
}
