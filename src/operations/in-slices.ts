import type { Sliced } from '../gate/slices.js'
import { nextTurn } from '../next-turn.js'

/** Runs sliced work to its end; other work of the process has its turn in every pause. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await nextTurn()
  }
}
