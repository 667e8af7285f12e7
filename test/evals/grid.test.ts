import fc from 'fast-check'
import t from 'tap'
import { judgeGrid } from '../../src/evals/grid.js'
import type { GridPlan, GridReport, GridRequest, GridRow } from '../../src/evals/grid-report.js'
import { runToEnd } from '../../src/gate/slices.js'
import { faultsOf, valueOf } from './support.js'

const PLAN: GridPlan = { tasks: ['a', 'b'], harnesses: ['docker', 'command:true'], repeats: 2, dryRun: false }

function row(task: string, harness: string, overrides: Partial<GridRow> = {}): GridRow {
  return { task, harness, repeat: 1, reward: 1, error: null, dryRun: false, ...overrides }
}

function request(rows: readonly GridRow[], overrides: Partial<GridRequest> = {}): GridRequest {
  return { plan: PLAN, rewardRange: null, passThreshold: 1, rows, ...overrides }
}

function judge(rows: readonly GridRow[], overrides: Partial<GridRequest> = {}, limit?: number): GridReport {
  return valueOf(runToEnd(judgeGrid(request(rows, overrides), limit)))
}

/** Every cell of the plan once, scored. */
function fullGrid(plan = PLAN, overrides: Partial<GridRow> = {}): GridRow[] {
  return plan.tasks.flatMap((task) =>
    plan.harnesses.flatMap((harness) =>
      Array.from({ length: plan.repeats }, (_, index) =>
        row(task, harness, { repeat: index + 1, ...overrides }),
      ),
    ),
  )
}

const COUNTS = {
  plannedCells: 8,
  scored: 8,
  errored: 0,
  unscored: 0,
  missing: 0,
  duplicate: 0,
  unplanned: 0,
  dryRun: 0,
}

t.test('a complete grid of two repeats passes, and second repeats are no duplicates', async (t) => {
  const report = judge(fullGrid())
  t.match(report, { complete: true, outcome: 'pass', meanReward: 1, passRate: 1, scoredN: 8 })
  t.same(report.counts, COUNTS)
})

t.test('one cell that is not exactly one scored row fails the grid', async (t) => {
  const full = fullGrid()
  const [first, ...others] = full
  const cases: Array<[string, GridRow[], Partial<typeof COUNTS>]> = [
    ['errored', [{ ...first!, error: 'timeout' }, ...others], { scored: 7, errored: 1 }],
    ['errored with an empty text', [{ ...first!, error: '' }, ...others], { scored: 7, errored: 1 }],
    ['unscored', [{ ...first!, reward: null }, ...others], { scored: 7, unscored: 1 }],
    ['missing', others, { scored: 7, missing: 1 }],
    ['duplicate', [...full, first!], { scored: 9, duplicate: 1 }],
    ['unplanned task', [...full, row('c', 'docker')], { scored: 9, unplanned: 1 }],
    ['unplanned harness', [...full, row('a', 'podman')], { scored: 9, unplanned: 1 }],
    ['unplanned repeat', [...full, row('a', 'docker', { repeat: 3 })], { scored: 9, unplanned: 1 }],
    ['repeat 0', [...full, row('a', 'docker', { repeat: 0 })], { scored: 9, unplanned: 1 }],
    ['repeat 1.5', [...full, row('a', 'docker', { repeat: 1.5 })], { scored: 9, unplanned: 1 }],
    ['of a dry run', [{ ...first!, dryRun: true, reward: null }, ...others], { scored: 7, unscored: 1 }],
  ]
  for (const [name, rows, counts] of cases) {
    const report = judge(rows)
    t.match(report, { complete: false, outcome: 'fail' }, name)
    t.same(report.counts, { ...COUNTS, ...counts }, name)
  }
})

t.test('an error outweighs a reward; a reward of zero is a result', async (t) => {
  const plan = { ...PLAN, tasks: ['a'], harnesses: ['h'], repeats: 1 }
  const one = (overrides: Partial<GridRow>) => judge([row('a', 'h', overrides)], { plan })
  t.match(one({ error: 'boom', reward: 1 }), { complete: false, counts: { errored: 1, scored: 0 } })
  t.match(one({ reward: 0 }), { complete: true, meanReward: 0, passRate: 0, scoredN: 1 })
  t.match(one({ reward: -0 }), { complete: true, meanReward: 0 })
  t.match(one({ error: undefined }), { complete: true })
})

