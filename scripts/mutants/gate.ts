import { changesTo, type Mutant } from './mutant.js'

const RULES = ['test/gate/decision-table.test.ts', 'test/gate/gate-vectors.test.ts']
const SELECTION = ['test/gate/selection-vectors.test.ts', 'test/gate/decision-table.test.ts']
const RECORD = ['test/gate/record.test.ts', 'test/gate/merge-vectors.test.ts']
const DECLARATIONS = ['test/gate/declarations.test.ts']
const LITERALS = ['test/gate/literal.test.ts']

export const gateMutants: readonly Mutant[] = [
  ...changesTo('src/gate/evaluate.ts', RULES, [
    ['the lower end is exclusive', 'lower <= value &&', 'lower < value &&'],
    ['the upper end is exclusive', 'value <= upper)', 'value < upper)'],
    ['a band scales from a signed mean', 'side.rel * Math.abs(reference)', 'side.rel * reference'],
    [
      'the smallest parameter counts',
      'Math.max(width ?? 0, side.absFloor)',
      'Math.min(width ?? Infinity, side.absFloor)',
    ],
    ['k_std replaces the others', 'Math.max(width ?? 0, side.kStd === 0', 'Math.max(0, side.kStd === 0'],
    ['k_std 0 of an infinite spread is NaN', 'side.kStd === 0 ? 0 : side.kStd * std', 'side.kStd * std'],
    [
      'a cold start is judged as zero',
      'if (n === 0) return inactive',
      'if (n === 0) return { ...inactive, status: "pass" }',
    ],
    ['no spread passes', 'if (down === null || up === null) return inactive', ''],
    ['a limit has tolerance', 'value <= rule.max)', 'value <= rule.max * (1 + 1e-12))'],
    ['a minimum is exclusive', 'rule.min <= value)', 'rule.min < value)'],
  ]),
  ...changesTo(
    'src/gate/statistics.ts',
    ['test/gate/statistics.test.ts', ...RULES],
    [
      ['the mean is not clamped', 'return Math.min(Math.max(result, smallest), largest)', 'return result'],
      ['an overflowing sum stays', 'if (!Number.isFinite(sum)) {', 'if (false) {'],
      ['the spread is over n', 'squares / (values.length - 1)', 'squares / values.length'],
      ['one value has a spread', 'if (values.length < 2) return null', 'if (values.length < 1) return null'],
    ],
  ),
  ...changesTo(
    'src/gate/verdict.ts',
    [...RULES, 'test/operations/verdict-document.test.ts'],
    [
      ['a large run is judged in one go', 'if (checks.length % SLICE === 0) yield', ''],
      ['trust looks at enforcement', "status === 'pass' || status === 'inactive')", "status !== 'error')"],
      [
        'an error is trusted',
        "trusted: checks.every(({ status }) => status === 'pass'",
        "trusted: checks.every(({ status }) => status === 'error' || status === 'pass'",
      ],
      [
        'the outcome counts unenforced failures',
        'checks.some(({ failsCi }) => failsCi)',
        "checks.some(({ status }) => status === 'fail')",
      ],
      [
        'an unenforced error fails CI',
        'failsCi: declaration.enforce,\n    reason,',
        'failsCi: true,\n    reason,',
      ],
      [
        'an unenforced band fails CI',
        "declaration.enforce && status === 'fail' && corridor",
        "status === 'fail' && corridor",
      ],
      [
        'an unenforced limit fails CI',
        "failsCi: declaration.enforce && status === 'fail',",
        "failsCi: status === 'fail',",
      ],
      ['enforcement needs one value more', 'corridor.n >= minimum', 'corridor.n > minimum'],
      ['enforcement needs no history', "status === 'fail' && corridor.n >= minimum", "status === 'fail'"],
      [
        'a cold start has insufficient history',
        "status !== 'inactive' && corridor.n < minimum",
        'corridor.n < minimum',
      ],
    ],
  ),
  ...changesTo('src/gate/plan.ts', RULES, [
    ['undeclared metrics are not told', 'filter((metric) => !declared.has(metric))', 'filter(() => false)'],
  ]),
  ...changesTo('src/gate/evidence.ts', RULES, [
    ['evidence comes oldest first', 'compareCodePoints(timeB, timeA)', 'compareCodePoints(timeA, timeB)'],
    ['a baseline never names its runs', 'own.every((', 'true || own.every(('],
  ]),
  ...changesTo(
    'src/gate/warnings.ts',
    ['test/gate/warnings.test.ts', ...RULES],
    [
      ['a short run is not told', 'if (missing.length === 0) continue', 'continue'],
      [
        'silence when nothing was compared',
        "if (!checks.some(({ status }) => status === 'pass' || status === 'fail'))",
        'if (false)',
      ],
      ['non-finite history is not told', 'if (nonFinite > 0)', 'if (nonFinite > 1e9)'],
    ],
  ),
  ...changesTo('src/gate/selection.ts', SELECTION, [
    [
      '"last" takes a point without a step',
      'points.findLast(([step]) => step !== null) ?? points.at(-1)!',
      'points.at(-1)!',
    ],
    ['"last" keys on its step', 'step: LAST_STEP, atStep, value', 'step: atStep ?? LAST_STEP, atStep, value'],
    ['a repeated step passes under "all"', 'if (values.at(-1)?.step === step)', 'if (false)'],
    ['a repeated step passes in a list', 'if (found.length > 1)', 'if (false)'],
    [
      'a missing step is left out',
      'if (found.length === 0) return nothing(`the required step ${step} is missing`)',
      'if (found.length === 0) continue',
    ],
    [
      'a list is sorted',
      'for (const step of wanted) {',
      'for (const step of [...wanted].sort((a, b) => a - b)) {',
    ],
    ['invalid points are ignored', 'if (invalid !== undefined)', 'if (false)'],
    [
      'the mean skips non-finite values',
      'const bad = points.find(([, value]) => !Number.isFinite(value))',
      'const bad = undefined as never',
    ],
  ]),
  ...changesTo(
    'src/gate/decode.ts',
    ['test/gate/decode.test.ts'],
    [
      ['all bytes are ASCII', 'if (!isAscii(bytes)) return', 'if (false) return'],
      ['text begins where its memory does', 'bytes.byteOffset, bytes.byteLength', '0, bytes.byteLength'],
    ],
  ),
  ...changesTo('src/gate/record.ts', RECORD, [
    ['points are not sorted', 'if (!isSorted(points)) points.sort(bySteps)', ''],
    ['unknown steps come first', '(a[0] ?? Infinity) - (b[0] ?? Infinity)', '(a[0] ?? -1) - (b[0] ?? -1)'],
    ['a marker is an invalid point', 'return marked === undefined ? null :', 'return true ? null :'],
    ['an unsafe step is a step', 'Number.isSafeInteger(step)', 'Number.isInteger(step)'],
    ['a negative step is a step', ' && step >= 0', ''],
    ['a repeated key passes', 'if (!isPlainLine(line, added.strings))', 'if (false)'],
    ['a key is not checked', 'if (keyProblem !== null)', 'if (false)'],
    ['lines are counted from 0', 'for (let number = 1; start', 'for (let number = 0; start'],
  ]),
  ...changesTo('src/gate/declarations.ts', DECLARATIONS, [
    [
      'enforce is false by default',
      "if (literal === undefined || literal.kind === 'unread') return true",
      "if (literal === undefined || literal.kind === 'unread') return false",
    ],
    [
      'the table wins over what is written',
      "written.get('steps') ?? table?.steps",
      "table?.steps ?? written.get('steps')",
    ],
    ['both rules pass', 'if (hardRef && constraint)', 'if (false)'],
    ['a metric may be declared twice', 'if (first !== undefined)', 'if (false)'],
    ['an unknown field passes', 'if (!isField(key))', 'if (!isField(key)) continue\n    if (false)'],
    ['a hard_ref is keyed bare', '`{"hard_ref":${canonicalKey(hardRef)}}`', 'canonicalKey(hardRef)'],
  ]),
  ...changesTo('src/gate/rules.ts', DECLARATIONS, [
    ['a negative parameter passes', 'number === null || number < 0', 'number === null'],
    ['a constraint needs no lower side', 'if (down === null)', 'if (false)'],
    ['min may be above max', 'min > max', 'false'],
    ['a parameter written twice passes', 'if (seen.has(key))', 'if (false)'],
  ]),
  ...changesTo('src/gate/steps.ts', DECLARATIONS, [
    ['a step may be listed twice', 'steps.has(Number(item.value))', 'false'],
    ['a step beyond 2^53 passes', 'item.value > BigInt(Number.MAX_SAFE_INTEGER)', 'false'],
    [
      'an empty list passes',
      "literal.kind !== 'list' || literal.items.length === 0",
      "literal.kind !== 'list'",
    ],
  ]),
  ...changesTo('src/gate/literal.ts', LITERALS, [
    ['exponents begin later', 'exponent >= 16', 'exponent >= 17'],
    ['exponents have one digit', ".padStart(2, '0')", ".padStart(1, '0')"],
    ['DEL is not escaped', '/[\\u007f-\\uffff]/g', '/[\\u0080-\\uffff]/g'],
    ['a float prints as an integer', "plain.includes('.') ? plain : `${plain}.0`", 'plain'],
    ['keys sort by UTF-16 unit', 'return surrogatesLast(x) - surrogatesLast(y)', 'return x - y'],
  ]),
]
