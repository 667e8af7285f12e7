import { readFileSync } from 'node:fs'
import t from 'tap'
import { CONVERTERS, type Format } from '../../src/convert/formats.js'
import type { ConvertOptions, CsvOptions, RunOptions, Target } from '../../src/convert/options.js'
import { readRecordParts } from '../../src/gate/record.js'

/** Golden outputs, from files made by hand after each tool's documented format. */

const RUN: RunOptions = {
  testPath: 'bench/all',
  backend: 'linux',
  suite: null,
  commitSha: null,
  ref: null,
  eventName: null,
  createdAt: null,
  trusted: true,
  skipFaulty: false,
}
const CSV: CsvOptions = {
  metricColumn: null,
  stepColumn: null,
  valueColumns: [],
  timeColumn: null,
  commitColumn: null,
  delimiter: ',',
  assumeUtc: false,
}

interface Overrides {
  readonly prefix?: string
  readonly run?: Partial<RunOptions>
  readonly csv?: Partial<CsvOptions>
  readonly stats?: readonly string[]
  readonly entry?: string
}

const fixture = (name: string) => readFileSync(`test/fixtures/convert/${name}`, 'utf8')

function convert(format: Format, target: Target, text: string, overrides: Overrides = {}) {
  const options: ConvertOptions = {
    prefix: overrides.prefix ?? '',
    run: { ...RUN, ...overrides.run },
    pytestBenchmark: { stats: overrides.stats ?? ['median'] },
    githubActionBenchmark: { entry: overrides.entry ?? null },
    csv: { ...CSV, ...overrides.csv },
  }
  return CONVERTERS[format].targets[target]!(text, options)
}

function linesOf(outcome: ReturnType<typeof convert>): unknown[] {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults))
  return outcome.value.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
}

function seriesOf(outcome: ReturnType<typeof convert>): Record<string, unknown> {
  const lines = linesOf(outcome) as Array<{ metric: string; series: unknown }>
  return Object.fromEntries(lines.map(({ metric, series }) => [metric, series]))
}

function faultsOf(outcome: ReturnType<typeof convert>): string[] {
  return outcome.ok ? [] : outcome.faults.map(({ where, message }) => `${where}: ${message}`)
}

t.test('trainer_state.json: names as the reporters give them, bare NaN and Infinity as markers', (t) => {
  const outcome = convert('hf-trainer', 'record', fixture('trainer_state.json'))
  t.same(seriesOf(outcome), {
    'train/grad_norm': [
      [10, 0.5378170013427734],
      [20, 'Infinity'],
      [30, 'NaN'],
    ],
    'train/learning_rate': [
      [10, 0.00019510565162951537],
      [20, 0.0001],
      [30, 0.00005],
    ],
    'train/loss': [
      [10, 0.8601],
      [20, 0.6658],
      [30, 'NaN'],
    ],
    'eval/loss': [[20, 0.71]],
    'eval/runtime': [[20, 3.2]],
    'eval/samples_per_second': [[20, 62.5]],
    'train/total_flos': [[30, 2920187229092352]],
    'train/train_loss': [[30, 0.7629]],
    'train/train_runtime': [[30, 616.7037]],
  })
  if (outcome.ok) {
    t.same(outcome.value.notes, [])
    const record = readRecordParts([Buffer.from(outcome.value.text)])
    t.ok(record.ok && record.value.get('train/loss')?.invalid.length === 0, 'a record that is taken')
  }
  t.end()
})

