import { changesTo, type Mutant } from './mutant.js'

const GRID = ['test/evals/grid.test.ts']
const COMPARE = ['test/evals/compare-runs.test.ts']
const INTERVAL = ['test/evals/interval.test.ts']
const IDENTITY = ['test/evals/identity.test.ts']
const VALIDITY = ['test/evals/judge-validity.test.ts']
const DECIMALS = ['test/evals/decimals.test.ts']
const BODIES = ['test/evals/import/bodies.test.ts']

export const evalMutants: readonly Mutant[] = [
  ...changesTo('src/evals/grid.ts', GRID, [
    ['a row of a dry run is planned', 'if (plan.dryRun && row.dryRun)', 'if (row.dryRun)'],
    ['every row of a dry plan is planned', 'if (plan.dryRun && row.dryRun)', 'if (plan.dryRun)'],
    ['an empty error is none', 'row.error !== null && row.error !== undefined', 'row.error'],
    ['an undefined error is one', ' && row.error !== undefined', ''],
    ['a range has no lower end', 'reward < rewardRange.min || ', ''],
    ['a range has no upper end', ' || reward > rewardRange.max', ''],
    ['an end of a range is outside', 'reward > rewardRange.max', 'reward >= rewardRange.max'],
    ['repeats are one cell', '* plan.repeats + row.repeat - 1', '* plan.repeats'],
    ['an unplanned row is nothing', 'lists.unplanned.total === 0', 'true'],
    ['a duplicate is nothing', 'lists.duplicate.total === 0', 'true'],
    ['a missing cell is nothing', 'missing.total === 0', 'true'],
    [
      'an errored cell is nothing',
      "state === 'scored' || state === 'planned'",
      "state === 'scored' || state === 'planned' || state === 'errored'",
    ],
    [
      'an unscored cell is nothing',
      "state === 'scored' || state === 'planned'",
      "state === 'scored' || state === 'planned' || state === 'unscored'",
    ],
    ['a grid is refused never', 'if (faults.length > 0) return { ok: false, faults }', ''],
    ['any repeat is planned', ' && repeat <= repeats', ''],
    ['a missing cell more is listed', 'Math.min(total, limit)', 'Math.min(total, limit + 1)'],
  ]),
  ...changesTo('src/evals/grid-checks.ts', GRID, [
    ['names may repeat', 'if (first === undefined) {', 'if (true) {'],
    ['a list may be empty', 'if (names.length === 0) return', 'if (false) return'],
    ['a range may be upside down', ' || min > max', ''],
  ]),
  ...changesTo('src/evals/grid-figures.ts', GRID, [
    ['the threshold does not pass', 'reward >= passThreshold', 'reward > passThreshold'],
    ['zero is a mean of nothing', 'n === 0 ? null : doubleQuotient', 'n === 0 ? 0 : doubleQuotient'],
    ['zero is a rate of nothing', 'n === 0 ? null : this.#passed', 'n === 0 ? 0 : this.#passed'],
    ['errored cells weigh', "if (state === 'scored') group", 'group'],
  ]),
  ...changesTo(
    'src/evals/scores.ts',
    [...GRID, ...COMPARE],
    [
      [
        'a text may be a score',
        "typeof value === 'number' && Number.isFinite(value)",
        'isFinite(value as number)',
      ],
      ['a NaN is a score', ' && Number.isFinite(value)', ''],
    ],
  ),
  ...changesTo('src/evals/scored.ts', COMPARE, [
    ['an errored question is scored', '!question.errored &&', ''],
    ['the baseline score is no matter', 'isScore(question.baselineScore) &&', ''],
    ['the context score is no matter', 'isScore(question.contextScore) &&', ''],
    ['a panel needs no votes', '(panel === null || hasEveryVote(question, panel))', 'true'],
    ['a failed vote is one', '(error !== null && error !== undefined) || ', ''],
    ['a vote needs no score', ' || !isScore(score)', ''],
    ['some votes are enough', 'voted.size === folded.size', 'voted.size > 0'],
    ['a stranger counts', 'if (!folded.has(name)) continue', ''],
  ]),
  ...changesTo('src/evals/side.ts', COMPARE, [
    ['an empty run compares', 'run.questions.length === 0', 'false'],
    ['an id may repeat', 'if (ids.has(questionId)) {', 'if (false) {'],
    ['ids repeat where unscored', 'if (ids.has(questionId)) {', 'if (scored.has(questionId)) {'],
    [
      'lists keep the order of the input',
      'const unscored = new FirstItems(listLimit, compareCodePoints)',
      'const unscored = new FirstItems<string>(listLimit)',
    ],
  ]),
  ...changesTo('src/evals/match.ts', COMPARE, [
    ['what the baseline lacks is no matter', 'if (!before.scored.has(id)) onlyCurrent.push(id)', ''],
    [
      'what the current run lacks is no matter',
      'if (other === undefined) onlyBaseline.push(id)',
      'if (other === undefined) continue',
    ],
  ]),
  ...changesTo('src/evals/drops.ts', COMPARE, [
    ['a lift forgets the baseline', 'contextAfter - unitsOf(current.baselineScore, places)', 'contextAfter'],
    [
      'drops are gains',
      'context.push(contextBefore - contextAfter)',
      'context.push(contextAfter - contextBefore)',
    ],
  ]),
  ...changesTo('src/evals/gates.ts', COMPARE, [
    ['an equal drop is a regression', 'if (sum > unitsOf', 'if (sum >= unitsOf'],
    [
      'a limit is multiplied in doubles',
      'if (sum > unitsOf(limit, places) * BigInt(n))',
      'if (Number(sum) / 10 ** places > limit * n)',
    ],
    ['both gates judge the context', "name === 'max_context_drop' ? 'context' : 'lift'", "'context'"],
    ['both gates judge the lift', "name === 'max_context_drop' ? 'context' : 'lift'", "'lift'"],
    ['nothing is undecided', "interval.high > limit ? 'undecided' : 'pass'", "'pass'"],
    [
      'an interval that ends at the limit is undecided',
      'interval.high > limit ?',
      'interval.high >= limit ?',
    ],
    ['incomparable gates have a status', 'comparable ? status() : null', 'status()'],
    ['min_matched alone is fine', 'if (gatesOf(gates).length === 0) {', 'if (false) {'],
    ['a limit may be negative', ' || limit < 0', ''],
    ['a limit may be infinite', '!isScore(limit) || ', ''],
    ['fifteen are few', 'n < SMALL_SAMPLE', 'n < SMALL_SAMPLE + 20'],
    ['none are few', 'n < SMALL_SAMPLE', 'false'],
  ]),
  ...changesTo('src/evals/compare-runs.ts', COMPARE, [
    [
      'the last gate decides',
      "gates.some(({ status }) => status === 'regression')",
      "gates.at(-1)!.status === 'regression'",
    ],
    [
      'the first gate decides',
      "gates.some(({ status }) => status === 'regression')",
      "gates[0]!.status === 'regression'",
    ],
    ['strict is no matter', ': request.strict', ': false'],
    ['strict always', ': request.strict', ': true'],
    ['no minimum', 'request.gates.minMatched ?? 1', 'request.gates.minMatched ?? 0'],
    ['a report passes', "case 'report':\n      return null", "case 'report':\n      return 'pass'"],
    ['inconclusive passes always', 'return onInconclusive', "return 'pass'"],
    ['inconclusive fails always', 'return onInconclusive', "return 'fail'"],
    ['obstacles are no matter', "if (obstacles.length > 0) return 'incomparable'", ''],
  ]),
  ...changesTo('src/evals/comparison-reasons.ts', COMPARE, [
    ['missing questions are no obstacle', 'if (total === 0)', 'if (true)'],
    ['few matches are no obstacle', 'questions.matched < minMatched', 'false'],
    ['an unrecorded name is no obstacle', "identity === 'same'", "identity !== 'different'"],
  ]),
  ...changesTo(
    'src/evals/identity.ts',
    [...IDENTITY, ...COMPARE],
    [
      ['names keep their case', 'name.trim().toLowerCase().toUpperCase().toLowerCase()', 'name.trim()'],
      [
        'sharp s is no ss',
        'name.trim().toLowerCase().toUpperCase().toLowerCase()',
        'name.trim().toLowerCase()',
      ],
      ['names keep their spaces', 'name.trim().', 'name.'],
      ['unknown is a name', "name !== '' && name !== UNKNOWN", "name !== ''"],
      ['blank is a name', "name !== '' && name !== UNKNOWN", 'name !== UNKNOWN'],
      ['the order of a panel counts', '.sort(compareCodePoints)', ''],
      ['a member may stand twice', '[...new Set(members)]', '[...members]'],
      ['an empty panel is one', ' || members.length === 0', ''],
      ['one name is enough', 'a === null || b === null', 'a === null && b === null'],
    ],
  ),
  ...changesTo('src/evals/interval.ts', INTERVAL, [
    ['another seed', '0x243f6a88', '0x243f6a89'],
    ['an interval of 90 %', 'resamples * 0.025', 'resamples * 0.05'],
    ['an interval of 99 %', 'resamples * 0.025', 'resamples * 0.005'],
    ['the upper end is one further', 'sums[resamples - 1 - outside]', 'sums[resamples - outside]'],
    ['the order of values counts', '.sort()\n  const random', '\n  const random'],
    ['equal values are resampled', 'values.every((value) => value === first)', 'values.length === 1'],
    ['the normal interval begins early', 'values.length <= MAX_BOOTSTRAP', 'values.length < MAX_BOOTSTRAP'],
    ['the variance is over n', 'n * n * (n - 1n)', 'n * n * n'],
    ['values are not coarsened', 'while (largest > bound * divisor)', 'while (false)'],
    ['work is in one piece', 'if (draws >= DRAWS)', 'if (false)'],
  ]),
  ...changesTo(
    'src/evals/random.ts',
    ['test/evals/random.test.ts'],
    [
      ['a rotation by 8', '(sum << 7) | (sum >>> 25)', '(sum << 8) | (sum >>> 24)'],
      ['the state is not kept', 'this.#state.set([a, b, c, d])', ''],
    ],
  ),
  ...changesTo(
    'src/evals/decimals.ts',
    [...DECIMALS, ...COMPARE],
    [
      ['quick units beyond certainty', 'const MAX_QUICK = 2 ** 49', 'const MAX_QUICK = 2 ** 60'],
      ['a quotient of what no double holds', 'Number.isSafeInteger(above) && ', ''],
      ['a sign is lost', "sign === '-' ? -magnitude : magnitude", 'magnitude'],
      [
        'places are counted down',
        'Math.max(places, decimalPlaces(value))',
        'Math.min(places, decimalPlaces(value))',
      ],
    ],
  ),
  ...changesTo('src/evals/judge-validity.ts', VALIDITY, [
    ['the minimum must be passed', 'interval.low >= minAgreement', 'interval.low > minAgreement'],
    ['the end of the interval is below', 'interval.high < minAgreement', 'interval.high <= minAgreement'],
    ['the agreement decides', 'interval.low >= minAgreement', 'agreed / n >= minAgreement'],
    ['a one-sided interval', '0.5 + confidence / 2', 'confidence'],
    ['a Wald interval', '+ squared / 4)', ')'],
    [
      'labels are loosely equal',
      'filter(({ label, judged }) => label === judged)',
      'filter(({ label, judged }) => label == judged)',
    ],
    ['kappa of one label is 1', 'expected === n * n ? null', 'expected === n * n ? 1'],
    ['kappa ignores chance', 'expected += label * judged', 'expected += 0'],
    ['an id may repeat', 'if (ids.has(id) && ', 'if (false && '],
    ['inconclusive passes always', 'inconclusive: onInconclusive', "inconclusive: 'pass'"],
  ]),
  ...changesTo('src/evals/import/bodies.ts', BODIES, [
    ['some repeats are enough', 'every((count) => count === log.repeats)', 'every((count) => count > 0)'],
    [
      'one repeat twice is both',
      '[scores.length, repeats.length, distinct.size]',
      '[scores.length, repeats.length]',
    ],
    ['a baseline is zero by itself', 'if (baseline === null) {', 'if (false) {'],
    ['errors of the baseline are no matter', 'one.errored || other.errored', 'one.errored'],
  ]),
  ...changesTo(
    'src/evals/import/inspect.ts',
    ['test/evals/import/inspect.test.ts'],
    [
      ['a limit is no limit', 'return all.slice(0, limit)', 'return all'],
      ['a partial answer is right', "['P', 0.5]", "['P', 1]"],
      ['an error is a result', 'if (error !== undefined && error !== null)', 'if (false)'],
    ],
  ),
  ...changesTo(
    'src/evals/import/lm-eval.ts',
    ['test/evals/import/lm-eval.test.ts'],
    [
      [
        'the plan is what was answered',
        'if (beyond.length === 0) return Array.from({ length: effective }, (_, doc) => doc)',
        'if (beyond.length === 0) return [...seen]',
      ],
      ['picked documents are never missing', 'if (seen.size === effective)', 'if (true)'],
      ['filters are mixed', 'samples.filter(({ filter }) => filter === score.filter)', 'samples'],
    ],
  ),
  ...changesTo(
    'src/evals/import/promptfoo.ts',
    ['test/evals/import/promptfoo.test.ts'],
    [
      ['a refusal is an error', 'reason === BROKE_DOWN', 'reason !== 0'],
      ['a broken grader is a result', "=== true) ? 'the grader failed' : null", '=== true) ? null : null'],
      ['a cut file is whole', 'if (counted !== held)', 'if (false)'],
      ['descriptions may repeat', 'new Set(described.values()).size < count', 'described.size < count'],
    ],
  ),
]
