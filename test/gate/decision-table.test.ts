import t from 'tap'
import { checkOne, declare, historyOf, judgeInMemory, line, recordOf } from '../support/judging.js'

/**
 * Each line of the decision table: how one coordinate is judged, and what the checks make of a run. A test for each
 * line, which fails when that line is broken.
 */
const BAND = { constraint: { rel_up: 0.5, abs_floor_up: 0, rel_down: 0.5, abs_floor_down: 0 } }
const ZERO = { constraint: { rel_up: 0, abs_floor_up: 0, rel_down: 0, abs_floor_down: 0 } }
const TEN = Array.from({ length: 10 }, () => 1)
const NINE = TEN.slice(1)

t.test('a constraint, by the baseline', async (t) => {
  t.test('no baseline: inactive, trusted, no failure', async (t) => {
    const { status, corridor, failsCi, verdict, insufficientHistory } = checkOne(BAND, 999, [])
    t.match(
      { status, failsCi, insufficientHistory, n: corridor!.n },
      { status: 'inactive', failsCi: false, insufficientHistory: false, n: 0 },
    )
    t.equal(corridor!.mean, null)
    t.ok(verdict.trusted)
  })

  t.test('both ends are inclusive, and nothing is added to them', async (t) => {
    const history = historyOf([2])
    t.equal(checkOne(BAND, 3, history).status, 'pass')
    t.equal(checkOne(BAND, 1, history).status, 'pass')
    t.equal(checkOne(BAND, 3.0000000000000004, history).status, 'fail')
    t.equal(checkOne(BAND, 0.9999999999999999, history).status, 'fail')
  })

  t.test('0.33 beside 0.3 with 10 % fails: the upper end is 0.32999999999999996', async (t) => {
    const { status, corridor } = checkOne(
      { constraint: { rel_up: 0.1, rel_down: 1 } },
      0.33,
      historyOf([0.3]),
    )
    t.equal(status, 'fail')
    t.equal(corridor!.upper, 0.32999999999999996)
  })

  t.test('the largest of the written parameters counts, on each side', async (t) => {
    const wide = { constraint: { rel_up: 0.1, abs_floor_up: 5, rel_down: 0.1, abs_floor_down: 3 } }
    t.match(checkOne(wide, 10, historyOf([10])).corridor, { lower: 7, upper: 15 })
    const relative = { constraint: { rel_up: 0.5, abs_floor_up: 1, rel_down: 0.25, abs_floor_down: 1 } }
    t.match(checkOne(relative, 10, historyOf([10])).corridor, { lower: 7.5, upper: 15 })
    const spread = { constraint: { rel_up: 0.01, k_std_up: 3, rel_down: 0.01, k_std_down: 2 } }
    const { corridor } = checkOne(spread, 10, historyOf([9, 11]))
    t.equal(corridor!.std, Math.SQRT2)
    t.equal(corridor!.upper, 10 + 3 * Math.SQRT2)
    t.equal(corridor!.lower, 10 - 2 * Math.SQRT2)
  })

  t.test('bands scale from the reference, never from the value', async (t) => {
    t.equal(checkOne({ constraint: { rel_up: 0.5, rel_down: 0.5 } }, 1.9, historyOf([1])).status, 'fail')
  })

  t.test('without an upper parameter there is no upper bound; a written zero enforces one', async (t) => {
    const open = checkOne({ constraint: { rel_down: 0.5 } }, 1e300, historyOf([1]))
    t.equal(open.status, 'pass')
    t.equal(open.corridor!.upper, null)
    t.equal(
      checkOne({ constraint: { rel_up: 0, rel_down: 0.5 } }, 1.0000000000000002, historyOf([1])).status,
      'fail',
    )
  })

  t.test('a relative band widens around the magnitude of a negative reference', async (t) => {
    t.match(checkOne({ constraint: { rel_up: 0.5, rel_down: 0.25 } }, -2, historyOf([-2])).corridor, {
      lower: -2.5,
      upper: -1,
    })
  })

  t.test('against zeros only a floor gives room', async (t) => {
    const zeros = historyOf([0, 0, 0])
    t.equal(checkOne({ constraint: { rel_up: 0.5, rel_down: 0.8 } }, 0, zeros).status, 'pass')
    const failed = checkOne({ constraint: { rel_up: 0.5, rel_down: 0.8 } }, 0.01, zeros)
    t.equal(failed.status, 'fail')
    t.notMatch(failed.reason, /NaN|Infinity|%/)
    t.equal(
      checkOne(
        { constraint: { rel_up: 0.5, abs_floor_up: 0.02, rel_down: 0.8, abs_floor_down: 0.02 } },
        0.01,
        zeros,
      ).status,
      'pass',
    )
  })

  t.test('a fall from three million to zero fails', async (t) => {
    const rule = { constraint: { rel_up: 0.5, abs_floor_up: 0, rel_down: 0.2, abs_floor_down: 0 } }
    t.equal(checkOne(rule, 0, historyOf([3069448, 3069448, 3069448])).status, 'fail')
  })
})

