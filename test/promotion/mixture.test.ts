import t from 'tap'
import { logEvidence, logFutility } from '../../src/promotion/mixture.js'

/** A fraction, kept exactly. */
type Ratio = readonly [numerator: bigint, denominator: bigint]

const add = ([a, b]: Ratio, [c, d]: Ratio): Ratio => [a * d + c * b, b * d]
const times = ([a, b]: Ratio, [c, d]: Ratio): Ratio => [a * c, b * d]
const power = ([a, b]: Ratio, n: number): Ratio => [a ** BigInt(n), b ** BigInt(n)]

/** ln of a positive fraction: its leading 60 bits and the exponent. */
function logOf([numerator, denominator]: Ratio): number {
  const shift = BigInt(denominator.toString(2).length - numerator.toString(2).length + 60)
  const leading = shift >= 0n ? (numerator << shift) / denominator : numerator / (denominator << -shift)
  return Math.log(Number(leading)) - Number(shift) * Math.LN2
}

/** The integral of p^w (1-p)^l over [from, to], by the binomial expansion of (1-p)^l. */
function integral(wins: number, losses: number, from: Ratio, to: Ratio): Ratio {
  let sum: Ratio = [0n, 1n]
  let binomial = 1n
  for (let k = 0; k <= losses; k++) {
    const n = wins + k + 1
    const [a, b] = add(power(to, n), times([-1n, 1n], power(from, n)))
    sum = add(sum, [(k % 2 === 0 ? binomial : -binomial) * a, b * BigInt(n)])
    binomial = (binomial * BigInt(losses - k)) / BigInt(k + 1)
  }
  return sum
}

const exactEvidence = (wins: number, losses: number) =>
  logOf(times([2n ** BigInt(wins + losses + 1), 1n], integral(wins, losses, [1n, 2n], [1n, 1n])))

function exactFutility(wins: number, losses: number, [a, b]: Ratio): number {
  const [x, y] = times(power([a, b], wins), power([b - a, b], losses))
  return logOf(times(times([b, a], integral(wins, losses, [0n, 1n], [a, b])), [y, x]))
}

t.test('ln E and ln F are those of rational arithmetic', async (t) => {
  let worst = 0
  for (let wins = 0; wins <= 16; wins++) {
    for (let losses = 0; losses <= 16; losses++) {
      const pairs = [
        [logEvidence(wins, losses), exactEvidence(wins, losses)],
        [logFutility(wins, losses, 0.6), exactFutility(wins, losses, [3n, 5n])],
        [logFutility(wins, losses, 0.75), exactFutility(wins, losses, [3n, 4n])],
      ] as const
      for (const [computed, exact] of pairs) worst = Math.max(worst, Math.abs(computed - exact))
    }
  }
  t.ok(worst < 1e-13, `largest difference ${worst}`)
})

t.test('before any comparison there is no evidence', async (t) => {
  t.equal(logEvidence(0, 0), 0)
  t.equal(logFutility(0, 0, 0.6), 0)
})

t.test('at a win rate of one half E is a martingale, and at q so is F, also far out', async (t) => {
  const mean = (p: number, left: number, right: number) => {
    const top = Math.max(left, right)
    return top + Math.log(p * Math.exp(left - top) + (1 - p) * Math.exp(right - top))
  }
  for (const [wins, losses] of [
    [3, 5],
    [180, 220],
    [9_000, 1_000],
    [1_000, 9_000],
    [6_000, 4_000],
  ] as const) {
    const evidence = logEvidence(wins, losses)
    const next = mean(0.5, logEvidence(wins + 1, losses), logEvidence(wins, losses + 1))
    t.ok(Math.abs(evidence - next) < 1e-9 * Math.max(1, Math.abs(evidence)), `E at ${wins}:${losses}`)
    const futility = logFutility(wins, losses, 0.6)
    const after = mean(0.6, logFutility(wins + 1, losses, 0.6), logFutility(wins, losses + 1, 0.6))
    t.ok(Math.abs(futility - after) < 1e-9 * Math.max(1, Math.abs(futility)), `F at ${wins}:${losses}`)
  }
})

t.test('a sum beyond a double stays a logarithm', async (t) => {
  t.ok(Math.abs(logEvidence(5_000, 0) - (5_001 * Math.LN2 - Math.log(5_001))) < 1e-9)
  t.ok(Math.abs(logEvidence(0, 5_000) + Math.log(5_001)) < 1e-12)
})
