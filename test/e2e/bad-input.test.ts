import type { InjectOptions } from 'fastify'
import t from 'tap'
import { PythonSourceReader } from '../../src/source-reader/python-source-reader.js'
import {
  body,
  DECLARED,
  FIELDS,
  form,
  jsonText,
  openClient,
  post,
  problemOf,
  record,
} from '../http/support.js'
import { forEachBackend } from '../support/stores.js'

/**
 * Bad input, on both backends: each limit and each slip gets its status and a message that names the place, and
 * nothing is stored.
 */
const python = new PythonSourceReader()
t.teardown(() => python.close())

const NIGHTLY = ['cadence', 'nightly'] as const
const KIB = 1024

type Parts = Array<readonly [string, string | Buffer]>
const submit = (...parts: Parts) => form([...FIELDS, NIGHTLY, ...parts])
const recorded = (text: string | Buffer) => submit(['declarations', DECLARED], ['record', text])
const declared = (source: string | Buffer) => submit(['test_file', source], ['record', record(1)])
const field = (name: string, value: string) =>
  form([
    ...FIELDS.filter(([known]) => known !== name),
    NIGHTLY,
    [name, value],
    ['declarations', DECLARED],
    ['record', record(1)],
  ])
const gate = (args: string) => `import x\nregister_ci_gate(${args})\n`
const line = (metric: string) => `{"metric": ${metric}, "series": [[0, 1]]}\n`

interface Case {
  name: string
  request: InjectOptions
  status: number
  code?: string
  where?: string
  message: RegExp
}