t.test('the reference', async (t) => {
  t.test('is clamped to the baseline: three times 0.1 has the mean 0.1', async (t) => {
    const { status, corridor } = checkOne(ZERO, 0.1, historyOf([0.1, 0.1, 0.1]))
    t.equal(status, 'pass')
    t.equal(corridor!.mean, 0.1)
  })

  t.test('is summed newest first', async (t) => {
    const oldestFirst = [1e16, 1, 1, 1, 1]
    const newestFirstSum = 1 + 1 + 1 + 1 + 1e16
    t.equal(checkOne(BAND, 1, historyOf(oldestFirst)).corridor!.mean, newestFirstSum / 5)
    t.not(newestFirstSum / 5, (1e16 + 1 + 1 + 1 + 1) / 5, 'the other order would give another mean')
  })

  t.test('survives a sum that overflows', async (t) => {
    t.equal(checkOne(BAND, 1.5e308, historyOf([1.5e308, 1.5e308])).corridor!.mean, 1.5e308)
  })

  t.test('is that of the newest 20 trusted values; the window is configurable', async (t) => {
    const ascending = Array.from({ length: 25 }, (_, i) => i + 1)
    const { corridor, status } = checkOne(ZERO, 15.5, historyOf(ascending))
    t.match({ n: corridor!.n, mean: corridor!.mean, status }, { n: 20, mean: 15.5, status: 'pass' })
    const declarations = declare([{ metric_key: 'm', steps: 'last', ...ZERO }])
    if (!declarations.ok) return t.fail()
    const record = recordOf(line('m', [[0, 24]]))
    return t.equal(
      judgeInMemory(declarations.value, record, historyOf(ascending), { window: 3 }).checks[0]!.corridor!
        .mean,
      24,
    )
  })

  t.test('leaves untrusted runs out', async (t) => {
    const history = [
      ...historyOf([1, 1]),
      ...historyOf([1000, 1000], { trusted: false }).map((run) => ({ ...run, runId: `x${run.runId}` })),
    ]
    t.match(checkOne(ZERO, 1, history).corridor, { n: 2, mean: 1 })
  })

  t.test('creeps with values that pass: only an absolute limit stops that', async (t) => {
    const rule = { constraint: { rel_up: 0.05, rel_down: 0.05 } }
    const values = [1, 1.04, 1.07, 1.08, 1.09]
    for (let i = 1; i < values.length; i++) {
      t.equal(
        checkOne(rule, values[i], historyOf(values.slice(0, i))).status,
        'pass',
        `${values[i]} passes by the band`,
      )
    }
    t.equal(checkOne({ hard_ref: { max: 1.08 } }, 1.09, historyOf(values)).status, 'fail')
  })
})

