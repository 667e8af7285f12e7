import type { Declaration } from '../gate/declarations.js'
import { LAST_STEP, MEAN_STEP } from '../gate/run.js'
import type { Steps } from '../gate/steps.js'
import { CoordinateHistory } from './coordinate-history.js'

/** One metric of one series as far as the replay has come. */
export class MetricHistory {
  readonly coordinates = new Map<number, CoordinateHistory>()
  /** The newest run that holds a value which the declaration chooses. */
  lastRun = -1
  comparisons = 0
  eligibleComparisons = 0
  coldStarts = 0
  /** Required coordinates that a run has held: from there on every run must hold them. */
  readonly #required: CoordinateHistory[] = []
  readonly #chooses: (step: number) => boolean
  readonly #windowSize: number

  constructor(
    readonly metricKey: string,
    /** null where nothing judges the metric. */
    readonly declaration: Declaration | null,
    windowSize: number,
  ) {
    this.#chooses = declaration === null ? () => false : chooserOf(declaration.steps)
    this.#windowSize = windowSize
  }

  /** The history of a coordinate, which begins with its first stored value. */
  at(step: number): CoordinateHistory {
    let coordinate = this.coordinates.get(step)
    if (coordinate === undefined) {
      const rule = this.declaration !== null && this.#chooses(step) ? this.declaration.rule : null
      coordinate = new CoordinateHistory(this.metricKey, step, rule, this.#windowSize)
      this.coordinates.set(step, coordinate)
      if (rule !== null && this.declaration!.steps.kind !== 'all') this.#required.push(coordinate)
    }
    return coordinate
  }

  /**
   * What a run lacks of the metric, given the history so far: the required steps (ascending), none of them where
   * `steps` is "all" and the run holds nothing of it; null where it lacks nothing.
   */
  missingIn(run: number): number[] | null {
    if (this.declaration?.steps.kind === 'all') return this.lastRun === -1 || this.lastRun === run ? null : []
    let missing: number[] | null = null
    for (const coordinate of this.#required) {
      if (coordinate.lastRun !== run) (missing ??= []).push(coordinate.step)
    }
    return missing
  }
}

/** Which of the stored steps a declaration judges. */
function chooserOf(steps: Steps): (step: number) => boolean {
  switch (steps.kind) {
    case 'last':
      return (step) => step === LAST_STEP
    case 'mean':
      return (step) => step === MEAN_STEP
    case 'all':
      return (step) => step >= 0
    case 'list': {
      const chosen = new Set(steps.steps)
      return (step) => chosen.has(step)
    }
  }
}
