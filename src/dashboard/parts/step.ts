/** Steps in words: two numbers stand for values that are no step's own. */
const LAST = -1
const MEAN = -2

export function stepWord(step: number | null): string {
  if (step === null) return '—'
  return step === LAST ? 'last' : step === MEAN ? 'mean' : String(step)
}

/** `step 3`, `last value`, `mean of the steps`. */
export function stepPhrase(step: number): string {
  return step === LAST ? 'last value' : step === MEAN ? 'mean of the steps' : `step ${step}`
}
