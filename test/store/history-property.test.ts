/** Random histories: both stores and a model of twenty lines give the same answers. */
import fc from 'fast-check'
import t from 'tap'
import { compareCodePoints } from '../../src/gate/literal.js'
import type { NewRun } from '../../src/store/runs.js'
import { openPostgres, openSqlite } from '../support/stores.js'
import { at, FIRST_PAGE, run, SERIES, value } from './fixtures.js'

// Many histories on two databases; slow on a busy machine.
t.setTimeout(120_000)

const SERIES_CHOICES = [SERIES, { ...SERIES, suite: 'other' }]
const KEYS = ['m', 'M', '__proto__']
const STEPS = [-2, -1, 0, 1]
const COORDINATES = KEYS.flatMap((metricKey) => STEPS.map((step) => ({ metricKey, step })))

interface Step {
  readonly revoke: readonly string[]
  readonly undo: boolean
}

class Model {
  readonly runs = new Map<string, NewRun & { trusted: boolean }>()
  readonly revocations: Array<{ covers: string[]; flipped: string[]; undone: boolean }> = []

  write(one: NewRun): void {
    if (!this.runs.has(one.runId)) this.runs.set(one.runId, { ...one })
  }
  revoke(runIds: readonly string[]): void {
    const covered = this.newestFirst().filter((one) => runIds.includes(one.runId))
    const flipped = covered.filter((one) => one.trusted).map((one) => one.runId)
    this.revocations.push({ covers: covered.map((one) => one.runId), flipped, undone: false })
    this.setTrust(flipped, false)
  }
  undo(index: number): string[] {
    const revocation = this.revocations[index]
    if (revocation === undefined || revocation.undone) return []
    revocation.undone = true
    const restored = this.newestFirst()
      .filter((one) => revocation.covers.includes(one.runId) && !one.trusted)
      .map((one) => one.runId)
      .filter((id) => this.revocations.some((each) => each.flipped.includes(id)))
      .filter((id) => !this.revocations.some((each) => !each.undone && each.covers.includes(id)))
    this.setTrust(restored, true)
    return restored
  }
  baseline(series: typeof SERIES, metricKey: string, step: number, limit: number) {
    const held = this.newestFirst()
      .filter((one) => one.trusted && one.series.suite === series.suite)
      .flatMap(({ runId, createdAt, values }) =>
        values
          .filter((each) => each.metricKey === metricKey && each.step === step)
          .map((each) => ({ run: { runId, createdAt }, value: each.value })),
      )
      .slice(0, limit)
    return { values: held.map(({ value }) => value), runs: held.map(({ run }) => run), nonFinite: 0 }
  }
  newestFirst() {
    return [...this.runs.values()].sort(
      (a, b) => compareCodePoints(b.createdAt, a.createdAt) || compareCodePoints(b.runId, a.runId),
    )
  }
  private setTrust(runIds: readonly string[], trusted: boolean): void {
    for (const id of runIds) {
      const one = this.runs.get(id)
      if (one !== undefined) one.trusted = trusted
    }
  }
}

const runId = fc.constantFrom(
  ...Array.from({ length: 60 }, (_none, index) => `${['a', 'B', '𝒳', '\uff5e'][index % 4]}${index % 15}`),
)
const newRun: fc.Arbitrary<NewRun> = fc
  .record({
    runId,
    series: fc.constantFrom(...SERIES_CHOICES),
    // Few times, so that many are equal.
    createdAt: fc.tuple(fc.nat(3), fc.nat(1)).map(([second, micros]) => at(second, micros)),
    trusted: fc.boolean(),
    present: fc.subarray(COORDINATES),
    number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
  })
  .map(({ present, number, ...fields }) =>
    run(fields.runId, {
      ...fields,
      values: present.map(({ metricKey, step }) => value(metricKey, step, number)),
    }),
  )
const history = fc.record({
  runs: fc.array(newRun, { maxLength: 40 }),
  steps: fc.array(fc.record({ revoke: fc.array(runId, { maxLength: 12 }), undo: fc.boolean() }), {
    maxLength: 5,
  }),
  limit: fc.integer({ min: 1, max: 8 }),
})

t.test('random histories', async (t) => {
  const opened = [await openSqlite(t), await openPostgres(t)]
  await fc.assert(
    fc.asyncProperty(history, async ({ runs, steps, limit }) => {
      const expected = expectation(runs, steps, limit)
      for (const { store, sql } of opened) {
        for (const table of ['revocation_undos', 'revocation_runs', 'revocations', 'metric_values', 'runs']) {
          await sql(`delete from ${table}`)
        }
        t.strictSame(await actual(store, runs, steps, limit), expected, store.backend)
      }
    }),
    { numRuns: 60 },
  )
})

function expectation(runs: readonly NewRun[], steps: readonly Step[], limit: number): unknown {
  const model = new Model()
  for (const one of runs) model.write(one)
  const restored: string[][] = []
  for (const [index, step] of steps.entries()) {
    model.revoke(step.revoke)
    if (step.undo) restored.push(model.undo(Math.floor(index / 2)))
  }
  return {
    restored,
    runs: model.newestFirst().map((one) => [one.runId, one.createdAt, one.trusted]),
    baselines: SERIES_CHOICES.map((series) =>
      COORDINATES.map(({ metricKey, step }) => model.baseline(series, metricKey, step, limit)),
    ),
  }
}

async function actual(
  store: Awaited<ReturnType<typeof openSqlite>>['store'],
  runs: readonly NewRun[],
  steps: readonly Step[],
  limit: number,
): Promise<unknown> {
  return store.write(async (writer) => {
    for (const one of runs) await writer.writeRun(one)
    const restored: Array<readonly string[]> = []
    const common = { createdAt: at(0), actor: 'a', reason: 'r' }
    const undone = new Set<number>()
    for (const [index, step] of steps.entries()) {
      const selector = { runIds: step.revoke }
      const matched = (await writer.matchRuns(selector)).map((one) => one.runId)
      const flipped = await writer.markUntrusted(selector)
      await writer.writeRevocation({
        ...common,
        revocationId: `v${index}`,
        selector,
        matched,
        flipped,
        impact: '{}',
      })
      if (!step.undo) continue
      const target = Math.floor(index / 2)
      const { restore } = await writer.restorableRuns(`v${target}`)
      if (!undone.has(target)) await writer.writeUndo({ ...common, revocationId: `v${target}`, restore })
      undone.add(target)
      restored.push(restore)
    }
    const listed = await writer.listRuns({}, FIRST_PAGE)
    const baselines = []
    for (const series of SERIES_CHOICES) {
      const found = await writer.recentTrustedValues(series, COORDINATES, limit)
      baselines.push(found)
    }
    return { restored, runs: listed.map((one) => [one.runId, one.createdAt, one.trusted]), baselines }
  })
}
