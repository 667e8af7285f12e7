/** What every view is given: the parameters of its address. */
export interface ViewProps {
  readonly params: ReadonlyMap<string, string>
}
