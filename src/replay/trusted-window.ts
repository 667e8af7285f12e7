import type { Timestamp } from '../gate/run.js'

/** The baseline of one moment, or the time of the group of equal times through which the window would cut. */
export type WindowAt =
  | { readonly ambiguous: false; readonly values: readonly number[] }
  | { readonly ambiguous: true; readonly cutAt: Timestamp }

/**
 * The newest trusted finite values of one coordinate, as many as a baseline can need.
 *
 * One value more than the window is kept, to tell whether the window ends between two times or within one. The values
 * of the newest time stand apart: they belong to no history of their own time.
 */
export class TrustedWindow {
  readonly #size: number
  /** Oldest first; values of one run ascending, since the greater counts as the newer. */
  readonly #values: number[] = []
  readonly #times: Timestamp[] = []
  /** Where the values of the newest time begin. */
  #newest = 0
  /** Where the values of the newest run begin. */
  #run = 0
  #runOrdinal = -1

  constructor(size: number) {
    this.#size = size
  }

  /** @param runOrdinal tells runs apart; values come in the order of their runs, oldest first */
  add(value: number, createdAt: Timestamp, runOrdinal: number): void {
    const values = this.#values
    if (runOrdinal !== this.#runOrdinal) {
      if (this.#times.at(-1) !== createdAt) this.#newest = values.length
      this.#trim()
      this.#runOrdinal = runOrdinal
      this.#run = values.length
    }
    let at = values.length
    while (at > this.#run && values[at - 1]! > value) at--
    if (at === values.length) values.push(value)
    else values.splice(at, 0, value)
    this.#times.push(createdAt)
  }

  /** What a value of this time, not earlier than any added, is judged by: strictly earlier values, newest first. */
  before(createdAt: Timestamp): WindowAt {
    const times = this.#times
    const end = times.at(-1) === createdAt ? this.#newest : times.length
    const start = Math.max(0, end - this.#size)
    if (start > 0 && times[start - 1] === times[start]) return { ambiguous: true, cutAt: times[start]! }
    const values: number[] = []
    for (let i = end - 1; i >= start; i--) values.push(this.#values[i]!)
    return { ambiguous: false, values }
  }

  /** Drops what no baseline can need any more; now and then, so that a value costs no shifting of the others. */
  #trim(): void {
    const kept = this.#size + 1
    if (this.#newest > 2 * kept) this.#drop(0, this.#newest - kept)
    // Of a time with more values than the window only its newest ones matter: every cut through it is ambiguous.
    if (this.#times.length - this.#newest > 2 * kept) this.#drop(this.#newest, this.#times.length - kept)
  }

  #drop(from: number, to: number): void {
    this.#values.splice(from, to - from)
    this.#times.splice(from, to - from)
    if (from < this.#newest) this.#newest -= to - from
  }
}
