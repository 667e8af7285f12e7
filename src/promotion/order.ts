/** Sorts by UTF-16 units: the same on every machine, unlike `localeCompare`. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
