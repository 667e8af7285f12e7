/** A fault in what was sent: where it stands (`declarations/0/steps`, `record[0]:17`, `test_file:12`) and what would be right. */
export interface Fault {
  readonly where: string
  readonly message: string
}

/** An expected refusal is a value with its reasons; an exception means a broken system. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | Refused
export interface Refused {
  readonly ok: false
  readonly faults: readonly Fault[]
}

export function accepted<T>(value: T): Outcome<T> {
  return { ok: true, value }
}

export function refused(...faults: Fault[]): Refused {
  return { ok: false, faults }
}
