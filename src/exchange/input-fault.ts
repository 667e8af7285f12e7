import type { Fault } from '../gate/outcome.js'

/** A file of runs that cannot be taken: thrown by its readers, since what is wrong may show only at its end. */
export class InputFault extends Error {
  override readonly name = 'InputFault'
  readonly faults: readonly [Fault, ...Fault[]]

  constructor(...faults: [Fault, ...Fault[]]) {
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
    super(`${faults[0].where}: ${faults[0].message}${more}`)
    this.faults = faults
  }
}