t.test('what is no finite number within the range is unscored', async (t) => {
  const plan = { ...PLAN, tasks: ['a'], harnesses: ['h'], repeats: 1 }
  for (const reward of [
    NaN,
    Infinity,
    -Infinity,
    null,
    undefined,
    true,
    false,
    '1',
    '0.5',
    '',
    [],
    {},
    1.1,
    -0.1,
  ]) {
    const report = judge([row('a', 'h', { reward })], { plan, rewardRange: { min: 0, max: 1 } })
    t.match(
      report,
      { complete: false, counts: { unscored: 1, scored: 0 }, meanReward: null, passRate: null, scoredN: 0 },
      `${typeof reward} ${JSON.stringify(reward)}`,
    )
    t.same(report.cells.unscored, { items: [{ task: 'a', harness: 'h', repeat: 1 }], total: 1 })
  }
  for (const reward of [0, 0.5, 1])
    t.ok(judge([row('a', 'h', { reward })], { plan, rewardRange: { min: 0, max: 1 } }).complete)
  t.ok(judge([row('a', 'h', { reward: 7 })], { plan }).complete, 'any finite number without a range')
})

t.test('a dry run is complete with planned rows, and claims no mean', async (t) => {
  const plan = { ...PLAN, dryRun: true }
  const report = judge(fullGrid(plan, { dryRun: true, reward: null, error: 'ignored in a dry run' }), {
    plan,
  })
  t.match(report, { complete: true, outcome: 'pass', meanReward: null, passRate: null, scoredN: 0 })
  t.same(report.counts, { ...COUNTS, scored: 0, dryRun: 8 })
  t.notOk(judge(fullGrid(plan, { reward: null }), { plan }).complete, 'rows that were to run are not planned')
  t.ok(judge(fullGrid(plan), { plan }).complete, 'a row that ran in a dry plan has its own state')
  t.notOk(judge(fullGrid(plan, { dryRun: true, reward: null }).slice(1), { plan }).complete)
})

t.test('means and rates rest on the first row of each planned cell', async (t) => {
  const plan = { ...PLAN, tasks: ['a', 'b'], harnesses: ['h', 'k'], repeats: 1 }
  const report = judge(
    [
      row('a', 'h', { reward: 0.25 }),
      row('a', 'h', { reward: 1 }), // a duplicate
      row('a', 'k', { error: 'boom', reward: 1 }),
      row('b', 'h', { reward: 0.75 }),
      row('c', 'h', { reward: 1 }), // unplanned
    ],
    { plan, passThreshold: 0.75 },
  )
  t.match(report, { meanReward: 0.5, passRate: 0.5, scoredN: 2, complete: false })
  const nothing = { errored: 0, unscored: 0, dryRun: 0, missing: 0, plannedCells: 2 }
  t.same(report.byTask, [
    { task: 'a', ...nothing, meanReward: 0.25, passRate: 0, scoredN: 1, errored: 1 },
    { task: 'b', ...nothing, meanReward: 0.75, passRate: 1, scoredN: 1, missing: 1 },
  ])
  t.same(report.byHarness, [
    { harness: 'h', ...nothing, meanReward: 0.5, passRate: 0.5, scoredN: 2 },
    { harness: 'k', ...nothing, meanReward: null, passRate: null, scoredN: 0, errored: 1, missing: 1 },
  ])
  t.same(report.counts, {
    plannedCells: 4,
    scored: 4,
    errored: 1,
    unscored: 0,
    missing: 1,
    duplicate: 1,
    unplanned: 1,
    dryRun: 0,
  })
})

t.test('a threshold that nothing misses passes what is scored, and nothing else', async (t) => {
  const plan = { ...PLAN, tasks: ['a'], harnesses: ['h', 'k'], repeats: 1 }
  const report = judge([row('a', 'h', { reward: 0 }), row('a', 'k', { error: 'boom' })], {
    plan,
    passThreshold: 0,
  })
  t.match(report, { passRate: 1, scoredN: 1, meanReward: 0 })
})

