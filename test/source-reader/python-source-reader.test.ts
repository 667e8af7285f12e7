import { spawnSync } from 'node:child_process'
import t, { type Test } from 'tap'
import {
  PythonSourceReader,
  type PythonSourceReaderOptions,
} from '../../src/source-reader/python-source-reader.js'

const GATE = Buffer.from('register_ci_gate(metric_key="m", steps=[0], constraint={"rel_down": 1.0})\n')
const SLOW = Buffer.from(`x = 1${'\\\n'.repeat(130_000)}\n`)
const OVERFLOWING = Buffer.from(`x = ${'not '.repeat(60_000)}1\n`)

// Parsers load slowly where other tests take the cores.
t.setTimeout(120_000)

function open(t: Test, options?: PythonSourceReaderOptions): PythonSourceReader {
  const reader = new PythonSourceReader(options)
  t.teardown(() => reader.close())
  return reader
}

async function timed<Value>(work: Promise<Value>): Promise<[Value, number]> {
  const started = performance.now()
  return [await work, performance.now() - started]
}

t.test('reads declarations as they are written', async (t) => {
  const reader = open(t)
  const outcome = await reader.read(Buffer.from('register_ci_gate(a=-0.0, b=9007199254740993, c="\\0é")'))
  if (!outcome.ok) return t.fail('read', { faults: outcome.faults })
  t.match(outcome.value, [{ line: 1, where: 'test_file:1' }])
  const values = outcome.value[0]?.fields.map(({ value }) => ('value' in value ? value.value : null))
  return t.strictSame(values, [-0, 9007199254740993n, '\0é'])
})

t.test('refuses with faults', async (t) => {
  const reader = open(t)
  t.match(await reader.read(Buffer.from('register_ci_gate(x=y)')), {
    ok: false,
    faults: [{ where: 'test_file:1' }],
  })
  t.match(await reader.read(Buffer.alloc(262_145, 35)), { ok: false, faults: [{ message: /256 KiB/ }] })
})

t.test('a file that was read is known again by its bytes, and waits for no parser', async (t) => {
  const reader = open(t, { processes: 1, deadlineMs: 2_000 })
  const refused = Buffer.from('register_ci_gate(x=y)')
  const [first, faults] = [await reader.read(GATE), await reader.read(refused)]
  let done = false
  const slow = reader.read(SLOW).finally(() => {
    done = true
  })
  t.strictSame(await reader.read(Buffer.from(GATE)), first)
  t.strictSame(await reader.read(Buffer.from(refused)), faults)
  t.notOk(done, 'the only parser is still busy')
  const other = reader.read(Buffer.concat([GATE, GATE]))
  t.match(await other, { ok: true, value: { length: 2 } })
  t.ok(done, 'another file has waited for it')
  await slow
})

t.test('a file that took too long is tried again', async (t) => {
  const reader = open(t, { processes: 1, deadlineMs: 30 })
  await reader.ready()
  const started = Buffer.from(`${'x = [' + '[1, 2], '.repeat(8_000)}]\n`)
  const outcome = await reader.read(started)
  t.match(outcome, { ok: false, faults: [{ message: /to parse/ }] })
  const again = await timed(reader.read(started))
  t.match(again[0], { ok: false, faults: [{ message: /to parse/ }] })
  t.ok(again[1] > 20, 'parsed again')
})

t.test('a view into a larger buffer is read as itself, and left alone', async (t) => {
  const reader = open(t)
  const request = Buffer.concat([Buffer.alloc(100, 40), GATE, Buffer.alloc(100, 40)])
  const part = request.subarray(100, 100 + GATE.length)
  t.match(await reader.read(part), { ok: true, value: { length: 1 } })
  t.ok(part.equals(GATE))
})

t.test('a file that takes too long is refused in time, and the next one is read', async (t) => {
  const reader = open(t, { processes: 1 })
  await reader.ready()
  for (const slow of [SLOW, Buffer.from(`x = ${'"" '.repeat(87_000)}\n`)]) {
    const [outcome, took] = await timed(reader.read(slow))
    t.match(outcome, {
      ok: false,
      faults: [{ where: 'test_file', message: /longer than a second to parse/ }],
    })
    t.ok(took > 900 && took < 2500, `refused after ${took.toFixed()} ms`)
    t.match(await reader.read(GATE), { ok: true, value: { length: 1 } })
  }
})

t.test('time in the queue is not held against a file', async (t) => {
  const reader = open(t, { processes: 1 })
  const outcomes = await Promise.all([SLOW, SLOW, GATE].map((file) => reader.read(file)))
  t.strictSame(
    outcomes.map(({ ok }) => ok),
    [false, false, true],
  )
})

t.test('a file that breaks a parser costs itself alone', async (t) => {
  const reader = open(t, { processes: 2 })
  const files = [GATE, OVERFLOWING, GATE, Buffer.from(`x${'.x'.repeat(120_000)}`), GATE, GATE]
  const outcomes = await Promise.all(files.map((file) => reader.read(file)))
  t.strictSame(
    outcomes.map(({ ok }) => ok),
    [true, false, true, false, true, true],
  )
  t.match(outcomes[1], { faults: [{ where: 'test_file', message: /the parser breaks down.*nesting/ }] })
})

