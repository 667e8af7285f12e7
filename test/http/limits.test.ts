import type { InjectOptions } from 'fastify'
import t from 'tap'
import { PythonSourceReader } from '../../src/source-reader/python-source-reader.js'
import { body, DECLARED, FIELDS, form, jsonText, openClient, post, record, SHA } from './support.js'

/** Each limit twice: what is just within it is taken, one more is refused with its status, its place and the number. */

// The largest bodies and 100,000 checks take seconds on a busy machine.
t.setTimeout(180_000)

const MIB = 1_024 * 1_024
const TEST_FILE = 256 * 1_024

const python = new PythonSourceReader()
t.teardown(() => python.close())

interface Limit {
  readonly name: string
  readonly limit: number
  /** A request of this size. */
  readonly request: (size: number) => InjectOptions
  readonly status: 413 | 422
  readonly where: string | RegExp
  /** What the message says of the limit; the number itself where not given. */
  readonly told?: RegExp
  /** What is within the limit gets; a 2xx where not given. */
  readonly within?: number
}

type Parts = ReadonlyArray<readonly [string, string | Buffer]>
const submit = (...parts: Parts) => form([...FIELDS, ...parts])
const judged = (...parts: Parts) => submit(['declarations', DECLARED], ['record', record(1)], ...parts)
const field = (name: string, value: string) =>
  form([...FIELDS.filter(([known]) => known !== name), [name, value], ['declarations', '[]']])
const declare = (count: number, key = 'm') =>
  JSON.stringify(
    Array.from({ length: count }, (_, i) => ({
      metric_key: i === 0 ? key : `${key}${i}`,
      steps: 'last',
      constraint: { rel_down: 1 },
    })),
  )
const series = (length: number) =>
  JSON.stringify({ metric: 'm', series: Array.from({ length }, (_, step) => [step, 1]) })
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const revoke = (members: object) => post({ reason: 'r', run_id: 'none', ...members }, '/v1/admin/revocations')
const { declarations: _declared, ...undeclared } = body()

/** A form of exactly so many bytes, by a line of the record whose other keys nobody reads. */
function sized(bytes: number): InjectOptions {
  const make = (padding: number) =>
    judged(['record', `{"metric": "x", "series": [], "pad": "${'x'.repeat(padding)}"}\n`])
  return make(bytes - make(0).payload.length)
}

