/**
 * Traffic is cut into slots, and a challenger holds ranges of them. Which ones is remembered, so that a change of one
 * share moves the units between that variant and the live version alone. (Rejected: ranges computed from the shares
 * of the moment, where one challenger's growth shifts all that are stacked above it.)
 */
export const SLOTS = 1_000_000

/** From the first number up to, and without, the second. */
export type Slot = readonly [from: number, to: number]

export function slotCount(slots: readonly Slot[]): number {
  return slots.reduce((sum, [from, to]) => sum + to - from, 0)
}

export function slotsOfShare(share: number): number {
  return Math.round(share * SLOTS)
}

export function holdsSlot(slots: readonly Slot[], slot: number): boolean {
  return slots.some(([from, to]) => from <= slot && slot < to)
}

/**
 * Brings a holding to a size: what it has it keeps, what it lacks comes from the lowest free slots, what is too much
 * goes from the end.
 * @param others what other challengers hold
 * @returns null when too little is free
 */
export function resize(own: readonly Slot[], others: readonly Slot[], size: number): Slot[] | null {
  const kept = take(own, size)
  const missing = size - slotCount(kept)
  const added = take(gaps([...own, ...others]), missing)
  if (slotCount(added) < missing) return null
  return merge([...kept, ...added])
}

function take(slots: readonly Slot[], size: number): Slot[] {
  const taken: Slot[] = []
  let left = size
  for (const [from, to] of slots) {
    if (left <= 0) break
    const end = Math.min(to, from + left)
    taken.push([from, end])
    left -= end - from
  }
  return taken
}

/** What a set of ranges that do not overlap leaves free. */
function gaps(held: readonly Slot[]): Slot[] {
  const free: Slot[] = []
  let at = 0
  for (const [from, to] of sorted(held)) {
    if (from > at) free.push([at, from])
    at = to
  }
  if (at < SLOTS) free.push([at, SLOTS])
  return free
}

function merge(slots: readonly Slot[]): Slot[] {
  const merged: Slot[] = []
  for (const [from, to] of sorted(slots)) {
    const last = merged.at(-1)
    if (last?.[1] === from) merged[merged.length - 1] = [last[0], to]
    else merged.push([from, to])
  }
  return merged
}

function sorted(slots: readonly Slot[]): Slot[] {
  return [...slots].sort((left, right) => left[0] - right[0])
}
