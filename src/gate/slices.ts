/**
 * Work that pauses now and then: every pause is a chance for its caller to let other work run. The rules stay pure;
 * who drives them decides what happens in a pause.
 */
export type Sliced<T> = Generator<void, T, void>

/** Steps of a loop between two pauses, where a step costs some microseconds at most. */
export const SLICE = 2_048
/** The same where a step divides decimals. */
export const COSTLY_SLICE = 256

/** Runs work to its end in one go. */
export function runToEnd<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