t.test('trainer_state.json: what is missing is said, and what is left out is told', (t) => {
  const of = (text: string) => convert('hf-trainer', 'record', text)
  t.match(faultsOf(of('{"best_metric": null}')), [/^log_history: is missing; .*checkpoint-N/])
  t.match(faultsOf(of('[]')), [/^log_history: is missing/])
  t.match(faultsOf(of('{"log_history": []}')), [/is empty: nothing was logged/])
  t.match(faultsOf(of('{"log_history": [{"step": 1, "epoch": 0.1}]}')), [/holds no number beside/])
  t.match(faultsOf(of('{"log_history": [{"step": 1.5, "loss": 1}, 3]}')), [
    /^log_history\/0\/step: is 1.5, no whole number/,
    /^log_history\/1: is 3, not an object/,
  ])
  t.match(faultsOf(of('{"log_history": [{"loss": 1, "loss": 2}]}')), [/^log_history\/0\/loss: .*twice/])
  t.match(faultsOf(of('{"log_history": [{"loss": 1')), [/is no JSON/])
  t.match(faultsOf(of('{"log_history": [{" loss": "x", "a ": 1}]}')), [/"train\/a " .*white space/])
  const partly = of(
    '{"log_history": [{"step": 1, "loss": 1, "tag": "nan"}, {"step": 1, "loss": 2}, {"loss": 3}]}',
  )
  t.same(seriesOf(partly), {
    'train/loss': [
      [1, 1],
      [1, 2],
      [null, 3],
    ],
  })
  t.match(partly, {
    value: {
      notes: [/left out: "tag" is no number in 1 entry/, /train\/loss holds a step more than once/],
    },
  })
  t.end()
})

t.test('a value that is not finite is kept, also where it was written as a string', (t) => {
  const text =
    '{"log_history": [{"step": 1, "loss": 1.5}, {"step": 2, "loss": "NaN"}, {"step": 3, "loss": "-Infinity"}]}'
  const converted = convert('hf-trainer', 'record', text)
  t.same(seriesOf(converted), {
    'train/loss': [
      [1, 1.5],
      [2, 'NaN'],
      [3, '-Infinity'],
    ],
  })
  t.match(converted, { value: { notes: [] } })
  t.end()
})

t.test('bare literals are read outside strings only', (t) => {
  const text = '{"log_history": [{"step": 1, "say \\"NaN": "[NaN, -Infinity]", "loss": -Infinity, "x": NaN}]}'
  t.same(seriesOf(convert('hf-trainer', 'record', text)), {
    'train/loss': [[1, '-Infinity']],
    'train/x': [[1, 'NaN']],
  })
  t.end()
})

t.test('pytest-benchmark: a metric for each benchmark and statistic', (t) => {
  const text = fixture('pytest-benchmark.json')
  t.same(seriesOf(convert('pytest-benchmark', 'record', text, { stats: ['min', 'ops'], prefix: 'perf/' })), {
    'perf/tests/bench_tokenizer.py::test_encode/min': [[null, 0.00121]],
    'perf/tests/bench_tokenizer.py::test_encode/ops': [[null, 751.8796992481203]],
    'perf/tests/bench_tokenizer.py::test_decode[utf-8]/min': [[null, 0.00041]],
    'perf/tests/bench_tokenizer.py::test_decode[utf-8]/ops': [[null, 2127.659574468085]],
  })
  t.same(
    linesOf(convert('pytest-benchmark', 'import', text, { run: { suite: 'nightly', trusted: false } })),
    [
      {
        series: { test_path: 'bench/all', backend: 'linux', suite: 'nightly' },
        provenance: { commit_sha: '4f2b6c1d8e9a0b3c5d7e9f1a2b4c6d8e0f1a3b5c' },
        // A time without an offset is UTC: older releases write it so.
        created_at: '2026-11-02T09:15:00.123456Z',
        trusted: false,
        values: [
          { metric_key: 'tests/bench_tokenizer.py::test_encode/median', step: -1, value: 0.00131 },
          { metric_key: 'tests/bench_tokenizer.py::test_decode[utf-8]/median', step: -1, value: 0.00045 },
        ],
      },
    ],
  )
  t.match(faultsOf(convert('pytest-benchmark', 'record', text, { stats: ['p99', '__proto__'] })), [
    /^benchmarks\/0\/stats: holds no number "p99"; --stat takes one of min, max, mean/,
    /"__proto__"/,
    /^benchmarks\/1\/stats/,
    /"__proto__"/,
  ])
  t.match(faultsOf(convert('pytest-benchmark', 'record', '{}')), [/--benchmark-json/])
  t.match(faultsOf(convert('pytest-benchmark', 'record', '{"benchmarks": []}')), [/no benchmark ran/])
  const dirty = text.replace('"dirty": false', '"dirty": true').replace('4f2b6c1d8e9a0b3c', 'unversioned-')
  t.match(faultsOf(convert('pytest-benchmark', 'import', dirty, { run: { suite: 's' } })), [/^--commit-sha/])
  const given = { suite: 's', commitSha: 'A'.repeat(40) }
  t.match(convert('pytest-benchmark', 'import', dirty, { run: given }), {
    value: { notes: [/uncommitted changes/], text: /"commit_sha":"a{40}"/ },
  })
  t.end()
})

