import t from 'tap'
import fc from 'fast-check'
import { describeInvalid, readRecordArray, readRecordParts } from '../../src/gate/record.js'

function read(...parts: Array<string | Buffer>) {
  return readRecordParts(parts.map((part) => Buffer.from(part as string)))
}

function refusal(...parts: Array<string | Buffer>) {
  const record = read(...parts)
  return record.ok ? null : record.faults[0]!
}

t.test('lines: CRLF, blank ones, a BOM and a missing final newline are fine', async (t) => {
  const record = read(
    '\ufeff{"metric":"a","series":[[0,1]]}\r\n\r\n \t\n{"metric":"b","series":[[0,2]],"unit":"s"}',
  )
  t.ok(record.ok && record.value.has('a') && record.value.has('b'))
  t.match(read(''), { ok: true })
})

t.test('broken structure names part and line, and the slip', async (t) => {
  const good = '{"metric":"a","series":[[0,1]]}\n'
  const cases: Array<[name: string, parts: Array<string | Buffer>, where: string, message: RegExp]> = [
    [
      'two objects on one line',
      ['{"metric":"a","series":[[0,1]]} {"metric":"b","series":[[0,9]]}'],
      'record[0]:1',
      /trailing data/,
    ],
    ['cut off, in the second part', [good, `${good}{"metric":"b","ser`], 'record[1]:2', /cut off/],
    ['bare NaN', ['{"metric":"a","series":[[0,NaN]]}'], 'record[0]:1', /bare NaN.*json\.dumps.*"NaN"/],
    ['bare -Infinity', ['{"metric":"a","series":[[0,-Infinity]]}'], 'record[0]:1', /bare -Infinity/],
    ['single quotes', ["{'metric':'a','series':[]}"], 'record[0]:1', /double quotes/],
    ["Python's None", ['{"metric":"a","series":[[None,1]]}'], 'record[0]:1', /Python's None.*null/],
    ['no JSON', ['metric=1'], 'record[0]:1', /begins with "metric=1".*@/],
    ['a line that is no object', ['[1]'], 'record[0]:1', /is no object/],
    ['no metric', ['{"series":[]}'], 'record[0]:1', /no "metric"/],
    ['metric of another type', ['{"metric":1,"series":[]}'], 'record[0]:1', /no "metric"/],
    ['no series', ['{"metric":"a"}'], 'record[0]:1', /no array/],
    [
      'a point that is no pair',
      ['{"metric":"a","series":[[0,1],[1]]}'],
      'record[0]:1',
      /point 2 of "a" is no/,
    ],
    [
      'a key twice',
      ['{"metric":"a","metric":"b","series":[]}'],
      'record[0]:1',
      /metric: the key stands here twice/,
    ],
    ['a key twice by escape', ['{"metric":"a","m\\u0065tric":"b","series":[]}'], 'record[0]:1', /twice/],
    [
      'series twice',
      ['{"metric":"a","series":[[0,1]],"series":[[0,2]]}'],
      'record[0]:1',
      /series: the key stands here twice/,
    ],
    [
      'a key twice in an ignored member',
      ['{"metric":"a","series":[],"x":{"y":1,"y":2}}'],
      'record[0]:1',
      /x\/y: /,
    ],
    [
      'a key twice beside a marker',
      ['{"metric":"a","series":[[0,"NaN"]],"series":[[0,"NaN"]]}'],
      'record[0]:1',
      /twice/,
    ],
    [
      'deep nesting in an ignored member',
      [`{"metric":"a","series":[],"x":${'['.repeat(64)}${']'.repeat(64)}}`],
      'record[0]:1',
      /deeper than 64/,
    ],
    [
      'deep nesting in a value',
      [`{"metric":"a","series":[[0,${'['.repeat(70)}${']'.repeat(70)}]]}`],
      'record[0]:1',
      /deeper than 64/,
    ],
    ['not UTF-8', [Buffer.from([0x0a, 0x0a, 0x7b, 0xff])], 'record[0]:3', /not UTF-8/],
    ['gzip', [Buffer.from([0x1f, 0x8b, 0xff])], 'record[0]', /gzip/],
    ['a key without quotes', ['{metric: 1}'], 'record[0]:1', /is no JSON/],
    ['NUL in a metric', ['{"metric":"loss\\u0000x","series":[]}'], 'record[0]:1', /NUL/],
    ['half a surrogate pair', ['{"metric":"loss\\ud800","series":[]}'], 'record[0]:1', /surrogate/],
    ['an empty metric', ['{"metric":"","series":[]}'], 'record[0]:1', /is empty/],
    ['outer white space', ['{"metric":"a\u2003","series":[]}'], 'record[0]:1', /white space/],
    ['outer BOM', ['{"metric":"\\ufeffa","series":[]}'], 'record[0]:1', /white space/],
    ['a long metric', [`{"metric":"${'m'.repeat(513)}","series":[]}`], 'record[0]:1', /longer than 512/],
  ]
  for (const [name, parts, where, message] of cases) t.match(refusal(...parts), { where, message }, name)
})

t.test('what looks hostile and is ordinary', async (t) => {
  for (const metric of [
    '__proto__',
    'constructor',
    'a/b',
    'a%2Fb',
    'a b',
    'η/😀',
    '😀'.repeat(512),
    'é',
    'e\u0301',
  ]) {
    const record = read(JSON.stringify({ metric, series: [[0, 1]] }))
    t.ok(record.ok && record.value.get(metric)?.points.length === 1, metric.slice(0, 20))
  }
  const both = read('{"metric":"é","series":[]}\n{"metric":"e\u0301","series":[]}')
  t.equal(both.ok && both.value.size, 2, 'no normalization')
  const deep = read(`{"metric":"a","series":[],"x":${'['.repeat(63)}${']'.repeat(63)}}`)
  t.ok(deep.ok, '64 levels are allowed')
})

t.test('points of the wrong type are kept as invalid, and do not refuse the record', async (t) => {
  const record = read(
    '{"metric":"a","series":[[0,"nan"],[0,"Inf"],[0,null],[0,true],[50.5,1],["50",1],[true,1],[-1,1],[9007199254740992,1],[9007199254740993,1],[50.0,1]]}',
  )
  if (!record.ok) return t.fail(JSON.stringify(record.faults))
  const { points, invalid } = record.value.get('a')!
  t.same(points, [[50, 1]])
  t.equal(invalid.length, 10)
  t.match(invalid[0], { where: 'record[0]:1', position: 1, pair: [0, 'nan'] })
  t.match(describeInvalid(invalid[0]!), /^point 1 of record\[0\]:1 .*"NaN"/)
  return t.match(describeInvalid(invalid[8]!), /9007199254740992/)
})

t.test('negative zero becomes zero, in steps and in values', async (t) => {
  const record = read('{"metric":"a","series":[[-0,-0.0]]}')
  t.ok(
    record.ok &&
      Object.is(record.value.get('a')!.points[0]![0], 0) &&
      Object.is(record.value.get('a')!.points[0]![1], 0),
  )
})

t.test('the array of a JSON body reads alike, with pointers as places', async (t) => {
  const record = readRecordArray([
    { metric: 'a', series: [[1, 2]] },
    { metric: 'a', series: [[0, 1]], other: 1 },
  ])
  t.same(record.ok && record.value.get('a')!.points, [
    [0, 1],
    [1, 2],
  ])
  t.match(readRecordArray([{ metric: 'a', series: [] }, 5]), { ok: false, faults: [{ where: 'record/1' }] })
})

t.test('a record of 1.5 MB is read', async (t) => {
  const series = Array.from({ length: 60_000 }, (_, step) => [step, Math.sin(step)])
  const text = JSON.stringify({ metric: 'a', series })
  t.ok(text.length > 1.5e6)
  const record = read(text)
  t.equal(record.ok && record.value.get('a')!.points.length, 60_000)
})

t.test('property: the merge does not depend on how the points are spread over the files', async (t) => {
  const point = fc.tuple(
    fc.integer({ min: 0, max: 1_000_000 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  // Steps are distinct within a metric: among equal steps the order given is kept, and that order is the spread.
  const series = fc.uniqueArray(point, { selector: ([step]) => step, maxLength: 12 })
  const metrics = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'η'), series)
  fc.assert(
    fc.property(
      metrics,
      fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
      fc.integer({ min: 1, max: 5 }),
      (byMetric, choices, files) => {
        const lines: string[][] = Array.from({ length: files }, () => [])
        let choice = 0
        for (const [metric, points] of Object.entries(byMetric)) {
          for (const one of points)
            lines[choices[choice++ % 60]! % files]!.push(JSON.stringify({ metric, series: [one] }))
        }
        const whole = read(
          Object.entries(byMetric)
            .filter(([, points]) => points.length > 0)
            .map(([metric, points]) => JSON.stringify({ metric, series: points }))
            .join('\n'),
        )
        const spread = read(...lines.map((file) => file.join('\n')))
        if (!whole.ok || !spread.ok) throw new Error('both are sound')
        const sorted = (record: typeof whole.value) =>
          [...record].sort(([a], [b]) => (a < b ? -1 : 1)).map(([metric, { points }]) => [metric, points])
        t.strictSame(sorted(spread.value), sorted(whole.value))
      },
    ),
    { numRuns: 200 },
  )
})

t.test(
  'a non-finite value is recorded faithfully, by its marker or by a literal that overflows',
  async (t) => {
    const record = read('{"metric":"a","series":[[0,"NaN"],[1,"Infinity"],[2,"-Infinity"],[3,1e400]]}')
    t.ok(record.ok)
    if (record.ok) {
      const points = [
        [0, NaN],
        [1, Infinity],
        [2, -Infinity],
        [3, Infinity],
      ]
      t.strictSame(record.value.get('a'), { points, invalid: [] })
    }
  },
)