t.test('k_std', async (t) => {
  const alone = { constraint: { k_std_down: 3 } }
  t.test('alone on a written side with one value: inactive, and n says so', async (t) => {
    const check = checkOne(alone, 5, historyOf([1]))
    t.match(
      { status: check.status, n: check.corridor!.n, mean: check.corridor!.mean },
      { status: 'inactive', n: 1, mean: null },
    )
    t.notOk(check.insufficientHistory)
  })
  t.test('a zero alone is inactive just the same with one value', async (t) => {
    t.equal(checkOne({ constraint: { k_std_down: 0 } }, 1, historyOf([1])).status, 'inactive')
    t.equal(checkOne({ constraint: { rel_down: 1, k_std_up: 0 } }, 1, historyOf([1])).status, 'inactive')
  })
  t.test('beside other parameters it contributes nothing with one value', async (t) => {
    t.match(checkOne({ constraint: { k_std_down: 3, rel_down: 0.5 } }, 1, historyOf([1])), {
      status: 'pass',
      corridor: { lower: 0.5, std: null },
    })
  })
  t.test('a zero contributes zero beside an infinite spread', async (t) => {
    const history = historyOf([1e308, -1e308])
    t.match(checkOne({ constraint: { k_std_down: 0 } }, 0, history), {
      status: 'pass',
      corridor: { std: Infinity, lower: 0 },
    })
  })
  t.test('the spread is the sample one (n - 1)', async (t) => {
    t.equal(checkOne(alone, 2, historyOf([1, 2, 3])).corridor!.std, 1)
  })
})

t.test('hard_ref', async (t) => {
  t.test('is inclusive on both sides, without history and without tolerance', async (t) => {
    const limits = { hard_ref: { min: -1, max: 2 } }
    for (const [value, status] of [
      [-1, 'pass'],
      [2, 'pass'],
      [2.0000000000000004, 'fail'],
      [-1.0000000000000002, 'fail'],
    ] as const) {
      t.equal(checkOne(limits, value, []).status, status, `${value}`)
    }
    t.equal(checkOne({ hard_ref: { max: 1.08 } }, -1e300, []).status, 'pass')
    t.equal(checkOne({ hard_ref: { min: 1.08 } }, 1e300, []).status, 'pass')
  })
  t.test(
    'a failure fails CI with no history at all, has no baseline and is never insufficient',
    async (t) => {
      const check = checkOne({ hard_ref: { max: 1 } }, 2, historyOf([1]))
      t.match(check, { failsCi: true, corridor: null, insufficientHistory: false, baselineRuns: null })
      t.match(check.verdict, { outcome: 'fail', trusted: false })
      t.same(check.verdict.evidence, [], 'it rests on no run')
    },
  )
})

t.test('what fails CI', async (t) => {
  t.test('a band needs ten trusted values', async (t) => {
    const nine = checkOne(BAND, 99, historyOf(NINE))
    t.match(nine, { status: 'fail', failsCi: false, insufficientHistory: true })
    t.match(nine.verdict, { trusted: false, outcome: 'pass' })
    t.match(nine.reason, /9 of 10/)
    const ten = checkOne(BAND, 99, historyOf(TEN))
    t.match(ten, { status: 'fail', failsCi: true, insufficientHistory: false })
    t.match(ten.verdict, { trusted: false, outcome: 'fail' })
  })
  t.test('a pass with little history is insufficient too, whatever enforce says', async (t) => {
    t.match(checkOne(BAND, 1, historyOf(NINE)), { status: 'pass', insufficientHistory: true })
    t.match(checkOne(BAND, 1, historyOf(NINE), { enforce: false }), { insufficientHistory: true })
    t.match(checkOne(BAND, 1, historyOf(TEN)), { insufficientHistory: false })
  })
  t.test('enforce: false stops the failure and not the loss of trust', async (t) => {
    for (const [rule, value] of [
      [BAND, 99],
      [{ hard_ref: { max: 1 } }, 2],
      [BAND, 'NaN'],
    ] as const) {
      const check = checkOne(rule, value, historyOf(TEN), { enforce: false })
      t.equal(check.failsCi, false)
      t.match(check.verdict, { trusted: false, outcome: 'pass' })
    }
  })
  t.test('an error fails CI without any history', async (t) => {
    const check = checkOne(BAND, 'NaN', [])
    t.match(check, {
      status: 'error',
      failsCi: true,
      selected: null,
      corridor: null,
      insufficientHistory: false,
    })
    t.match(check.verdict, { trusted: false, outcome: 'fail' })
  })
  t.test('the minimum is counted per coordinate', async (t) => {
    const declarations = declare([{ metric_key: 'm', steps: [0, 1], ...BAND }])
    if (!declarations.ok) return t.fail()
    const history = historyOf(TEN, { step: 0 }).map((run, i) =>
      i < 9 ? { ...run, values: [...run.values, ['m', 1, 1] as const] } : run,
    )
    const verdict = judgeInMemory(
      declarations.value,
      recordOf(
        line('m', [
          [0, 99],
          [1, 99],
        ]),
      ),
      history,
    )
    return t.same(
      verdict.checks.map(({ failsCi }) => failsCi),
      [true, false],
    )
  })
  t.test('one failing check among many fails the run', async (t) => {
    const declarations = declare([
      { metric_key: 'a', steps: 'last', hard_ref: { max: 1 } },
      { metric_key: 'b', steps: 'last', hard_ref: { max: 1 } },
    ])
    if (!declarations.ok) return t.fail()
    const verdict = judgeInMemory(declarations.value, recordOf(line('a', [[0, 2]]), line('b', [[0, 0]])), [])
    return t.match(verdict, { trusted: false, outcome: 'fail' })
  })
})

