import { decimalPlaces, doubleQuotient, unitsOf } from './decimals.js'
import type { CellState, Figures, FirstRow, GridReport, GridRequest, GroupFigures } from './grid-report.js'
import { COSTLY_SLICE, SLICE, type Sliced } from '../gate/slices.js'

class Group {
  readonly #states: Record<CellState, number> = { planned: 0, errored: 0, scored: 0, unscored: 0 }
  #sum = 0n
  #passed = 0

  count(state: CellState): void {
    this.#states[state]++
  }

  addReward(units: bigint, isPass: boolean): void {
    this.#sum += units
    if (isPass) this.#passed++
  }

  figures(places: number): Figures {
    const n = this.#states.scored
    return { meanReward: this.#mean(places), passRate: this.#passRate(), scoredN: n }
  }

  /** Each member by name: a spread copies an object in microseconds, and there may be 100,000 groups. */
  groupFigures(plannedCells: number, places: number): GroupFigures {
    const { planned, errored, scored, unscored } = this.#states
    return {
      plannedCells,
      meanReward: this.#mean(places),
      passRate: this.#passRate(),
      scoredN: scored,
      errored,
      unscored,
      dryRun: planned,
      missing: plannedCells - planned - errored - scored - unscored,
    }
  }

  #mean(places: number): number | null {
    const n = this.#states.scored
    return n === 0 ? null : doubleQuotient(this.#sum, n, places)
  }

  #passRate(): number | null {
    const n = this.#states.scored
    return n === 0 ? null : this.#passed / n
  }
}

/** Mean reward and pass rate of all planned cells, of each task and of each harness. Sums are exact. */
export function* summarize(
  { plan, passThreshold }: Omit<GridRequest, 'rows'>,
  firstRows: readonly FirstRow[],
): Sliced<Figures & Pick<GridReport, 'byTask' | 'byHarness'>> {
  let places = 0
  for (const [index, { reward }] of firstRows.entries()) {
    if (index % SLICE === SLICE - 1) yield
    places = Math.max(places, decimalPlaces(reward))
  }
  const all = new Group()
  const byTask = plan.tasks.map(() => new Group())
  const byHarness = plan.harnesses.map(() => new Group())
  for (const [index, { task, harness, state, reward }] of firstRows.entries()) {
    if (index % SLICE === SLICE - 1) yield
    const units = unitsOf(reward, places)
    for (const group of [all, byTask[task]!, byHarness[harness]!]) {
      group.count(state)
      if (state === 'scored') group.addReward(units, reward >= passThreshold)
    }
  }
  const cellsOfTask = plan.harnesses.length * plan.repeats
  const cellsOfHarness = plan.tasks.length * plan.repeats
  return {
    ...all.figures(places),
    byTask: yield* listGroups(byTask, cellsOfTask, places, (index) => ({ task: plan.tasks[index]! })),
    byHarness: yield* listGroups(byHarness, cellsOfHarness, places, (index) => ({
      harness: plan.harnesses[index]!,
    })),
  }
}

function* listGroups<Name extends object>(
  groups: readonly Group[],
  plannedCells: number,
  places: number,
  nameOf: (index: number) => Name,
): Sliced<Array<Name & GroupFigures>> {
  const listed: Array<Name & GroupFigures> = []
  for (const [index, group] of groups.entries()) {
    if (index % COSTLY_SLICE === COSTLY_SLICE - 1) yield
    listed.push(Object.assign(nameOf(index), group.groupFigures(plannedCells, places)))
  }
  return listed
}
