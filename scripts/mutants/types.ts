/** One small change that the named tests must notice. */
export interface Mutant {
  /** What the change breaks, in a few words. */
  readonly name: string
  /** The source it is made in. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** Sources of the tests of which at least one must fail. */
  readonly tests: readonly string[]
}