t.test('selection errors are error checks, one a declaration, with a reason', async (t) => {
  const cases: Array<[name: string, steps: unknown, series: unknown, reason: RegExp]> = [
    ['metric missing', 'last', undefined, /does not hold this metric/],
    ['empty series', 'last', [], /is empty/],
    ['required step missing', [0, 5], [[0, 1]], /required step 5 is missing/],
    [
      'a step twice under all',
      'all',
      [
        [0, 1],
        [0, 2],
      ],
      /step 0 occurs more than once/,
    ],
    [
      'a step twice under a list that names it',
      [0],
      [
        [0, 1],
        [0, 2],
      ],
      /step 0 occurs 2 times/,
    ],
    ['no step under all', 'all', [[null, 1]], /has no step/],
    [
      'a value of the wrong type',
      'last',
      [
        [0, true],
        [1, 2],
      ],
      /point 1 of record\[0\]:1 .*"NaN"/,
    ],
    [
      'a step of the wrong type',
      [1],
      [
        [-1, 1],
        [1, 2],
      ],
      /step -1 is no whole number/,
    ],
    [
      'non-finite under last',
      'last',
      [
        [0, 1],
        [1, '-Infinity'],
      ],
      /step 1.*-Infinity/,
    ],
    [
      'non-finite under all',
      'all',
      [
        [0, 'NaN'],
        [1, 1],
      ],
      /step 0 is NaN/,
    ],
    [
      'non-finite in a list',
      [1],
      [
        [0, 1],
        [1, 'Infinity'],
      ],
      /step 1 is Infinity/,
    ],
    [
      'non-finite anywhere under mean',
      'mean',
      [
        [0, 'NaN'],
        [1, 1],
      ],
      /step 0 stands NaN/,
    ],
  ]
  for (const [name, steps, series, reason] of cases) {
    t.test(name, async (t) => {
      const declarations = declare([{ metric_key: 'm', steps, ...BAND }])
      if (!declarations.ok) return t.fail(JSON.stringify(declarations.faults))
      const record = series === undefined ? recordOf() : recordOf(line('m', series))
      const { checks, trusted, outcome } = judgeInMemory(declarations.value, record, historyOf(TEN))
      t.equal(checks.length, 1)
      t.match(checks[0], { status: 'error', failsCi: true, reason })
      return t.match({ trusted, outcome }, { trusted: false, outcome: 'fail' })
    })
  }
  t.test('a literal that overflows a double is non-finite', async (t) => {
    const declarations = declare([{ metric_key: 'm', steps: 'last', ...BAND }])
    if (!declarations.ok) return t.fail()
    const record = recordOf('{"metric": "m", "series": [[0, 1e400]]}\n')
    return t.match(judgeInMemory(declarations.value, record, []).checks[0], {
      status: 'error',
      reason: /Infinity/,
    })
  })
})

