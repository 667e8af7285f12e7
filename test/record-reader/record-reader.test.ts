import { monitorEventLoopDelay } from 'node:perf_hooks'
import t from 'tap'
import { builtInGateDefaults } from '../../src/gate/defaults.js'
import { resolveDeclarations } from '../../src/gate/declarations.js'
import { readJsonDeclarations } from '../../src/gate/json-literals.js'
import { planRecord } from '../../src/operations/plan-record.js'
import { RecordReader } from '../../src/record-reader/record-reader.js'

const DECLARATIONS = (() => {
  const text =
    '[{"metric_key":"m","steps":[0,9],"constraint":{"rel_down":0.5}},{"metric_key":"n","steps":"mean","hard_ref":{"max":2}}]'
  const read = readJsonDeclarations(Buffer.from(text))
  const resolved = resolveDeclarations(read.ok ? read.value : [], builtInGateDefaults())
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.faults))
  return resolved.value
})()

function line(metric: string, points: number): string {
  const series = Array.from({ length: points }, (_none, step) => [step, step % 7 === 3 ? 'NaN' : step / 3])
  return `${JSON.stringify({ metric, series })}\n`
}

const LARGE = [line('m', 40_000), `${line('n', 10)}${line('m', 3)}`, line('x', 40_000)]

function open(t: { teardown(work: () => Promise<void>): void }): RecordReader {
  const reader = new RecordReader()
  t.teardown(() => reader.close())
  return reader
}

t.test('a large record comes to the same as a small one does', async (t) => {
  const reader = open(t)
  const parts = () => LARGE.map((text) => Buffer.from(text))
  const expected = planRecord({ kind: 'parts', parts: parts() }, DECLARATIONS)
  t.ok(expected.ok && expected.value.plan.declarations.length === 2)
  const [one, other] = await Promise.all([
    reader.plan({ kind: 'parts', parts: parts() }, DECLARATIONS),
    reader.plan({ kind: 'parts', parts: parts() }, DECLARATIONS),
  ])
  t.strictSame(one, expected)
  t.strictSame(other, expected)
  // Parts of one body: none of them has its memory for itself.
  const body = Buffer.concat(parts())
  let start = 0
  const slices = LARGE.map((text) => body.subarray(start, (start += Buffer.byteLength(text))))
  t.strictSame(await reader.plan({ kind: 'parts', parts: slices }, DECLARATIONS), expected)
  t.equal(body.length, 0, 'is given away with them, and not copied')
})

t.test('so do its faults', async (t) => {
  const reader = open(t)
  const parts = [...LARGE, '{"metric":"b","ser'].map((text) => Buffer.from(text))
  t.match(await reader.plan({ kind: 'parts', parts }, DECLARATIONS), {
    ok: false,
    faults: [{ where: 'record[3]:1' }],
  })
  t.match(await reader.plan(null, DECLARATIONS), { ok: false, faults: [{ where: 'record' }] })
  t.match(await reader.plan(null, []), { ok: true, value: { plan: { checks: 0 } } })
})

t.test('nothing else waits for it', async (t) => {
  const reader = open(t)
  const text = line('m', 400_000)
  const plan = () =>
    reader.plan({ kind: 'parts', parts: [Buffer.from(text), Buffer.from(text)] }, DECLARATIONS)
  await plan()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  let turns = 0
  const ticking = setInterval(() => turns++, 5)
  const begun = performance.now()
  t.ok((await plan()).ok)
  clearInterval(ticking)
  delay.disable()
  const took = performance.now() - begun
  t.comment(`${Math.round(took)} ms, longest wait ${Math.round(delay.max / 1e6)} ms, ${turns} turns`)
  t.ok(turns > took / 60, 'the event loop went on turning')
})

t.test('what small parts lie in stays with whoever else has a place in it', async (t) => {
  const reader = open(t)
  const pooled = Buffer.from(line('n', 2))
  t.ok(pooled.buffer.byteLength > pooled.length)
  const parts = [Buffer.from(LARGE[0]!), pooled]
  t.ok((await reader.plan({ kind: 'parts', parts }, DECLARATIONS)).ok)
  t.equal(pooled.toString(), line('n', 2))
})

t.test('closed, it refuses what waits, and what comes', async (t) => {
  const reader = open(t)
  const waiting = reader.plan({ kind: 'parts', parts: LARGE.map((text) => Buffer.from(text)) }, DECLARATIONS)
  const refused = t.rejects(waiting, { code: 'unavailable' })
  await reader.close()
  await refused
  await t.rejects(
    reader.plan({ kind: 'parts', parts: LARGE.map((text) => Buffer.from(text)) }, DECLARATIONS),
    { code: 'unavailable' },
  )
})
