import { setImmediate } from 'node:timers/promises'
import type { Sliced } from '../gate/slices.js'

/** Runs sliced work to its end; other work of the process has its turn in every pause. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await setImmediate()
  }
}
