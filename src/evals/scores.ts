/** Whether a value as it was sent is a score: a finite number; no boolean, no text that looks like one. */
export function isScore(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** What a verdict that cannot decide counts as. */
export type OnInconclusive = 'pass' | 'fail'
