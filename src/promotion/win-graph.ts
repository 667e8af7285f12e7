import { compareText } from './order.js'

/** The results between two variants. */
export interface PairTally {
  readonly a: string
  readonly b: string
  readonly winsA: number
  readonly winsB: number
  readonly ties: number
}

/** Who can be measured against whom. All lists are sorted, so that equal results give equal bytes. */
export interface WinGraph {
  /** Variants that comparisons link at all, directly or through others. More than one: the graph is disconnected. */
  readonly components: readonly (readonly string[])[]
  /**
   * Variants with a chain of wins or ties in both directions. Only among these does the likelihood have a maximum at
   * finite strengths (L. R. Ford, Solution of a ranking problem from binary comparisons, 1957).
   */
  readonly measurable: readonly (readonly string[])[]
}

export function winGraph(pairs: readonly PairTally[]): WinGraph {
  const linked = new Map<string, Set<string>>()
  const beaten = new Map<string, Set<string>>()
  const beatenBy = new Map<string, Set<string>>()
  for (const { a, b, winsA, winsB, ties } of pairs) {
    if (winsA + winsB + ties === 0) continue
    for (const [from, to, holds] of [
      [a, b, winsA + ties > 0],
      [b, a, winsB + ties > 0],
    ] as const) {
      neighbours(linked, from).add(to)
      neighbours(beaten, from)
      neighbours(beatenBy, from)
      if (!holds) continue
      neighbours(beaten, from).add(to)
      neighbours(beatenBy, to).add(from)
    }
  }
  const variants = [...linked.keys()].sort(compareText)
  return {
    components: classes(variants, (variant) => reachable(linked, variant)),
    measurable: classes(variants, (variant) => {
      const backwards = reachable(beatenBy, variant)
      return new Set([...reachable(beaten, variant)].filter((other) => backwards.has(other)))
    }),
  }
}

function neighbours(graph: Map<string, Set<string>>, variant: string): Set<string> {
  const known = graph.get(variant)
  if (known) return known
  const created = new Set<string>()
  graph.set(variant, created)
  return created
}

function reachable(graph: Map<string, Set<string>>, start: string): Set<string> {
  const seen = new Set([start])
  // A set yields what is added to it while it is read.
  for (const variant of seen) for (const next of graph.get(variant) ?? []) seen.add(next)
  return seen
}

function classes(variants: readonly string[], classOf: (variant: string) => ReadonlySet<string>): string[][] {
  const found: string[][] = []
  const placed = new Set<string>()
  for (const variant of variants) {
    if (placed.has(variant)) continue
    const members = [...classOf(variant)].sort(compareText)
    for (const member of members) placed.add(member)
    found.push(members)
  }
  return found
}
