import { changesTo, type Mutant } from './mutant.js'

const test = (name: string) => `test/promotion/${name}.test.ts`
const TOURNAMENT = [test('tournament')]

export const promotionStatisticsMutants: readonly Mutant[] = [
  ...changesTo(
    'src/promotion/mixture.ts',
    [test('mixture')],
    [
      ['one term too few', 'k < inFavour', 'k < inFavour - 1'],
      ['the first term', '1 / (against + 1)', '1 / (against + 2)'],
      ['the ratio of terms', '(against + 2 + k)', '(against + 1 + k)'],
      ['large sums overflow', 'if (sum > LARGE)', 'if (false)'],
      ['the odds of q', 'q / (1 - q)', '(1 - q) / q'],
    ],
  ),
  ...changesTo(
    'src/promotion/sequential-test.ts',
    [test('sequential-test'), test('sequential-simulation')],
    [
      ['a decision is taken back', "if (decision !== 'continue') continue\n", ''],
      ['ties are evidence', "standing === 'tie' || standing === 'error'", "standing === 'error'"],
      ['errors are evidence', "standing === 'tie' || standing === 'error'", "standing === 'tie'"],
      ['alpha is doubled', 'Math.log(1 / alpha)', 'Math.log(0.5 / alpha)'],
      ['beta is doubled', 'Math.log(1 / beta)', 'Math.log(0.5 / beta)'],
      [
        'futility against one half',
        'logFutility(wins, losses, 0.5 + minEffect)',
        'logFutility(wins, losses, 0.5)',
      ],
      ['sprt accepts early', 'Math.log((1 - beta) / alpha)', 'Math.log(0.5 / alpha)'],
      ['sprt rejects early', 'Math.log(beta / (1 - alpha))', 'Math.log(beta)'],
      ['sprt weighs losses as wins', 'Math.log(2 * (1 - p1))', '-Math.log(2 * p1)'],
    ],
  ),
  ...changesTo(
    'src/promotion/win-graph.ts',
    [test('bradley-terry')],
    [
      ['a tie links one way', '[b, a, winsB + ties > 0]', '[b, a, winsB > 0]'],
      [
        'linked is measurable',
        'reachable(beaten, variant)].filter((other) => backwards.has(other))',
        'reachable(linked, variant)]',
      ],
    ],
  ),
  ...changesTo(
    'src/promotion/bradley-terry.ts',
    [test('bradley-terry'), test('strengths')],
    [
      ['a tie is a win', 'wins[j]! += winsB + ties / 2', 'wins[j]! += winsB + ties'],
      ['the order decides the sums', '.sort((left, right) => left.i - right.i || left.j - right.j)', ''],
      ['it stops early', 'const TOLERANCE = 1e-13', 'const TOLERANCE = 1e-2'],
      ['a long succession does not settle', 'const NEWTON_STEPS = 100', 'const NEWTON_STEPS = 2'],
      ['the last steps are left out', 'const LAST_STEP = 1e-8', 'const LAST_STEP = 1'],
      ['the information is halved', 'n * p * (1 - p)', '(n / 2) * p * (1 - p)'],
      ['the covariance keeps the constant', 'value - 1 / (scale * size)', 'value'],
    ],
  ),
  ...changesTo(
    'src/promotion/strengths.ts',
    [test('strengths'), ...TOURNAMENT],
    [
      ['errors are ties', "winner === null || winner === 'error' || ", 'winner === null || '],
      ['sides are mixed up', "(winner === 'a') === inOrder", "winner === 'a'"],
      ['the covariance of the two is left out', ' - 2 * covariance[i]![j]!', ''],
      ['an exact bound at 5 %', '0.025 **', '0.05 **'],
      ['disconnected is guessed over', 'if (!linked)', 'if (false)'],
    ],
  ),
  ...changesTo(
    'src/promotion/slots.ts',
    [test('slots'), test('assignment')],
    [
      ['growth ignores the others', 'gaps([...own, ...others])', 'gaps(own)'],
      ['growth moves all', 'const kept = take(own, size)', 'const kept = take(own, 0)'],
      ['a range holds its end', 'slot < to', 'slot <= to'],
      ['too little is enough', 'if (slotCount(added) < missing) return null', ''],
    ],
  ),
  ...changesTo(
    'src/promotion/assignment.ts',
    [test('assignment')],
    [
      ['all ladders alike', 'murmur3(ladder.name, 0)', '0'],
      ['the tail is dropped', 'hash ^= scramble(rest) ^ bytes.length', 'hash ^= bytes.length'],
    ],
  ),
]
