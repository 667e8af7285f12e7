import { createReadStream } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { LineFaults } from '../../src/exchange/line-faults.js'
import { ValuesReader } from '../../src/exchange/read-values.js'
import { bytesOf, cutsOf, exported, imported, NOW, plain, readBack, refusal, SHA, stored } from './support.js'

/** Lines from objects, or from text as it is. */
function file(...lines: Array<Record<string, unknown> | string>): Uint8Array[] {
  return bytesOf(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
}

t.test('a plain line is a run', async (t) => {
  const full = plain({
    provenance: {
      commit_sha: SHA,
      pr_number: 7,
      github_run_id: 19876543210,
      github_run_attempt: 2,
      event_name: 'push',
      ref: 'refs/heads/main',
    },
    created_at: '2026-11-01T17:00:00.1234567+02:00',
    trusted: false,
    values: [
      {
        metric_key: 'train/ppo_kl',
        step: 0,
        value: -0,
        steps_key: '"all"',
        constraint_key: '{"rel_down":1.0}',
      },
      { metric_key: '__proto__', step: -2, value: 1e-5, steps_key: null },
    ],
    run_id: 'theirs/17',
  })
  t.strictSame(await imported(file(full)), [
    {
      runId: 'theirs/17',
      series: { testPath: 'tests/test_a.py', backend: 'cuda', suite: 'nightly' },
      provenance: {
        commitSha: SHA,
        prNumber: 7,
        githubRunId: 19876543210n,
        githubRunAttempt: 2,
        eventName: 'push',
        ref: 'refs/heads/main',
      },
      createdAt: '2026-11-01T15:00:00.123457Z',
      trusted: false,
      values: [
        {
          metricKey: 'train/ppo_kl',
          step: 0,
          value: 0,
          stepsKey: '"all"',
          constraintKey: '{"rel_down":1.0}',
        },
        { metricKey: '__proto__', step: -2, value: 1e-5, stepsKey: '', constraintKey: '' },
      ],
      cadence: null,
      declarations: null,
      where: 'line 1',
    },
  ])
})

t.test('the sign of a zero goes', async (t) => {
  const [run] = await imported(file(JSON.stringify(plain()).replace('1.5', '-0.0').replace('-1,', '-0,')))
  t.ok(Object.is(run!.values[0]!.value, 0))
  t.ok(Object.is(run!.values[0]!.step, 0))
})

t.test('ids of 64 bits are exact', async (t) => {
  const line = JSON.stringify(plain()).replace(`"${SHA}"`, `"${SHA}","github_run_id": 9223372036854775807 `)
  t.equal((await imported(file(line)))[0]!.provenance.githubRunId, 2n ** 63n - 1n)
})

t.test('line ends, blank lines and a byte order mark change nothing', async (t) => {
  const [a, b] = [plain({ run_id: 'a' }), plain({ run_id: 'b' })].map((line) => JSON.stringify(line))
  const ids = async (text: string) =>
    (await imported(bytesOf(text))).map(({ runId, where }) => `${runId} ${where}`)
  t.strictSame(await ids(`${a}\n${b}\n`), ['a line 1', 'b line 2'])
  t.strictSame(await ids(`\ufeff${a}\r\n \t\r\n\n${b}`), ['a line 1', 'b line 4'])
  t.strictSame(await ids(`\n\n${a}`), ['a line 3'])
})

t.test('a run without an id has one of its content, not of its text', async (t) => {
  const id = async (line: Record<string, unknown> | string) => (await imported(file(line)))[0]!.runId
  const values = [
    { metric_key: 'a', step: 0, value: 1 },
    { metric_key: 'b', step: 1, value: 2.5 },
  ]
  const first = await id(plain({ values }))
  t.match(first, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const same = [
    plain({ values, run_id: null }),
    plain({ values: [...values].reverse() }),
    plain({ values, created_at: '2026-11-01T16:00:00.000+01:00' }),
    plain({ values: values.map((value) => ({ constraint_key: '', ...value, steps_key: null })) }),
    plain({ values, provenance: { ref: null, commit_sha: SHA, pr_number: null } }),
    JSON.stringify(plain({ values }), null, ' ').replaceAll('\n', '').replace('2.5', '25e-1'),
    plain({ values, trusted: false }),
  ]
  for (const line of same) t.equal(await id(line), first, JSON.stringify(line))
  const other = [
    plain({ values: values.slice(1) }),
    plain({ values: values.map((value) => ({ ...value, value: 3 })) }),
    plain({ values: values.map((value) => ({ ...value, steps_key: '"all"' })) }),
    plain({ values, created_at: '2026-11-01T15:00:00.000001Z' }),
    plain({ values, provenance: { commit_sha: 'f'.repeat(40) } }),
    plain({ values, provenance: { commit_sha: SHA, github_run_id: 1 } }),
    plain({ values, series: { test_path: 'tests/test_a.py', backend: 'cuda', suite: 'weekly' } }),
  ]
  for (const line of other) t.not(await id(line), first, JSON.stringify(line))
})

t.test('a time is told with its offset and is not in the future', async (t) => {
  const at = (created_at: unknown) => refusal(imported(file(plain({ created_at }))))
  t.match(await at('2099-01-01T00:00:00Z'), [/^line 1: created_at: lies in the future \(it is 2026-11-30T18/])
  t.match(await at('2026-11-30T18:00:00.000001Z'), [/lies in the future/])
  t.equal((await imported(file(plain({ created_at: NOW })))).length, 1, 'now is not')
  for (const bad of ['2026-11-01T15:00:00', '2026-11-01', '2026-02-30T00:00:00Z', 1764000000]) {
    t.match(await at(bad), [/^line 1: created_at: is no RFC 3339 time with an offset/])
  }
  t.match(await at(null), [/^line 1: created_at: is missing/])
})

const VALUE = { metric_key: 'm', step: 0, value: 1 }
const SERIES = { test_path: 'a', backend: 'b', suite: 'c' }

t.test('what is no run is refused with its line and place', async (t) => {
  const values = (...list: unknown[]) => plain({ values: list })
  const provenance = (changes: object) => plain({ provenance: { commit_sha: SHA, ...changes } })
  const cases: ReadonlyArray<readonly [line: Record<string, unknown> | string, fault: RegExp]> = [
    ['[]', /^line 2: is no JSON object/],
    ['{"series": NaN}', /^line 2: holds a bare NaN/],
    ['{} {}', /^line 2: trailing data/],
    ['{"series": {"test_path"', /^line 2: ends in the middle/],
    ['{"run_id":"a","run_id":"b"}', /^line 2: run_id: the key stands here twice/],
    [`{"values":${'['.repeat(65)}${']'.repeat(65)}}`, /^line 2: values.*nests deeper than 64/],
    [plain({ trust: true }), /^line 2: "trust": is not known here; known are series, /],
    [plain({ cadence: 'nightly' }), /^line 2: "cadence": is not known here/],
    [plain({ trusted: null }), /^line 2: trusted: is missing/],
    [plain({ trusted: 'true' }), /^line 2: trusted: must be true or false/],
    [plain({ series: undefined }), /^line 2: series: is missing/],
    [plain({ series: 'a' }), /^line 2: series: must be an object/],
    [plain({ series: { ...SERIES, stage: 'x' } }), /^line 2: series\/"stage": is not known here/],
    [plain({ series: { ...SERIES, suite: undefined } }), /^line 2: series\/suite: is missing/],
    [plain({ series: { ...SERIES, suite: ' c' } }), /^line 2: series\/suite: has white space/],
    [plain({ series: { ...SERIES, backend: '' } }), /^line 2: series\/backend: is empty/],
    [
      plain({ series: { ...SERIES, backend: 'b'.repeat(129) } }),
      /^line 2: series\/backend: is longer than 128/,
    ],
    [plain({ series: { ...SERIES, test_path: 'a\0' } }), /^line 2: series\/test_path: holds a NUL/],
    [
      plain({ series: { ...SERIES, test_path: '😀'.repeat(512) } }),
      /^line 2: series: is longer than 2000 bytes/,
    ],
    [plain({ provenance: undefined }), /^line 2: provenance: is missing/],
    [plain({ provenance: [] }), /^line 2: provenance: must be an object/],
    [plain({ provenance: {} }), /^line 2: provenance\/commit_sha: is missing/],
    [
      provenance({ commit_sha: SHA.slice(0, 7) }),
      /^line 2: provenance\/commit_sha: has 7 digits; send the whole SHA/,
    ],
    [
      provenance({ commit_sha: SHA.toUpperCase() }),
      /^line 2: provenance\/commit_sha: holds upper-case digits/,
    ],
    [provenance({ commit_sha: 1 }), /^line 2: provenance\/commit_sha: must be a string/],
    [provenance({ sha: 1 }), /^line 2: provenance\/"sha": is not known here/],
    [provenance({ pr_number: 0 }), /^line 2: provenance\/pr_number: must be a whole number from 1/],
    [provenance({ pr_number: '7' }), /^line 2: provenance\/pr_number: must be a whole number/],
    [
      provenance({ github_run_attempt: 2 ** 31 }),
      /^line 2: provenance\/github_run_attempt: must be a whole number/,
    ],
    [provenance({ github_run_id: -1 }), /^line 2: provenance\/github_run_id: must be an integer/],
    [provenance({ github_run_id: '1' }), /^line 2: provenance\/github_run_id: must be an integer/],
    [provenance({ github_run_id: 2 ** 63 }), /^line 2: provenance\/github_run_id: is beyond/],
    [
      JSON.stringify(provenance({ github_run_id: 7 })).replace(':7', ':7.0'),
      /github_run_id: must be an integer/,
    ],
    [provenance({ ref: '' }), /^line 2: provenance\/ref: is empty/],
    [provenance({ event_name: 'x'.repeat(1_025) }), /^line 2: provenance\/event_name: is longer than 1024/],
    [plain({ run_id: '' }), /^line 2: run_id: is empty/],
    [plain({ run_id: 17 }), /^line 2: run_id: must be a string/],
    [plain({ run_id: 'x'.repeat(65) }), /^line 2: run_id: is longer than 64/],
    [plain({ run_id: 'a\0' }), /^line 2: run_id: holds a NUL/],
    [plain({ run_id: '\ud800' }), /^line 2: run_id: holds half of a surrogate pair/],
    [plain({ values: undefined }), /^line 2: values: is missing/],
    [plain({ values: {} }), /^line 2: values: must be a list/],
    [values(1), /^line 2: values\/0: must be an object/],
    [values(VALUE, { ...VALUE, step: 1, unit: 's' }), /^line 2: values\/1\/"unit": is not known here/],
    [values({ ...VALUE, metric_key: undefined }), /^line 2: values\/0\/metric_key: is missing/],
    [values({ ...VALUE, metric_key: 'm ' }), /^line 2: values\/0\/metric_key: has white space/],
    [values({ ...VALUE, metric_key: 'm'.repeat(513) }), /^line 2: values\/0\/metric_key: is longer than 512/],
    [values({ ...VALUE, steps_key: 1 }), /^line 2: values\/0\/steps_key: must be a string/],
    [values({ ...VALUE, constraint_key: '\0' }), /^line 2: values\/0\/constraint_key: holds a NUL/],
    [values({ ...VALUE, step: undefined }), /^line 2: values\/0\/step: is missing/],
    [values({ ...VALUE, step: -3 }), /^line 2: values\/0\/step: must be a whole number from -2/],
    [values({ ...VALUE, step: 0.5 }), /^line 2: values\/0\/step: must be/],
    [values({ ...VALUE, step: 2 ** 53 }), /^line 2: values\/0\/step: must be/],
    [values({ ...VALUE, step: '0' }), /^line 2: values\/0\/step: must be/],
    [values({ ...VALUE, value: 'NaN' }), /^line 2: values\/0\/value: is not finite/],
    [
      JSON.stringify(values(VALUE)).replace('"value":1', '"value":1e400'),
      /^line 2: values\/0\/value: is not finite/,
    ],
    [values({ ...VALUE, value: null }), /^line 2: values\/0\/value: is missing/],
    [values({ ...VALUE, value: '1' }), /^line 2: values\/0\/value: must be a number/],
    [values({ ...VALUE, value: true }), /^line 2: values\/0\/value: must be a number/],
    [
      values(VALUE, { ...VALUE, value: 2 }),
      /^line 2: values\/1: holds metric_key and step of an earlier value/,
    ],
    [
      JSON.stringify(values(VALUE, VALUE)).replace('"step":0', '"step":0.0'),
      /^line 2: values\/1: holds metric_key/,
    ],
  ]
  for (const [line, fault] of cases) {
    const faults = await refusal(imported(file(plain({ run_id: 'first' }), line)))
    t.match(faults, [fault], JSON.stringify(line).slice(0, 200))
    t.equal(faults.length, 1, faults.join('\n'))
  }
})

t.test('every fault of a line is told, up to a number that a person reads', async (t) => {
  t.match(await refusal(imported(file(plain({ trusted: 1, created_at: 1, run_id: '' })))), { length: 3 })
  const many = Array.from({ length: 1_000 }, (_, step) => ({ metric_key: ' ', step, value: 'x' }))
  t.equal((await refusal(imported(file(plain({ values: many }))))).length, 20)
})

t.test('what is wrong in a million places is not looked at a million times', async (t) => {
  let read = 0
  const faults = new LineFaults({ number: 1 })
  const items = Array.from({ length: 1_000 }, () => ({
    get metric_key() {
      read++
      return ' '
    },
  }))
  new ValuesReader({ names: 'written', importAt: NOW }).read(items, faults)
  t.equal(faults.count, 20)
  t.ok(read <= 20, `${read} were read`)
})

t.test('runs are told before a fault further on', async (t) => {
  const { readImport } = await import('../../src/exchange/read-import.js')
  const runs = readImport(file(plain(), 'x'), { now: NOW })
  t.equal((await runs.next()).done, false)
  await t.rejects(runs.next(), { name: 'InputFault', message: /^line 2: is no JSON/ })
})

t.test('a file without a run, bytes that are no UTF-8, a line without end', async (t) => {
  t.match(await refusal(imported([])), [/^line 1: is missing: the file holds no run/])
  t.match(await refusal(imported(bytesOf('\n \r\n'))), [/holds no run/])
  t.match(await refusal(imported([Buffer.from([0x7b, 0xff])])), [/^line 1: is not UTF-8/])
  t.match(await refusal(imported(file(plain()), 20)), [/^line 1: is longer than 20 bytes/])
})

t.test('the forms do not mix', async (t) => {
  const text = await exported([stored()])
  t.match(await refusal(imported(file(plain(), text.trimEnd()))), [
    /^line 2: "gatehouse_export": is not known/,
    ...Array<RegExp>(5).fill(/./),
  ])
  t.match(await refusal(imported(bytesOf(`\n${text}`))), [
    /^line 2: begins an export, which has nothing before its header/,
  ])
  const [header, run] = text.split('\n')
  t.match(await refusal(imported(bytesOf(`${run}\n`))), [
    /^line 1: "run": is not known here/,
    ...Array<RegExp>(5).fill(/./),
  ])
  t.match(
    await refusal(imported(bytesOf(`${header}\n${JSON.stringify(plain())}\n`))),
    [/^line 2: "series": is not known/, ...Array<RegExp>(10).fill(/./)].slice(0, 1),
  )
})

t.test('an export of rows that other tools wrote can be imported where a store can hold them', async (t) => {
  const foreign = stored({
    provenance: { ...stored().provenance, commitSha: null, prNumber: 0, eventName: '' },
    values: [{ metricKey: ' padded', step: 0, value: 1, stepsKey: '', constraintKey: '' }],
  })
  const [run] = await imported(bytesOf(await exported([foreign])))
  t.strictSame(run, { ...foreign, where: 'line 2' })
  for (const bad of [
    stored({
      values: [{ metricKey: 'x'.repeat(2_049), step: 0, value: 1, stepsKey: '', constraintKey: '' }],
    }),
    stored({ series: { testPath: 'x'.repeat(2_001), backend: '', suite: '' } }),
    stored({ series: { testPath: 'x\0', backend: '', suite: '' } }),
  ]) {
    t.match(await refusal(imported(bytesOf(await exported([bad])))), [
      /^line 2: (?:values\/0\/metric_key|run\/series)/,
    ])
  }
})

t.test('declarations that no replay could read are refused', async (t) => {
  const rule = '"steps":"last","constraint":{"rel_down":1.0}'
  const one = (declarations: string) => stored({ runId: 'r2', declarations })
  const good = `[{"metric_key":"m",${rule},"hard_ref":null,"enforce":true,"steps_key":"\\"last\\"","line":null}]`
  const [run] = await imported(bytesOf(await exported([one(good)])))
  t.equal(run!.declarations, good, 'as written')
  const cases: ReadonlyArray<readonly [declarations: string, fault: RegExp]> = [
    ['[null]', /^line 3: declarations\/0: must be an object/],
    ['[{}]', /^line 3: declarations\/0: metric_key is missing/],
    [`[{"metric_key":"m",${rule},"enforced":true}]`, /^line 3: declarations\/0\/enforced: /],
    [`[{"metric_key":"m",${rule.replace('"last"', '[1.0]')}}]`, /^line 3: declarations\/0\/steps\/0: /],
    [
      `[{"metric_key":"m",${rule}},{"metric_key":"m",${rule}}]`,
      /^line 3: declarations\/1: .* declared twice/,
    ],
  ]
  for (const [declarations, fault] of cases) {
    const text = await exported([stored({ runId: 'r1' }), one(declarations)])
    t.match((await refusal(imported(bytesOf(text))))[0], fault, declarations)
    t.equal(
      (await readBack(bytesOf(text))).length,
      2,
      'an export of it can be replayed by other declarations',
    )
  }
})

t.test('property: chunks of any size give the same runs', async (t) => {
  const bytes = Buffer.concat(file(plain({ run_id: 'é😀' }), '', plain(), plain({ trusted: false })))
  const expected = await imported([bytes])
  await fc.assert(
    fc.asyncProperty(cutsOf(bytes), async (chunks) => t.strictSame(await imported(chunks), expected)),
  )
})

t.test('a real history goes in, out and in again without a difference', async (t) => {
  const runs = await imported(createReadStream('test/fixtures/benchmark-extract.ndjson'))
  t.equal(runs.length, 30)
  t.equal(new Set(runs.map(({ runId }) => runId)).size, 30)
  const text = await exported(runs)
  const again = await imported(bytesOf(text))
  t.strictSame(
    again.map(({ where: _, ...run }) => run),
    runs.map(({ where: _, ...run }) => run),
  )
  t.strictSame(
    await readBack(bytesOf(text)),
    again.map(({ where: _, ...run }) => run),
  )
  t.equal(await exported(again), text)
})