t.test('Bencher Metric Format: a metric for each measure', (t) => {
  const text = fixture('bencher.json')
  t.same(seriesOf(convert('bencher', 'record', text)), {
    'encode/latency': [[null, 88]],
    'encode/throughput': [[null, 5.55]],
    '/bin/sh -c ./my_build_script.sh/build-time': [[null, 87]],
    'my_binary/file-size': [[null, 42]],
  })
  t.same(
    faultsOf(convert('bencher', 'import', text)).map((fault) => fault.split(':')[0]),
    ['--suite', '--commit-sha', '--created-at'],
  )
  const run = { suite: 's', commitSha: 'b'.repeat(64), createdAt: '2026-11-01T00:00:00.000000Z' }
  t.match(linesOf(convert('bencher', 'import', text, { run: { ...run, ref: 'refs/heads/main' } })), [
    { created_at: run.createdAt, provenance: { ref: 'refs/heads/main' }, values: { length: 4 } },
  ])
  t.match(faultsOf(convert('bencher', 'record', '{"a": 1, "b": {"c": 2, "d": {"value": "3"}}}')), [
    /^a: is 1, not an object of measures/,
    /^b\/c: is 2, and needs \{"value": NUMBER\}/,
    /^b\/d: is \{"value":"3"\}/,
  ])
  t.match(faultsOf(convert('bencher', 'record', '{}')), [/holds no measure/])
  t.match(faultsOf(convert('bencher', 'record', '[{}]')), [/must be/])
  const twice = '{"a": {"m": {"value": 1}}, "a-bencher-ignore": {"m": {"value": 1}}}'
  t.match(faultsOf(convert('bencher', 'record', twice)), [/makes the metric "a\/m" a second time/])
  t.end()
})

t.test('data.js: one run an entry, with its commit and date', (t) => {
  const text = fixture('data.js')
  const lines = linesOf(convert('github-action-benchmark', 'import', text))
  t.equal(lines.length, 3)
  t.same(lines[1], {
    series: { test_path: 'bench/all', backend: 'linux', suite: 'Rust Benchmark' },
    provenance: { commit_sha: 'b840614fd88743f234aac0dc747a0a70616f450f' },
    created_at: '2026-10-28T15:11:41.293Z',
    trusted: true,
    values: [
      { metric_key: 'bench_encode', step: -1, value: 251 },
      { metric_key: 'bench_decode', step: -1, value: 29876.25 },
    ],
  })
  const bare = text.replace('window.BENCHMARK_DATA = ', '')
  t.same(linesOf(convert('github-action-benchmark', 'import', bare)), lines, 'the JSON alone')
  t.same(linesOf(convert('github-action-benchmark', 'import', `${text};\n`)), lines, 'a semicolon')
  const one = { entry: 'Python Benchmark', run: { suite: 'nightly' } }
  t.match(linesOf(convert('github-action-benchmark', 'import', text, one)), [
    { series: { suite: 'nightly' } },
  ])
  t.match(faultsOf(convert('github-action-benchmark', 'import', text, { run: { suite: 'nightly' } })), [
    /^--suite: names one suite, and the file holds "Rust Benchmark", "Python Benchmark"; choose one/,
  ])
  t.match(faultsOf(convert('github-action-benchmark', 'import', text, { entry: 'Go' })), [/^--entry: "Go"/])
  t.match(faultsOf(convert('github-action-benchmark', 'import', '{"data": 1}')), [/^entries: is missing/])
  t.match(faultsOf(convert('github-action-benchmark', 'import', 'alert(1)')), [/is no JSON/])
  t.end()
})

