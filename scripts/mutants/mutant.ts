/** One small change that the named tests must notice. */
export interface Mutant {
  /** What the change breaks, in a few words. */
  readonly name: string
  /** The source it is made in. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** Sources of the tests of which at least one must fail; behind one, what it is called with. */
  readonly tests: readonly string[]
}

/** Several changes to one file that the same tests must notice: name, text, replacement. */
export function changesTo(
  file: string,
  tests: readonly string[],
  changes: ReadonlyArray<readonly [name: string, find: string, replace: string]>,
): Mutant[] {
  return changes.map(([name, find, replace]) => ({ name, file, find, replace, tests }))
}

/** The contract of the store, on SQLite, whose suite starts faster; shared queries are the same on both backends. */
export function contractOf(...subjects: readonly string[]): string[] {
  return [`test/store/sqlite.test.ts ${subjects.join(' ')}`]
}