const LIMITS: readonly Limit[] = [
  { name: 'body', limit: 32 * MIB, request: sized, status: 413, where: 'body', told: /33554432 bytes/ },
  {
    name: 'parts',
    limit: 64,
    request: (count) => judged(...Array.from({ length: count - 6 }, () => ['record', ''] as const)),
    status: 413,
    where: 'body',
  },
  {
    name: 'test file in a form',
    limit: TEST_FILE,
    request: (bytes) => submit(['test_file', '#'.repeat(bytes)]),
    status: 413,
    where: 'test_file',
    told: /256 KiB/,
  },
  {
    name: 'test file in JSON',
    limit: TEST_FILE,
    request: (bytes) => post({ ...undeclared, test_source: '#'.repeat(bytes) }),
    status: 413,
    where: 'test_source',
    told: /256 KiB/,
  },
  {
    name: 'test file to parse',
    limit: TEST_FILE,
    request: (bytes) => form([['test_file', '#'.repeat(bytes)]], '/v1/declarations/parse'),
    status: 413,
    where: 'test_file',
    told: /256 KiB/,
  },
  {
    name: 'checks of a run',
    limit: 100_000,
    request: (steps) => ({
      ...submit(
        ['declarations', '[{"metric_key":"m","steps":"all","constraint":{"rel_down":1}}]'],
        ['record', series(steps)],
      ),
      url: '/v1/runs?dry_run=true',
    }),
    status: 422,
    where: 'record',
  },
  {
    name: 'declarations of a run',
    limit: 1_000,
    request: (count) => submit(['declarations', declare(count)], ['record', record(1)]),
    status: 422,
    where: 'declarations',
  },
  {
    name: 'declarations to parse',
    limit: 1_000,
    request: (count) => jsonText(`{"declarations": ${declare(count)}}`, '/v1/declarations/parse'),
    status: 422,
    where: 'declarations',
  },
  {
    name: 'declarations in Python',
    limit: 1_000,
    request: (count) =>
      form(
        [
          [
            'test_file',
            Array.from(
              { length: count },
              (_, i) => `register_ci_gate(metric_key="m${i}", steps="last", constraint={"rel_down": 1})\n`,
            ).join(''),
          ],
        ],
        '/v1/declarations/parse',
      ),
    status: 422,
    where: /^test_file/,
  },
  {
    name: 'metric key of a record',
    limit: 512,
    request: (length) => judged(['record', record(1, 'é'.repeat(length))]),
    status: 422,
    where: 'record[1]:1',
  },
  {
    name: 'metric key of a declaration',
    limit: 512,
    request: (length) => submit(['declarations', declare(1, 'é'.repeat(length))], ['record', record(1)]),
    status: 422,
    where: 'declarations/0/metric_key',
  },
  ...(
    [
      ['test_path', 512],
      ['backend', 128],
      ['suite', 128],
      ['ref', 1_024],
      ['event_name', 1_024],
      ['labels', 1_024],
    ] as const
  ).map(([name, limit]): Limit => ({
    name: `the field ${name}`,
    limit,
    request: (length) => field(name, 'x'.repeat(length)),
    status: 422,
    where: name,
  })),
  {
    name: 'the field schedule',
    limit: 1_024,
    request: (length) => judged(['schedule', 'x'.repeat(length)]),
    status: 422,
    where: 'schedule',
  },
  {
    name: 'labels',
    limit: 64,
    request: (count) => field('labels', Array.from({ length: count }, (_, i) => `l${i}`).join(',')),
    status: 422,
    where: 'labels',
  },
  {
    name: 'the series in UTF-8',
    limit: 2_000,
    request: (bytes) =>
      form([
        ['test_path', '😀'.repeat(460) + 'x'.repeat(52)],
        ['backend', 'b'],
        ['suite', 's'.repeat(bytes - 460 * 4 - 52 - 1)],
        ['commit_sha', SHA],
        ['declarations', '[]'],
      ]),
    status: 422,
    where: 'test_path',
  },
  {
    name: 'Idempotency-Key',
    limit: 255,
    request: (length) => ({ ...post(body()), headers: { 'idempotency-key': 'k'.repeat(length) } }),
    status: 422,
    where: 'Idempotency-Key',
  },
  {
    name: 'reason of a revocation',
    limit: 2_000,
    request: (length) => revoke({ reason: 'r'.repeat(length) }),
    status: 422,
    where: 'reason',
    within: 404,
  },
  {
    name: 'reason of an undo',
    limit: 2_000,
    request: (length) =>
      post({ reason: 'r'.repeat(length) }, '/v1/admin/revocations/01936f0c-0000-7000-8000-000000000000/undo'),
    status: 422,
    where: 'reason',
    within: 404,
  },
  {
    name: 'run ids of a revocation',
    limit: 1_000,
    request: (count) => revoke({ run_id: null, run_ids: Array.from({ length: count }, (_, i) => `r${i}`) }),
    status: 422,
    where: 'run_ids',
    within: 404,
  },
  {
    name: 'nesting of a JSON body',
    limit: 64,
    request: (depth) =>
      jsonText(JSON.stringify(body()).replace('"loss","series"', `"loss","x":${nested(depth - 3)},"series"`)),
    status: 422,
    where: /^record\/0/,
  },
  {
    name: 'nesting of a record line',
    limit: 64,
    request: (depth) => judged(['record', `{"metric": "x", "series": [], "x": ${nested(depth - 1)}}`]),
    status: 422,
    where: 'record[1]:1',
  },
  {
    name: 'nesting of the declarations',
    limit: 64,
    request: (depth) => submit(['declarations', nested(depth)], ['record', record(1)]),
    status: 422,
    where: /^declarations/,
    // Lists within lists are no declarations either way.
    within: 422,
    told: /64 levels/,
  },
]