t.test('data.js: what cannot be a history is refused with its place, or left out when asked', (t) => {
  const entry = (overrides: object) => ({
    commit: { id: 'c'.repeat(40) },
    date: 1793200140323,
    benches: [{ name: 'a', value: 1, unit: 'ns' }],
    ...overrides,
  })
  const file = (...entries: object[]) => JSON.stringify({ entries: { bench: entries } })
  const cases: ReadonlyArray<readonly [object, RegExp]> = [
    [{ benches: [{ name: 'a', value: 1, unit: 'ms' }] }, /unit: of "a" is "ms", and was "ns" before/],
    [{ benches: [{ name: 'a', value: null, unit: 'ns' }] }, /bench\/1\/benches\/0\/value: of "a" is null/],
    [{ benches: [{ value: 1 }] }, /benches\/0\/name: is missing/],
    [{ benches: [entry({}).benches[0], entry({}).benches[0]] }, /bench\/1: "a" stands there twice/],
    [{ benches: [{ name: 'a', value: '1e999', unit: 'ns' }] }, /"a" is Infinity; a history holds finite/],
    [{ benches: [{ name: 'a\u0000', value: 1 }] }, /NUL/],
    [{ benches: [] }, /holds no value/],
    [{ benches: undefined }, /benches: is missing/],
    [{ commit: { id: 'c0ffee1' } }, /"c0ffee1" has 7 digits; send the whole SHA/],
    [{ commit: null }, /commit\/id: is missing/],
    [{ date: '2026' }, /date: is "2026", no time in milliseconds/],
    [{ date: 1e300 }, /no time in milliseconds/],
  ]
  for (const [overrides, expected] of cases) {
    const text = file(entry({}), entry(overrides))
    t.match(faultsOf(convert('github-action-benchmark', 'import', text))[0], expected)
    const lenient = convert('github-action-benchmark', 'import', text, { run: { skipFaulty: true } })
    t.equal(linesOf(lenient).length, 1)
    t.match(lenient, { value: { notes: [/^left out: /, ...[]] } })
    t.match(lenient.ok && lenient.value.notes.at(-1), /1 of 2 runs were left out/)
  }
  const none = convert('github-action-benchmark', 'import', file(entry({ date: 0 })), {
    run: { skipFaulty: true },
  })
  t.match(faultsOf(none).at(-1), /holds no run that could be imported/)
  t.end()
})

t.test('CSV, wide: a column a metric', (t) => {
  const csv = { stepColumn: 'step', valueColumns: ['loss', 'learning rate'] }
  const outcome = convert('csv', 'record', fixture('wide.csv'), { csv, prefix: 'train/' })
  t.same(seriesOf(outcome), {
    'train/loss': [
      [0, 2.31],
      [10, 2.12],
      [20, 'NaN'],
      [30, 'Infinity'],
    ],
    'train/learning rate': [
      [0, 0.0001],
      [20, 0.00009],
      [30, 0.00008],
    ],
  })
  t.match(outcome, { value: { notes: ['1 empty cells hold no value'] } })
  t.end()
})

t.test('CSV, long: a row a value', (t) => {
  const csv = { metricColumn: 'metric', stepColumn: 'step', valueColumns: ['value'], delimiter: ';' }
  t.same(seriesOf(convert('csv', 'record', fixture('long.csv'), { csv })), {
    'train/loss': [
      [0, 2.31],
      [10, 2.12],
    ],
    'eval/accuracy': [[null, 0.61]],
  })
  t.end()
})