t.test('selection', async (t) => {
  const select = (steps: unknown, series: unknown) => {
    const declarations = declare([{ metric_key: 'm', steps, ...BAND }])
    if (!declarations.ok) throw new Error()
    return judgeInMemory(declarations.value, recordOf(line('m', series)), []).checks.map(
      ({ selected }) => selected,
    )
  }
  t.test('"last" takes the highest step, of equal ones the last, and keys on -1', async (t) => {
    t.same(
      select('last', [
        [7, 1],
        [3, 2],
        [7, 3],
      ]),
      [{ step: -1, atStep: 7, value: 3 }],
    )
    t.same(
      select('last', [
        [null, 1],
        [null, 2],
      ]),
      [{ step: -1, atStep: null, value: 2 }],
    )
    t.same(
      select('last', [
        [0, 5],
        [null, 2],
      ]),
      [{ step: -1, atStep: 0, value: 5 }],
    )
  })
  t.test('"mean" keys on -2, counts points without a step, and is clamped', async (t) => {
    t.same(
      select('mean', [
        [0, 0.1],
        [1, 0.1],
        [null, 0.1],
      ]),
      [{ step: -2, atStep: null, value: 0.1 }],
    )
  })
  t.test('"all" ascends; a list keeps its own order', async (t) => {
    t.same(
      select('all', [
        [2, 3],
        [0, 1],
      ]).map((s) => s!.step),
      [0, 2],
    )
    t.same(
      select(
        [2, 0],
        [
          [0, 1],
          [2, 3],
        ],
      ).map((s) => s!.step),
      [2, 0],
    )
  })
  t.test('points that are not selected may be non-finite', async (t) => {
    t.same(
      select(
        [1],
        [
          [0, 'NaN'],
          [1, 1],
        ],
      )[0],
      { step: 1, atStep: 1, value: 1 },
    )
  })
})

t.test('trust: every check is pass or inactive; with none active the run is trusted', async (t) => {
  const none = judgeInMemory([], recordOf(line('x', [[0, 1]])), [])
  t.match(none, { trusted: true, outcome: 'pass', checks: [], undeclaredMetrics: ['x'] })
  t.match(none.warnings, [{ message: /Nothing was compared: the test declares no gate/ }])
  const cold = checkOne(BAND, 1, []).verdict
  t.match(cold, { trusted: true, outcome: 'pass' })
  t.match(cold.warnings, [{ message: /no trusted history yet/ }])
  t.same(checkOne(BAND, 1, historyOf([1])).verdict.warnings, [])
})

t.test('a run that is shorter than its history is judged on what it sent, and warned of', async (t) => {
  const declarations = declare([{ metric_key: 'm', steps: 'all', ...BAND }])
  if (!declarations.ok) return t.fail()
  const full = {
    runId: 'a',
    createdAt: '2026-01-01T00:00:00.000000Z',
    trusted: true,
    values: [0, 1, 2, 3].map((step) => ['m', step, 1] as const),
  }
  const verdict = judgeInMemory(
    declarations.value,
    recordOf(
      line('m', [
        [0, 1],
        [1, 1],
      ]),
    ),
    [full],
  )
  t.equal(verdict.outcome, 'pass')
  t.match(verdict.warnings, [{ metricKey: 'm', missingSteps: [2, 3], message: /lacks 2 of the steps/ }])
  const long = { ...full, values: Array.from({ length: 300 }, (_, step) => ['m', step, 1] as const) }
  const cut = judgeInMemory(declarations.value, recordOf(line('m', [[0, 1]])), [long])
  return t.equal(cut.warnings[0]!.missingSteps!.length, 100, 'the first hundred are named')
})

t.test('evidence names the runs that baselines were read from, newest first', async (t) => {
  const declarations = declare([
    { metric_key: 'm', steps: 'last', ...BAND },
    { metric_key: 'n', steps: 'last', ...BAND },
  ])
  if (!declarations.ok) return t.fail()
  const history = historyOf([1, 1, 1]).map((run, i) =>
    i === 1 ? run : { ...run, values: [...run.values, ['n', -1, 1] as const] },
  )
  const verdict = judgeInMemory(
    declarations.value,
    recordOf(line('m', [[0, 1]]), line('n', [[0, 1]])),
    history,
  )
  t.same(verdict.evidence, ['run-0002', 'run-0001', 'run-0000'])
  t.equal(verdict.checks[0]!.baselineRuns, null, 'simply the first three')
  return t.same(verdict.checks[1]!.baselineRuns, ['run-0002', 'run-0000'], 'not simply the first two')
})