const CASES: Case[] = [
  // Records
  {
    name: 'two objects on one line',
    request: recorded(line('"a"').trim() + line('"b"')),
    status: 422,
    where: 'record[0]:1',
    message: /trailing data/,
  },
  {
    name: 'a line that is cut off',
    request: recorded(`${line('"a"')}{"metric":"b","ser`),
    status: 422,
    where: 'record[0]:2',
    message: /cut off/,
  },
  {
    name: 'a bare NaN',
    request: recorded('{"metric": "a", "series": [[0, NaN]]}'),
    status: 422,
    where: 'record[0]:1',
    message: /"NaN"/,
  },
  {
    name: 'NUL in a metric',
    request: recorded(line('"loss\\u0000x"')),
    status: 422,
    where: 'record[0]:1',
    message: /NUL/,
  },
  {
    name: 'a lone high surrogate',
    request: recorded(line('"loss\\ud800"')),
    status: 422,
    where: 'record[0]:1',
    message: /surrogate/,
  },
  {
    name: 'a lone low surrogate',
    request: recorded(line('"loss\\udfff"')),
    status: 422,
    where: 'record[0]:1',
    message: /surrogate/,
  },
  {
    name: 'a metric of 3,000 characters',
    request: recorded(line(`"${'m'.repeat(3000)}"`)),
    status: 422,
    where: 'record[0]:1',
    message: /512/,
  },
  {
    name: 'deep nesting',
    request: recorded(`{"metric":"a","series":[],"x":${'['.repeat(70)}${']'.repeat(70)}}`),
    status: 422,
    where: 'record[0]:1',
    message: /64/,
  },
  {
    name: 'invalid UTF-8',
    request: recorded(Buffer.from([0x7b, 0x22, 0xff])),
    status: 422,
    where: 'record[0]:1',
    message: /UTF-8/,
  },
  {
    name: 'no record where something is declared',
    request: submit(['declarations', DECLARED]),
    status: 422,
    where: 'record',
    message: /missing/,
  },
  {
    name: 'a fault in the second part',
    request: form([...FIELDS, ['declarations', DECLARED], ['record', record(1)], ['record', 'x']]),
    status: 422,
    where: 'record[1]:1',
    message: /begins with/,
  },
  {
    name: 'more than 100,000 checks',
    request: submit(
      ['declarations', '[{"metric_key":"m","steps":"all","constraint":{"rel_down":1}}]'],
      ['record', JSON.stringify({ metric: 'm', series: Array.from({ length: 100_001 }, (_, i) => [i, 1]) })],
    ),
    status: 422,
    where: 'record',
    message: /100000/,
  },
  // Declarations
  {
    name: 'more than 1,000 declarations',
    request: submit(
      [
        'declarations',
        JSON.stringify(
          Array.from({ length: 1001 }, (_, i) => ({
            metric_key: `m${i}`,
            steps: 'last',
            constraint: { rel_down: 1 },
          })),
        ),
      ],
      ['record', record(1)],
    ),
    status: 422,
    message: /1000/,
  },
  {
    name: 'a repeated parameter in a test file',
    request: declared(gate('metric_key="m", steps="last", constraint={"rel_up":.1,"rel_up":9,"rel_down":1}')),
    status: 422,
    where: 'test_file:2',
    message: /rel_up.*twice/,
  },
  {
    name: 'a boolean parameter in a test file',
    request: declared(gate('metric_key="m", steps="last", constraint={"rel_down":1,"abs_floor_down":True}')),
    status: 422,
    where: 'test_file:2',
    message: /abs_floor_down/,
  },
  {
    name: 'a name in a test file',
    request: declared(gate('metric_key=KEY, steps="last", constraint={"rel_down":1}')),
    status: 422,
    where: 'test_file:2',
    message: /metric_key/,
  },
  {
    name: 'a nested call in a test file',
    request: declared(gate('metric_key="m", steps="last", constraint=dict(rel_down=1)')),
    status: 422,
    where: 'test_file:2',
    message: /constraint/,
  },
  { name: 'a syntax error', request: declared('x = (\n'), status: 422, message: /./ },
  {
    name: 'NUL in a metric key of a test file',
    request: declared(gate('metric_key="a\\x00b", steps="last", constraint={"rel_down":1}')),
    status: 422,
    where: 'test_file:2',
    message: /NUL/,
  },
  {
    name: 'a test file in Latin-1',
    request: declared(Buffer.from('# -*- coding: latin-1 -*-\nx = "\xe9"\n', 'latin1')),
    status: 422,
    message: /UTF-8|latin/i,
  },
  {
    name: 'a test file over 256 KiB',
    request: declared(`# ${'x'.repeat(256 * KIB)}`),
    status: 413,
    code: 'too_large',
    message: /256/,
  },
  {
    name: 'a test file that takes over a second',
    request: declared(`x = ${'"a" '.repeat(60_000)}\n`),
    status: 422,
    message: /second|parse|slow/i,
  },
  {
    name: 'an unknown field of a declaration',
    request: submit(
      ['declarations', '[{"metric_key":"m","steps":"last","constraint":{"rel_down":1},"enforced":false}]'],
      ['record', record(1)],
    ),
    status: 422,
    where: 'declarations/0/enforced',
    message: /enforce/,
  },
  {
    name: 'both forms of declarations',
    request: submit(['declarations', DECLARED], ['test_file', 'x=1'], ['record', record(1)]),
    status: 422,
    message: /test_file|declarations/,
  },
  {
    name: 'no declarations at all',
    request: submit(['record', record(1)]),
    status: 422,
    message: /test_file|declarations/,
  },
  // Fields
  {
    name: 'a SHA prefix',
    request: field('commit_sha', 'abc1234'),
    status: 422,
    where: 'commit_sha',
    message: /whole|full/i,
  },
  {
    name: 'no SHA',
    request: field('commit_sha', ''),
    status: 422,
    where: 'commit_sha',
    message: /missing|required|needed/i,
  },
  {
    name: 'a run id that is no number',
    request: field('github_run_id', '12abc'),
    status: 422,
    where: 'github_run_id',
    message: /digits|number/i,
  },
  {
    name: 'a run id beyond 64 bits',
    request: field('github_run_id', '9223372036854775808'),
    status: 422,
    where: 'github_run_id',
    message: /9223372036854775807|2\^63/,
  },
  {
    name: 'attempt 0',
    request: field('github_run_attempt', '0'),
    status: 422,
    where: 'github_run_attempt',
    message: /1/,
  },
  {
    name: 'a padded suite',
    request: field('suite', 'stage-c '),
    status: 422,
    where: 'suite',
    message: /white space/,
  },
  {
    name: 'a backend of 129 characters',
    request: field('backend', 'b'.repeat(129)),
    status: 422,
    where: 'backend',
    message: /128/,
  },
  {
    name: 'a test path of 513 characters',
    request: field('test_path', 'p'.repeat(513)),
    status: 422,
    where: 'test_path',
    message: /512/,
  },
  {
    name: 'a series of over 2,000 bytes',
    request: form([
      ['test_path', '😀'.repeat(490)],
      ['backend', '😀'.repeat(20)],
      ['suite', 's'],
      ['commit_sha', 'a'.repeat(40)],
      ['declarations', '[]'],
    ]),
    status: 422,
    message: /2,?000/,
  },
  {
    name: 'a ref of 1,025 characters',
    request: field('ref', 'r'.repeat(1025)),
    status: 422,
    where: 'ref',
    message: /1,?024/,
  },
  { name: 'NUL in a ref', request: field('ref', 'a\0b'), status: 422, where: 'ref', message: /NUL/ },
  {
    name: 'an unknown cadence',
    request: form([...FIELDS, ['cadence', 'hourly'], ['declarations', '[]']]),
    status: 422,
    where: 'cadence',
    message: /nightly/,
  },
  {
    name: 'a schedule event without its cron',
    request: form([...FIELDS, ['event_name', 'schedule'], ['declarations', '[]']]),
    status: 422,
    where: 'schedule',
    message: /cron/,
  },
  {
    name: 'a cron that is not mapped',
    request: form([...FIELDS, ['event_name', 'schedule'], ['schedule', '1 1 1 1 1'], ['declarations', '[]']]),
    status: 422,
    where: 'schedule',
    message: /mapped/,
  },
  {
    name: 'a repeated field',
    request: form([...FIELDS, ['suite', 'other'], ['declarations', '[]']]),
    status: 422,
    where: 'suite',
    message: /once|twice|repeated/i,
  },
  {
    name: 'an unknown part',
    request: form([...FIELDS, ['records', 'x'], ['declarations', '[]']]),
    status: 422,
    where: 'records',
    message: /record/,
  },
  {
    name: 'created_at, which the store alone sets',
    request: form([...FIELDS, ['created_at', '2099-01-01T00:00:00Z'], ['declarations', '[]']]),
    status: 422,
    where: 'created_at',
    message: /./,
  },
  {
    name: '65 parts',
    request: form([...FIELDS, ...Array.from({ length: 61 }, () => ['record', ''] as const)]),
    status: 413,
    code: 'too_large',
    message: /64/,
  },
  // JSON bodies
  {
    name: 'an unknown field of a body',
    request: post(body({ dryrun: true })),
    status: 422,
    where: 'dryrun',
    message: /./,
  },
  {
    name: 'a key twice in a body',
    request: jsonText('{"series": 1, "series": 2}'),
    status: 422,
    where: 'series',
    message: /twice/,
  },
  {
    name: 'deep nesting of a body',
    request: jsonText(`{"series": ${'['.repeat(70)}${']'.repeat(70)}}`),
    status: 422,
    message: /64/,
  },
  { name: 'no JSON', request: jsonText('{'), status: 400, code: 'malformed_body', message: /JSON/ },
  { name: 'no object', request: jsonText('[]'), status: 422, message: /object/ },
  // Transport
  {
    name: 'a form whose newlines are gone',
    request: {
      method: 'POST',
      url: '/v1/runs',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'a=b',
    },
    status: 415,
    code: 'unsupported_media_type',
    message: /--data-binary/,
  },
  {
    name: 'gzip',
    request: { ...post(body()), headers: { 'content-encoding': 'gzip' } },
    status: 415,
    code: 'unsupported_media_type',
    message: /gzip|encoding/i,
  },
  {
    name: 'a body over 32 MiB',
    request: recorded(Buffer.alloc(33 * KIB * KIB, 0x20)),
    status: 413,
    code: 'too_large',
    message: /32/,
  },
  {
    name: 'a misspelt query parameter',
    request: { ...post(body({ cadence: 'nightly' })), url: '/v1/runs?dryrun=true' },
    status: 400,
    code: 'invalid_query',
    where: '?dryrun',
    message: /dry_run/,
  },
  {
    name: 'a boolean that is none',
    request: { ...post(body({ cadence: 'nightly' })), url: '/v1/runs?dry_run=1' },
    status: 400,
    code: 'invalid_query',
    where: '?dry_run',
    message: /true/,
  },
  {
    name: 'an Idempotency-Key of 256 characters',
    request: { ...post(body({ cadence: 'nightly' })), headers: { 'idempotency-key': 'k'.repeat(256) } },
    status: 422,
    where: 'Idempotency-Key',
    message: /255/,
  },
  // Trust
  {
    name: 'revoking by a SHA prefix',
    request: post({ commit_sha: 'abcdef1', reason: 'r' }, '/v1/admin/revocations'),
    status: 422,
    where: 'commit_sha',
    message: /whole|full/i,
  },
  {
    name: 'revoking by a SHA that matches nothing',
    request: post({ commit_sha: 'f'.repeat(40), reason: 'r' }, '/v1/admin/revocations'),
    status: 404,
    code: 'not_found',
    message: /merge commit/,
  },
  {
    name: 'revoking by two keys',
    request: post({ commit_sha: 'f'.repeat(40), github_run_id: 1, reason: 'r' }, '/v1/admin/revocations'),
    status: 422,
    message: /exactly one|one of/i,
  },
  {
    name: 'revoking by nothing',
    request: post({ reason: 'r' }, '/v1/admin/revocations'),
    status: 422,
    message: /run_id/,
  },
  {
    name: 'revoking without a reason',
    request: post({ run_id: 'x' }, '/v1/admin/revocations'),
    status: 422,
    where: 'reason',
    message: /./,
  },
  {
    name: 'a reason of 2,001 characters',
    request: post({ run_id: 'x', reason: 'r'.repeat(2001) }, '/v1/admin/revocations'),
    status: 422,
    where: 'reason',
    message: /2,?000/,
  },
  {
    name: '1,001 run ids',
    request: post(
      { run_ids: Array.from({ length: 1001 }, (_, i) => `r${i}`), reason: 'r' },
      '/v1/admin/revocations',
    ),
    status: 422,
    where: 'run_ids',
    message: /1,?000/,
  },
]

forEachBackend((name, open) => {
  t.test(`bad input on ${name}`, async (t) => {
    const opened = await open(t)
    const client = await openClient(t, {
      gatehouse: { store: opened.store, readPython: (bytes) => python.read(bytes) },
    })
    for (const { name, request, status, code = 'invalid_input', where, message } of CASES) {
      await t.test(name, async (t) => {
        const problem = problemOf(t, await client.call(request), status, code)
        if (where !== undefined)
          t.ok(
            problem.errors.some((error) => error.where === where),
            `${where} among ${JSON.stringify(problem.errors)}`,
          )
        t.match(`${problem.detail} ${problem.errors.map((error) => error.message).join(' ')}`, message)
        const [counted] = await opened.sql(
          'select (select count(*) from runs) + (select count(*) from metric_values) + (select count(*) from verdicts) + (select count(*) from submission_keys) + (select count(*) from revocations) as n',
        )
        t.equal(Number(counted!.n), 0, 'nothing was stored')
      })
    }
  })
})