t.test('chains of every length end in an answer', async (t) => {
  const reader = open(t)
  const chains = [
    'x=' + 'a.b'.repeat(4_000),
    'x=' + '1+'.repeat(10_000) + '1',
    'x' + '()'.repeat(120_000),
    'not '.repeat(65_000) + 'x',
  ]
  chains.push(
    'x=' + '-'.repeat(200_000) + '1',
    'a='.repeat(60_000) + '1',
    'x=' + 'lambda:'.repeat(30_000) + '1',
    'x=' + '1 if 1 else '.repeat(20_000) + '1',
  )
  chains.push(
    'x=' + '1<'.repeat(60_000) + '1',
    'x=' + '1 and '.repeat(40_000) + '1',
    'x=' + '1**'.repeat(60_000) + '1',
    'await '.repeat(40_000) + 'x',
  )
  chains.push(
    'if 1: pass\n' + 'elif 1: pass\n'.repeat(15_000),
    'x' + '[0]'.repeat(80_000),
    '@a\n'.repeat(80_000) + 'def f(): pass',
    'x=' + '(y:='.repeat(190) + '1' + ')'.repeat(190),
  )
  chains.push(
    Array.from({ length: 99 }, (_, i) => `${' '.repeat(i)}if 1:\n`).join('') + ' '.repeat(99) + 'pass',
  )
  for (const chain of chains) {
    const outcome = await reader.read(Buffer.from(`${chain}\n`))
    t.ok(
      outcome.ok || /second|breaks down|nested|syntax/i.test(outcome.faults[0]!.message),
      `${chain.slice(0, 20)}: ${outcome.ok || outcome.faults[0]?.message}`,
    )
  }
  t.match(await reader.read(GATE), { ok: true, value: { length: 1 } })
})

t.test('deep nesting is refused at once', async (t) => {
  const reader = open(t)
  await reader.ready()
  for (const deep of ['('.repeat(10_000) + ')'.repeat(10_000), '['.repeat(200_000), '{"a":'.repeat(10_000)]) {
    const [outcome, took] = await timed(reader.read(Buffer.from(deep)))
    t.match(outcome, { ok: false, faults: [{ message: /nested more than 200/ }] })
    t.ok(took < 1000)
  }
})

t.test('a queue that is full refuses more', async (t) => {
  const reader = open(t, { processes: 1, maxWaiting: 2 })
  await reader.ready()
  const slow = reader.read(SLOW)
  const waiting = [reader.read(GATE), reader.read(GATE)]
  await t.rejects(reader.read(GATE), { name: 'GatehouseError', code: 'unavailable', message: /overloaded/ })
  t.match(await slow, { ok: false })
  for (const outcome of await Promise.all(waiting)) t.ok(outcome.ok)
  t.match(await reader.read(GATE), { ok: true })
})

t.test('closing refuses what runs and waits, quickly', async (t) => {
  const reader = new PythonSourceReader({ processes: 1 })
  await reader.ready()
  const pending = [SLOW, GATE, GATE].map((file) => reader.read(file))
  const refusals = Promise.all(
    pending.map((read) => t.rejects(read, { code: 'unavailable', message: /closed/ })),
  )
  const [, took] = await timed(reader.close())
  t.ok(took < 1000, `closed after ${took.toFixed()} ms`)
  await refusals
  await t.rejects(reader.read(GATE), { code: 'unavailable' })
  await t.rejects(reader.ready(), { code: 'unavailable' })
  await reader.close()
})

t.test('closing while the parsers load', async (t) => {
  const reader = new PythonSourceReader()
  const refused = Promise.all([t.rejects(reader.ready(), /closed/), t.rejects(reader.read(GATE), /closed/)])
  await reader.close()
  await refused
  await new PythonSourceReader().close()
})

t.test('an idle reader keeps no process alive, a busy one does', async (t) => {
  const run = (body: string) => {
    const module = JSON.stringify(new URL('../../src/source-reader/python-source-reader.js', import.meta.url))
    const program = `import { PythonSourceReader } from ${module}
      const reader = new PythonSourceReader()
      const gate = Buffer.from('register_ci_gate(metric_key="m")')
      ${body}`
    return spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      timeout: 60_000,
    })
  }
  const read = run('reader.read(gate).then(({ ok }) => console.log(ok))')
  t.match(read, { status: 0, stdout: 'true\n', stderr: '' })
  t.match(run('await reader.ready(); console.log("ready")'), { status: 0, stdout: 'ready\n' })
  const broken = run('reader.read(Buffer.from("not ".repeat(60000) + "x")).then(({ ok }) => console.log(ok))')
  t.match(broken, { status: 0, stdout: 'false\n', stderr: '' })
})
