/**
 * The two e-processes of the `mixture` test, as natural logarithms.
 *
 * For whole wins and losses both integrals are finite sums of positive terms: integrating by parts lowers one exponent
 * and raises the other (the recurrence I_x(a, b) = I_x(a+1, b-1) + x^a (1-x)^(b-1) / (a B(a, b)), DLMF 8.17(iv),
 * applied until b runs out). Nothing cancels, so the sum is exact but for rounding. Rejected: a continued fraction for
 * the regularized incomplete beta function with a log-gamma in front of it, which needs two approximations where this
 * needs none.
 */

const LARGE = 2 ** 900
const LOG_LARGE = 900 * Math.LN2
/** A term this small beside the sum changes no bit of it; the terms behind it are smaller still. */
const NEGLIGIBLE = 2 ** -60

/**
 * ln E for the hypothesis that the challenger wins at most half: the likelihood ratio of the uniform mixture over win
 * rates above 1/2 to 1/2, 2^(w+l+1) * integral over [1/2, 1] of p^w (1-p)^l. At a win rate of 1/2 it is a martingale
 * that starts at 1, below it one that falls; by Ville's inequality it ever reaches 1/alpha with probability at most
 * alpha, however often one looks.
 */
export function logEvidence(wins: number, losses: number): number {
  return logTail(wins, losses, 1)
}

/**
 * ln F, the mirror image, for the hypothesis that the challenger wins at least the part q:
 * (1/q) * integral over [0, q] of p^w (1-p)^l, over q^w (1-q)^l. Large when the challenger does not reach q.
 */
export function logFutility(wins: number, losses: number, q: number): number {
  return logTail(losses, wins, q / (1 - q))
}

/** ln of the sum over k = 0..for of t_k, with t_0 = 1/(against+1) and t_(k+1) = t_k * odds * (for-k) / (against+2+k). */
function logTail(inFavour: number, against: number, odds: number): number {
  let term = 1 / (against + 1)
  let sum = term
  let scale = 0
  for (let k = 0; k < inFavour; k++) {
    term *= (odds * (inFavour - k)) / (against + 2 + k)
    sum += term
    if (term < sum * NEGLIGIBLE) break
    if (sum > LARGE) {
      term /= LARGE
      sum /= LARGE
      scale += LOG_LARGE
    }
  }
  return Math.log(sum) + scale
}
