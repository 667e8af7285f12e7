import type { Mutant } from './types.js'

/** The committed list, by the folder that is changed. */
export const mutants: readonly Mutant[] = []
