import { changesTo, type Mutant } from './mutant.js'

const CHART = ['test/charts/history-chart.test.ts']
const PICTURES = ['test/http/render/svg/history.test.ts', 'test/http/render/svg/badge.test.ts']
const IMAGES = ['test/http/images.test.ts']

/** What charts and badges show. */
export const chartMutants: readonly Mutant[] = [
  ...changesTo('src/charts/points.ts', CHART, [
    ['a run that is trusted again stays revoked', '!trusted && revoked.has(run_id)', 'revoked.has(run_id)'],
    ['a point without a check counts as compared', "status === 'pass' ?", "status !== 'inactive' ?"],
    ['an undone revocation revokes', 'undone === null', 'true'],
    ['a run that never earned trust is revoked', 'flipped.has(id)', 'flipped.size >= 0'],
  ]),
  ...changesTo('src/charts/corridor.ts', CHART, [
    [
      'a corridor runs over what is not known',
      'if (sort !== null) found',
      'if (sort !== null && here !== null) found',
    ],
    ['a side that ends makes no new area', 'return `${lower !== null} ${upper !== null}`', "return 'known'"],
  ]),
  ...changesTo(
    'src/charts/value-axis.ts',
    ['test/charts/value-axis.test.ts'],
    [
      ['a span beyond the doubles', 'high / 2 - low / 2', '(high - low) / 2'],
      ['equal values have no room', 'low === high', 'low > high'],
      ['one step for all', '[1, 2, 5] as const', '[1] as const'],
      ['ticks are sums of inexact steps', 'at: decimal(unit, exponent)', 'at: (unit / digit) * step'],
    ],
  ),
  ...changesTo(
    'src/charts/time-axis.ts',
    ['test/charts/time-axis.test.ts'],
    [
      ['weeks begin on Thursdays', 'length % (7 * DAY) === 0 ? FIRST_MONDAY : 0', '0'],
      ['the year 26 is 1926', 'new Date(0).setUTCFullYear(', 'Date.UTC('],
      ['every tick tells its day again', 'isNew ? context : null', 'context'],
    ],
  ),
  ...changesTo(
    'src/charts/visible-text.ts',
    ['test/charts/visible-text.test.ts'],
    [['a name may turn the text around', '[\\p{C}\\p{Z}]', '[\\p{Cc}\\p{Z}]']],
  ),
  ...changesTo('src/http/render/svg/element.ts', PICTURES, [
    [
      'a text is markup',
      "typeof child === 'string' ? xmlText(child) :",
      "typeof child === 'string' ? child :",
    ],
  ]),
  ...changesTo('src/http/render/svg/plot.ts', PICTURES, [
    ['a kind has the points of all', 'points.filter((point) => point.kind === kind)', '[...points]'],
    ['a mean is bridged', 'corridor[side].map((stretch)', 'corridor[side].slice(0, 1).map((stretch)'],
  ]),
  ...changesTo(
    'src/http/render/svg/text-width.ts',
    ['test/http/render/svg/text-width.test.ts'],
    [
      ['the ellipsis has no width', 'let room = width - textWidth(ELLIPSIS, size)', 'let room = width'],
      ['marks take room', 'if (NO_WIDTH.test(character)) return 0', ''],
    ],
  ),
  ...changesTo('src/operations/images.ts', IMAGES, [
    ['a badge knows no revocation', "isRevoked ? 'revoked' : 'untrusted'", "'untrusted'"],
    ['older values are not told', 'more: next_cursor !== null', 'more: false'],
  ]),
  ...changesTo('src/http/send-image.ts', IMAGES, [
    ['a picture may not be shown elsewhere', "'cross-origin-resource-policy': 'cross-origin',", ''],
    ['a proxy keeps a picture', "'cache-control': 'no-cache'", "'cache-control': 'max-age=300'"],
  ]),
]
