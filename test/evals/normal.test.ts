import t from 'tap'
import { normalQuantile, Z95 } from '../../src/evals/normal.js'

/** To 16 digits, as tables of the normal distribution give them. */
const QUANTILES: ReadonlyArray<readonly [number, number]> = [
  [0.5, 0],
  [0.75, 0.6744897501960817],
  [0.9, 1.2815515655446004],
  [0.95, 1.6448536269514722],
  [0.975, 1.959963984540054],
  [0.99, 2.3263478740408408],
  [0.995, 2.5758293035489004],
  [0.9995, 3.2905267314918945],
  [1e-10, -6.361340902404056],
  [1e-15, -7.941345326170995],
  [1e-300, -37.0470962993612],
]

t.test('quantiles are those of tables, in each of the three ranges and on both sides', async (t) => {
  for (const [probability, quantile] of QUANTILES) {
    const tolerance = 1e-13 * Math.max(1, Math.abs(quantile))
    t.ok(Math.abs(normalQuantile(probability) - quantile) <= tolerance, `${probability}`)
    if (probability > 0.01)
      t.ok(Math.abs(normalQuantile(1 - probability) + quantile) <= 10 * tolerance, `1 - ${probability}`)
  }
  t.equal(Z95, 1.959963984540054)
  for (const outside of [0, 1, -1, 2, NaN]) t.throws(() => normalQuantile(outside), RangeError)
})
