import type { Ladder, Rung } from './ladder.js'
import { holdsSlot, SLOTS } from './slots.js'

/**
 * Who serves a unit (a user, a request key): the same version each time, until shares change; then only units move
 * that come from or go to the live version. Ladders assign independently of each other: the name is part of the hash.
 */
export function assign(
  ladder: Pick<Ladder, 'name' | 'live' | 'variants'>,
  unit: string,
): { version: string; rung: Rung } {
  const slot = Math.floor((murmur3(unit, murmur3(ladder.name, 0)) / 2 ** 32) * SLOTS)
  const challenger = ladder.variants.find(({ slots }) => holdsSlot(slots, slot))
  return challenger
    ? { version: challenger.version, rung: challenger.rung }
    : { version: ladder.live.version, rung: 'current' }
}

/**
 * MurmurHash3 (x86, 32 bits; Austin Appleby, public domain) of a text's UTF-8 bytes. Spreads short ids evenly, which
 * is all that is asked of it; nobody gains by a collision. Pure rules import no node module, hence no node:crypto.
 * @returns an integer from 0 to 2^32 - 1
 */
export function murmur3(text: string, seed: number): number {
  const bytes = new TextEncoder().encode(text)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const whole = bytes.length - (bytes.length % 4)
  let hash = seed
  for (let at = 0; at < whole; at += 4) {
    hash = rotate(hash ^ scramble(view.getUint32(at, true)), 13)
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0
  }
  let rest = 0
  for (let at = bytes.length - 1; at >= whole; at--) rest = (rest << 8) | bytes[at]!
  hash ^= scramble(rest) ^ bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function scramble(block: number): number {
  return Math.imul(rotate(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593)
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}