t.test('a duplicate cannot repair its cell', async (t) => {
  const plan = { ...PLAN, tasks: ['a'], harnesses: ['h'], repeats: 1 }
  const report = judge([row('a', 'h', { error: 'boom' }), row('a', 'h')], { plan })
  t.match(report, { complete: false, meanReward: null, scoredN: 0, counts: { errored: 1, duplicate: 1 } })
})

t.test('means are decimal: three times 0.1 is 0.1', async (t) => {
  const plan = { ...PLAN, tasks: ['a'], harnesses: ['h'], repeats: 3 }
  t.equal(judge(fullGrid(plan, { reward: 0.1 }), { plan }).meanReward, 0.1)
})

t.test('lists are bounded, with their totals; missing cells stand in the order of the plan', async (t) => {
  const plan = { ...PLAN, repeats: 1_000_000_000 }
  const report = judge([row('a', 'docker', { repeat: 2 }), ...fullGrid().slice(0, 1)], { plan }, 3)
  t.same(report.cells.missing, {
    items: [3, 4, 5].map((repeat) => ({ task: 'a', harness: 'docker', repeat })),
    total: 4_000_000_000 - 2,
  })
  t.equal(report.counts.missing, 4_000_000_000 - 2)
  const errors = judge(fullGrid(PLAN, { error: 'boom' }), {}, 3)
  t.equal(errors.cells.errored.items.length, 3)
  t.equal(errors.cells.errored.total, 8)
  t.same(judge([]).cells.missing.items.at(-1), { task: 'b', harness: 'command:true', repeat: 2 })
})

t.test('a plan whose cells cannot be told apart is refused before anything is counted', async (t) => {
  const refused = (plan: Partial<GridPlan>, others: Partial<GridRequest> = {}) =>
    faultsOf(runToEnd(judgeGrid(request(fullGrid(), { plan: { ...PLAN, ...plan }, ...others })))).map(
      ({ where, message }) => `${where} ${message}`,
    )
  const [twice] = refused({ tasks: ['a', 'b', 'a'] })
  t.match(twice, /^plan\/tasks\/2 lists the task "a" again/)
  t.match(refused({ harnesses: ['h', 'h'] })[0], /^plan\/harnesses\/1 lists the harness "h" again/)
  t.match(refused({ tasks: [] })[0], /^plan\/tasks is empty/)
  t.match(refused({ harnesses: [] })[0], /^plan\/harnesses is empty/)
  t.match(refused({ repeats: 0 })[0], /^plan\/repeats/)
  t.match(refused({ repeats: 1.5 })[0], /^plan\/repeats/)
  t.match(refused({ repeats: Number.MAX_SAFE_INTEGER })[0], /^plan\/repeats makes more cells/)
  t.match(refused({}, { rewardRange: { min: 1, max: 0 } })[0], /^reward_range/)
  t.match(refused({}, { passThreshold: NaN })[0], /^pass_threshold/)
  t.equal(refused({ tasks: ['a', 'a'], harnesses: ['h', 'h'] }).length, 2, 'every fault is told')
})

t.test('every row and every cell is counted once', async (t) => {
  const cell = fc.record({
    task: fc.constantFrom('a', 'b', 'c'),
    harness: fc.constantFrom('docker', 'command:true', 'x'),
    repeat: fc.integer({ min: 0, max: 3 }),
    reward: fc.constantFrom(0, 0.5, 1, 2, null, 'x', true, NaN),
    error: fc.constantFrom(null, 'boom'),
    dryRun: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 20 }), fc.boolean(), (rows, dryRun) => {
      const report = judge(rows, { plan: { ...PLAN, dryRun }, rewardRange: { min: 0, max: 1 } })
      const {
        plannedCells,
        scored,
        errored,
        unscored,
        missing,
        duplicate,
        unplanned,
        dryRun: dry,
      } = report.counts
      if (scored + errored + unscored + dry !== rows.length) return false
      if (plannedCells - missing + duplicate + unplanned !== rows.length) return false
      const sum = (groups: readonly GridReport['byTask'][number][] | GridReport['byHarness']) =>
        groups.reduce((n, group) => n + group.scoredN, 0)
      return sum(report.byTask) === report.scoredN && sum(report.byHarness) === report.scoredN
    }),
  )
  t.pass('no row or cell was lost')
})