t.test('CSV as an import: rows of one time and commit are one run', (t) => {
  const csv = { timeColumn: 'date', commitColumn: 'sha', valueColumns: ['p50_ms', 'p99_ms'] }
  const run = { suite: 'nightly' }
  t.match(linesOf(convert('csv', 'import', fixture('history.csv'), { csv, run })), [
    { created_at: '2026-11-01T15:00:00.000000Z', values: [{ value: 12.1 }, { value: 40.2 }] },
    { created_at: '2026-11-02T14:00:00.000000Z', values: [{ metric_key: 'p50_ms', step: -1, value: 12.4 }] },
  ])
  const sha = 'd'.repeat(40)
  const long = `t,c,m,s,v\n1793200140,${sha},loss,0,1\n1793200140,${sha},loss,1,2\n1793200141,${sha},loss,0,3\n`
  const longCsv = {
    ...{ timeColumn: 't', commitColumn: 'c', metricColumn: 'm', stepColumn: 's' },
    valueColumns: ['v'],
  }
  t.match(linesOf(convert('csv', 'import', long, { csv: longCsv, run })), [
    { values: [{ step: 0 }, { step: 1 }] },
    { values: [{ step: 0, value: 3 }] },
  ])
  const naive = fixture('history.csv').replace('T15:00:00Z', ' 15:00')
  t.match(faultsOf(convert('csv', 'import', naive, { csv, run })), [/^line 2: .*no UTC offset; --assume-utc/])
  const assumed = convert('csv', 'import', naive, { csv: { ...csv, assumeUtc: true }, run })
  t.match(linesOf(assumed), [{ created_at: '2026-11-01T15:00:00.000000Z' }, {}])
  t.end()
})

t.test('CSV: every fault with its line', (t) => {
  const of = (text: string, csv: Partial<CsvOptions>) => faultsOf(convert('csv', 'record', text, { csv }))
  const wide = { stepColumn: 'step', valueColumns: ['loss'] }
  t.match(of('step,loss\n0,"1,5"\n1.5,2\n2,x\n', wide), [
    /^line 2: the value "1,5" in column "loss" is no number; write a decimal point/,
    /^line 3: the step "1.5" is no whole number/,
    /^line 4: the value "x"/,
  ])
  t.match(of('step,loss\n0,1\n0,1,2\n', wide), [/^line 3: is no CSV/])
  t.match(of('step,loss\n0,"1\n', wide), [/is no CSV/])
  t.match(of('', wide), [/is empty/])
  t.match(of('step,loss\n', wide), [/holds no value/])
  t.match(of('a,b\n', {}), [/^--value-column: is needed: the file has "a", "b"/])
  t.match(of('a,a\n1,2\n', { valueColumns: ['a'] }), [/^--value-column: "a" names 2 columns/])
  t.match(of('a,b\n1,2\n', { valueColumns: ['c'], stepColumn: 'd', metricColumn: 'e' }), [
    /^--metric-column: "e" is no column: the file has "a", "b"/,
    /^--step-column/,
    /^--value-column/,
  ])
  t.match(of('a,b\n1,2\n', { valueColumns: ['a', 'b'], metricColumn: 'a' }), [/names one column beside/])
  t.same(
    seriesOf(convert('csv', 'record', '\uFEFF__proto__\r\n1\r\n', { csv: { valueColumns: ['__proto__'] } })),
    {
      ['__proto__']: [[null, 1]],
    },
  )
  t.end()
})

t.test('hostile input is refused in time, and never crashes', (t) => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  const long = `{"log_history": [{"loss": NaN, "x": "${'\\"a'.repeat(2_000_000)}"}]}`
  for (const text of [
    '',
    '\uFEFF',
    'null',
    '"',
    '\u0000',
    deep,
    `{"a":${deep}}`,
    'NaN',
    '{"__proto__": {"x": {"value": 1}}}',
  ]) {
    for (const [format, { targets }] of Object.entries(CONVERTERS)) {
      for (const target of Object.keys(targets)) {
        const outcome = convert(format as Format, target as Target, text, { run: { suite: 's' } })
        if (outcome.ok) t.equal(format, 'bencher', 'only __proto__ is a benchmark like any other')
      }
    }
  }
  t.equal(linesOf(convert('hf-trainer', 'record', long)).length, 1, 'a long string beside a bare NaN')
  const many = `v\n${'x\n'.repeat(100_000)}`
  t.equal(faultsOf(convert('csv', 'record', many, { csv: { valueColumns: ['v'] } })).length, 100)
  t.end()
})