t.test('at each limit, and one beyond', async (t) => {
  const { call } = await openClient(t, { gatehouse: { readPython: (bytes) => python.read(bytes) } })
  for (const { name, limit, request, status, where, within, told } of LIMITS) {
    await t.test(name, async (t) => {
      const number = told ?? new RegExp(String(limit).replace(/\B(?=(?:\d{3})+$)/g, ',?'))
      const taken = await call(request(limit))
      if (within === undefined) t.equal(taken.statusCode, 200, taken.body.slice(0, 300))
      else t.equal(taken.statusCode, within, taken.body.slice(0, 300))
      if (within === 422) t.notMatch(taken.body, number)

      const refused = await call(request(limit + 1))
      t.equal(refused.statusCode, status, refused.body.slice(0, 300))
      const { detail, errors } = refused.json<{ detail: string; errors: Array<{ where: string }> }>()
      t.match(errors[0]?.where, where)
      t.match(detail, number, 'the message names the limit')
    })
  }
})

t.test('NUL and lone surrogates are refused wherever text is kept', async (t) => {
  const { call } = await openClient(t)
  const placed = (path: readonly string[]) => (text: string) =>
    jsonText(JSON.stringify(set(body({ labels: [] }), path, 'TEXT')).replace('TEXT', text))
  const places: ReadonlyArray<readonly [string, (text: string) => InjectOptions]> = [
    ...[
      ['series', 'test_path'],
      ['series', 'backend'],
      ['series', 'suite'],
      ['provenance', 'ref'],
      ['provenance', 'event_name'],
      ['provenance', 'commit_sha'],
      ['schedule'],
      ['labels', '0'],
      ['declarations', '0', 'metric_key'],
      ['record', '0', 'metric'],
    ].map((path) => [path.join('/'), placed(path)] as const),
    ['reason', (text) => jsonText(`{"run_id": "x", "reason": "${text}"}`, '/v1/admin/revocations')],
    ['run_id', (text) => jsonText(`{"run_id": "${text}", "reason": "x"}`, '/v1/admin/revocations')],
    [
      'record[0]',
      (text) => submit(['declarations', DECLARED], ['record', `{"metric": "${text}", "series": []}`]),
    ],
    [
      'declarations/0/metric_key',
      (text) => submit(['declarations', declare(1, 'TEXT').replace('TEXT', text)], ['record', record(1)]),
    ],
  ]
  for (const [place, request] of places) {
    for (const escape of ['\\u0000', '\\ud800', '\\udfff', '\\udc00\\ud800']) {
      const response = await call(request(`a${escape}b`))
      t.equal(response.statusCode, 422, `${place} with ${escape}: ${response.body.slice(0, 200)}`)
      const [error] = response.json<{ errors: Array<{ where: string }> }>().errors
      t.ok(
        error && (error.where.startsWith(place) || place.startsWith(error.where)),
        `${error?.where}: ${place}`,
      )
    }
    const pair = await call(request('a\\ud83d\\ude00b'))
    t.notMatch(pair.body, /surrogate/, `${place}: a whole pair is a character`)
  }
  t.same((await call('/v1/runs')).json(), { items: [], next_cursor: null })
})

/** A copy with the member at `path` set. */
function set(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to
  if (Array.isArray(value)) {
    const items: unknown[] = [...(value as unknown[])]
    items[Number(key)] = set(items[Number(key)], rest, to)
    return items
  }
  const object = (value ?? {}) as Record<string, unknown>
  return { ...object, [key]: set(object[key], rest, to) }
}
