import { DEFAULT_LADDER_CONFIG, type LadderConfig, type Mode } from './config.js'
import type { Slot } from './slots.js'

/** `trial` is a rung of pairwise ladders; `canary` and `ramp` are those of tournaments. */
export type Rung =
  | 'registered'
  | 'shadow'
  | 'trial'
  | 'canary'
  | 'ramp'
  | 'current'
  | 'rejected'
  | 'rolled_back'
  | 'superseded'

/** The way up, by mode. What is in neither list is terminal; only a rollback leads back from `superseded`. */
export const RUNGS: Readonly<Record<Mode, readonly Rung[]>> = {
  pairwise: ['registered', 'shadow', 'trial', 'current'],
  tournament: ['registered', 'shadow', 'canary', 'ramp', 'current'],
}

/** What is known of a version before it runs. A fact that is absent is not met. */
export interface Facts {
  readonly validated: boolean | null
  readonly sandboxClean: boolean | null
  /** Dimension to what the version declares to need. */
  readonly resourceProfile: Readonly<Record<string, number>>
}

/** The pointer to the live version. Never empty; each change raises the generation by one. */
export interface LivePointer {
  readonly version: string
  readonly generation: number
  /** RFC 3339. */
  readonly since: string
}

/** A variant as a ladder keeps it. Plain JSON; never deleted. */
export interface Variant {
  readonly version: string
  /** With them, the versions form a DAG: parents are registered before. */
  readonly parents: readonly string[]
  readonly commitSha: string | null
  readonly facts: Facts
  readonly rung: Rung
  /** The place in `rampShares` while on `ramp`; null elsewhere. */
  readonly rampStep: number | null
  /** Whether a person put it where it is: one that was lowered is not promoted by rule until it is raised again. */
  readonly placed: 'by_rule' | 'raised' | 'lowered'
  /** The part of the traffic it holds; empty for the live version, which has what is left. */
  readonly slots: readonly Slot[]
  /** The version it replaced when it first became live; null until then, and for the first live version. */
  readonly predecessor: string | null
  /** When it came onto its rung (or step of the ramp). */
  readonly since: {
    /** RFC 3339. */
    readonly at: string
    readonly generation: number
    /** The newest result of the ladder at that moment. */
    readonly sequence: number
  }
  /** How many of its capped episodes an alarm has told of, while it stayed live for want of a predecessor. */
  readonly alarmedCaps: number
}

/** Everything that decisions remember. The evidence is not part of it. */
export interface Ladder {
  readonly name: string
  readonly config: LadderConfig
  readonly live: LivePointer
  /** In the order of registration. */
  readonly variants: readonly Variant[]
}

export interface Registration {
  readonly version: string
  readonly parents: readonly string[]
  readonly commitSha: string | null
  readonly facts: Facts
}

const NO_FACTS: Facts = { validated: null, sandboxClean: null, resourceProfile: {} }

/** A new ladder: its live version starts as generation 1. */
export function newLadder(
  name: string,
  config: Partial<LadderConfig>,
  liveVersion: string,
  now: string,
): Ladder {
  const first: Registration = { version: liveVersion, parents: [], commitSha: null, facts: NO_FACTS }
  return {
    name,
    config: { ...DEFAULT_LADDER_CONFIG, ...config },
    live: { version: liveVersion, generation: 1, since: now },
    variants: [{ ...newVariant(first, { at: now, generation: 1, sequence: 0 }), rung: 'current' }],
  }
}

export type Registered =
  | { readonly ok: true; readonly ladder: Ladder }
  | { readonly ok: false; readonly why: 'known_version' }
  | { readonly ok: false; readonly why: 'unknown_parents'; readonly parents: readonly string[] }

/** Adds a variant on `registered`; evaluating the ladder moves it on. An id is taken for ever, also by what was rolled back. */
export function register(ladder: Ladder, registration: Registration, now: string): Registered {
  if (findVariant(ladder, registration.version)) return { ok: false, why: 'known_version' }
  const unknown = registration.parents.filter((parent) => !findVariant(ladder, parent))
  if (unknown.length > 0) return { ok: false, why: 'unknown_parents', parents: unknown }
  const variant = newVariant(registration, { at: now, generation: ladder.live.generation, sequence: 0 })
  return { ok: true, ladder: { ...ladder, variants: [...ladder.variants, variant] } }
}

function newVariant(registration: Registration, since: Variant['since']): Variant {
  return {
    ...registration,
    rung: 'registered',
    rampStep: null,
    placed: 'by_rule',
    slots: [],
    predecessor: null,
    since,
    alarmedCaps: 0,
  }
}

export function findVariant(ladder: Ladder, version: string): Variant | undefined {
  return ladder.variants.find((variant) => variant.version === version)
}

/** @throws RangeError for a version that the ladder does not have: the stored ladder is broken */
export function variantOf(ladder: Ladder, version: string): Variant {
  const variant = findVariant(ladder, version)
  if (variant === undefined) throw new RangeError(`the ladder has no version ${JSON.stringify(version)}`)
  return variant
}

/** Puts changed facts in place; evaluating the ladder draws the consequences. */
export function withFacts(ladder: Ladder, version: string, facts: Facts): Ladder {
  return replaceVariant(ladder, { ...variantOf(ladder, version), facts })
}

export function replaceVariant(ladder: Ladder, changed: Variant): Ladder {
  return {
    ...ladder,
    variants: ladder.variants.map((variant) => (variant.version === changed.version ? changed : variant)),
  }
}

/** The version that a rollback restores: the nearest predecessor that was not itself rolled back; null when there is none. */
export function predecessorOf(ladder: Ladder, version: string): Variant | null {
  let at = variantOf(ladder, version).predecessor
  while (at !== null) {
    const variant = variantOf(ladder, at)
    if (variant.rung !== 'rolled_back') return variant
    at = variant.predecessor
  }
  return null
}

/** Whether a variant is on its way up: neither live nor at an end. */
export function isChallenger(variant: Variant): boolean {
  return (
    variant.rung === 'shadow' ||
    variant.rung === 'trial' ||
    variant.rung === 'canary' ||
    variant.rung === 'ramp'
  )
}
