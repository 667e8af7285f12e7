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
  SHA,
  whereOf,
} from './support.js'

interface Verdict {
  series: { test_path: string }
  provenance: Record<string, unknown>
  cadence: string
  checks: unknown[]
  run_id: string | null
}

const whole = [...FIELDS, ['declarations', DECLARED], ['record', record(1)]] as const

t.test('both forms name the same faults, each in its own places', async (t) => {
  const { call } = await openClient(t)
  const faulty = {
    test_path: ' tests/a.py',
    backend: 'x'.repeat(129),
    commit_sha: 'abcdef1',
    github_run_attempt: '0',
    event_name: 'a\u0000b',
    cadence: 'daily',
  }
  const multipart = problemOf(
    t,
    await call(
      form([...Object.entries(faulty), ['declarations', '[]'], ['github_run_id', '9223372036854775808']]),
    ),
    422,
    'invalid_input',
  )
  const { test_path, backend, cadence, ...provenance } = faulty
  const json = problemOf(
    t,
    await call(
      jsonText(
        JSON.stringify({
          series: { test_path, backend },
          provenance: { ...provenance, github_run_attempt: 0 },
          cadence,
          declarations: [],
        }).replace('"github_run_attempt":0', '"github_run_attempt":0,"github_run_id":9223372036854775808'),
      ),
    ),
    422,
    'invalid_input',
  )
  const strip = (where: string) => where.replace(/^(series|provenance)\//, '')
  t.same(
    json.errors.map(({ where, message }) => ({ where: strip(where), message })),
    multipart.errors,
  )
  t.same(
    new Set(whereOf(multipart)),
    new Set([
      'test_path',
      'backend',
      'suite',
      'commit_sha',
      'github_run_attempt',
      'event_name',
      'cadence',
      'github_run_id',
    ]),
  )
  const sha = multipart.errors.find(({ where }) => where === 'commit_sha')
  t.match(sha?.message, /has 7 digits; send the whole SHA/)
  t.ok(whereOf(json).includes('provenance/commit_sha'))
})

t.test('parts of a form', async (t) => {
  const { call } = await openClient(t)
  const refused = async (parts: Parameters<typeof form>[0]) =>
    problemOf(t, await call(form(parts)), 422, 'invalid_input')
  t.same((await refused([...whole, ['testpath', 'x']])).errors, [
    { where: 'testpath', message: 'is not known here; did you mean "test_path"?' },
  ])
  t.same(whereOf(await refused([...whole, ['backend', 'cuda']])), ['backend'])
  t.same(whereOf(await refused([...whole, ['test_file', 'x = 1']])), ['declarations'])
  t.same(whereOf(await refused([...FIELDS, ['record', record(1)]])), ['test_file'])
  t.same(whereOf(await refused([...FIELDS, ['declarations', ''], ['record', record(1)]])), ['test_file'])
  t.same(whereOf(await refused([...FIELDS, ['declarations', DECLARED]])), ['record'])
  t.same(whereOf(await refused([...whole, ['ref', Buffer.from([0xff])]])), ['ref'])
  t.same(whereOf(await refused([...whole, ['pr_number', '2147483648'], ['github_run_id', '12abc']])), [
    'pr_number',
    'github_run_id',
  ])
  t.same(whereOf(await refused([...whole, ['\u0007\u00e9', 'x']])).length, 1)
})

t.test('a form as CI sends it', async (t) => {
  const { call } = await openClient(t)
  const parts = [
    ...whole,
    ['pr_number', ''],
    ['github_run_id', '19876543210'],
    ['schedule', ''],
    ['labels', 'gpu, nightly,'],
    ['event_name', 'pull_request'],
    ['labels', ''],
    ['labels', ' ["toJSON", "of a workflow"]'],
    ['ref', 'refs/pull/7/merge'],
  ] as const
  const response = await call(form(parts))
  t.equal(response.statusCode, 201, 'the label makes it nightly')
  const verdict: Verdict = response.json()
  t.same(verdict.provenance, {
    commit_sha: SHA,
    pr_number: null,
    github_run_id: 19876543210,
    github_run_attempt: null,
    event_name: 'pull_request',
    ref: 'refs/pull/7/merge',
  })
  t.equal(verdict.cadence, 'nightly')
})

t.test('an empty record part counts as one', async (t) => {
  const { call } = await openClient(t)
  const response = await call(form([...FIELDS, ['declarations', DECLARED], ['record', '']]))
  t.equal(response.statusCode, 200)
  t.match(response.json(), { outcome: 'fail', counts: { error: 1 } })
})

t.test('records keep the order of their parts', async (t) => {
  const { call } = await openClient(t)
  const records = Array.from({ length: 40 }, (_, i) => ['record', record(i)] as const)
  const response = await call(form([...FIELDS, ['declarations', DECLARED], ...records]))
  t.match(response.json(), { checks: [{ value: 39 }] }, 'of equal steps the last one counts')
})

t.test('64-bit ids are exact in both forms', async (t) => {
  const { call } = await openClient(t)
  const id = '9007199254740993'
  const ofOtherSeries = body({
    series: { test_path: 'tests/other.py', backend: 'cuda', suite: 'stage-c' },
    declarations: [],
    provenance: { commit_sha: SHA, github_run_id: 5 },
  })
  for (const request of [
    form([...FIELDS, ['declarations', '[]'], ['github_run_id', id]]),
    jsonText(JSON.stringify(ofOtherSeries).replace(':5}', `: ${id} }`)),
  ]) {
    const response = await call(request)
    t.equal(response.statusCode, 200, response.body)
    t.match(response.body, `"github_run_id":${id},`)
  }
  t.match((await call(`/v1/verdicts?github_run_id=${id}`)).body, `"github_run_id":${id},`)
})

t.test('JSON declarations keep 1.0 from 1', async (t) => {
  const { call } = await openClient(t)
  const text = JSON.stringify(body())
    .replace('"rel_down":0.5', '"rel_down":1.0')
    .replace('"rel_up":0.5', '"rel_up":1e-5')
  t.match((await call(jsonText(text))).json(), {
    checks: [{ constraint_key: '{"rel_down":1.0,"rel_up":1e-05}' }],
  })
})

t.test('a JSON body', async (t) => {
  const { call } = await openClient(t)
  const refused = async (overrides: object) =>
    problemOf(t, await call(post(body({ ...overrides }))), 422, 'invalid_input')
  t.match((await refused({ enforced: true })).errors, [{ where: 'enforced', message: /not known here/ }])
  t.same(whereOf(await refused({ provenance: { commit_sha: SHA, sha: 'x' } })), ['provenance/sha'])
  t.same(whereOf(await refused({ record: {} })), ['record'])
  t.same(whereOf(await refused({ test_source: 'x' })), ['declarations'])
  t.same(whereOf(await refused({ declarations: null, test_source: 'a\ud800' })), ['test_source'])
  t.same(whereOf(await refused({ declarations: {} })), ['declarations'])
  t.same(whereOf(await refused({ labels: Array(65).fill('x') })), ['labels'])
  t.same(whereOf(await refused({ labels: ['a', ''] })), ['labels/1'])
  t.same(whereOf(await refused({ provenance: { commit_sha: SHA, github_run_id: '7' } })), [
    'provenance/github_run_id',
  ])
  t.same(whereOf(await refused({ provenance: { commit_sha: SHA, pr_number: true } })), [
    'provenance/pr_number',
  ])
  t.match((await refused({ provenance: { commit_sha: SHA.toUpperCase() } })).detail, /lower case/)
  const long = { series: { test_path: '\u{1F600}'.repeat(512), backend: 'x', suite: 'x' } }
  t.match((await refused(long)).detail, /2050 bytes of UTF-8 together; at most 2000/)
  const provenance = {
    commit_sha: SHA,
    pr_number: null,
    github_run_id: null,
    github_run_attempt: null,
    event_name: null,
    ref: null,
  }
  const nulls = { cadence: null, schedule: null, labels: null, test_source: null, provenance }
  t.equal((await call(post(body(nulls)))).statusCode, 200, 'null is absent')
})

t.test('a hostile text is kept or refused, never changed', async (t) => {
  const { call } = await openClient(t)
  const path = 'tests/%2F__proto__/\u{1F600} a.py'
  const kept = await call(
    post(body({ series: { test_path: path, backend: '__proto__', suite: 'constructor' } })),
  )
  t.equal(kept.json<Verdict>().series.test_path, path)
  for (const bad of ['a\u0000', 'a\ud800', '\udfffa', 'a\u00a0', '\ufeffa', '']) {
    const refused = await call(post(body({ series: { test_path: bad, backend: 'b', suite: 's' } })))
    t.same(whereOf(problemOf(t, refused, 422, 'invalid_input')), ['series/test_path'])
  }
})

t.test('declarations alone', async (t) => {
  const { call } = await openClient(t)
  const url = '/v1/declarations/parse'
  const parsed = await call(form([['declarations', DECLARED]], url))
  t.equal(parsed.statusCode, 200)
  t.match(parsed.json(), { declarations: [{ metric_key: 'loss', steps: 'last', line: null }] })
  t.same((await call(jsonText(`{"declarations": ${DECLARED}}`, url))).json(), parsed.json())
  t.same(
    whereOf(
      problemOf(
        t,
        await call(
          form(
            [
              ['declarations', '[]'],
              ['record', ''],
            ],
            url,
          ),
        ),
        422,
        'invalid_input',
      ),
    ),
    ['record'],
  )
  t.same(
    whereOf(problemOf(t, await call(post({ declarations: [], record: [] }, url)), 422, 'invalid_input')),
    ['record'],
  )
  t.same(whereOf(problemOf(t, await call(post({}, url)), 422, 'invalid_input')), ['test_source'])
})

t.test('declarations of a test file, with every fault by its line', async (t) => {
  const reader = new PythonSourceReader()
  t.teardown(() => reader.close())
  const { call } = await openClient(t, { gatehouse: { readPython: (source) => reader.read(source) } })
  const url = '/v1/declarations/parse'
  const good = 'register_ci_gate(metric_key="loss", steps="last", constraint={"rel_down": 1.0})\n'
  const parsed = await call(form([['test_file', `import os\n${good}`]], url))
  t.match(parsed.json(), {
    declarations: [{ metric_key: 'loss', line: 2, constraint_key: '{"rel_down":1.0}' }],
  })
  t.same((await call(post({ test_source: `import os\n${good}` }, url))).json(), parsed.json())
  t.match(
    (await call(form([['test_file', '']], url))).json(),
    { declarations: [] },
    'an empty file declares nothing',
  )
  t.match(
    (await call(form([['test_file', 'print(1)\n']], url))).json(),
    { warnings: [{ where: 'declarations', message: /declares no gate/ }] },
    'which is told',
  )
  t.same(parsed.json<{ warnings: unknown[] }>().warnings, [])
  for (const path of ['tests/e2e/test_ppo.py', ' test_a.py\n', '../x-1/test.py']) {
    const slip = problemOf(t, await call(form([['test_file', path]], url)), 422, 'invalid_input')
    t.match(slip, { errors: [{ where: 'test_file', message: /test_file=@FILE/ }] }, path)
  }
  t.match(problemOf(t, await call(post({ test_source: 'tests/test_ppo.py' }, url)), 422, 'invalid_input'), {
    errors: [{ where: 'test_source', message: /^is the path of a file in place of its text$/ }],
  })
  for (const source of ['', 'x\ny.py', '# test.py', 'import a.py', 'f("a.py")']) {
    t.equal((await call(form([['test_file', source]], url))).statusCode, 200, JSON.stringify(source))
  }

  const off = `if True:\n    ${good}`
  const warning = /declares no gate; only a statement of its own at the top level/
  t.match((await call(form([['test_file', off]], url))).json(), {
    declarations: [],
    warnings: [{ where: 'test_file:2', message: warning }],
  })
  t.match(
    (await call(form([...FIELDS, ['test_file', off], ['record', record(1)]]))).json(),
    {
      outcome: 'pass',
      warnings: [{ metric_key: null, message: /^test_file:2: register_ci_gate is called/ }, {}],
    },
    'a verdict tells of a gate that is off',
  )

  const bad = `${good}register_ci_gate(metric_key=KEY)\nregister_ci_gate(metric_key="b", steps=STEPS)\n`
  const faults = problemOf(t, await call(form([['test_file', bad]], url)), 422, 'invalid_input')
  t.same(new Set(whereOf(faults)), new Set(['test_file:2', 'test_file:3']))
  const beside = form([...FIELDS, ['test_file', ''], ['declarations', DECLARED], ['record', record(1)]])
  t.equal(
    (await call(beside)).statusCode,
    200,
    'an empty test_file beside declarations is a variable that was not set',
  )
})

t.test('labels may come as the JSON array of labels that a workflow has at hand', async (t) => {
  const { call } = await openClient(t)
  const facts = [
    ...FIELDS,
    ['event_name', 'pull_request'],
    ['declarations', DECLARED],
    ['record', record(1)],
  ] as const
  const cadence = async (labels: string) =>
    (await call(form([...facts, ['labels', labels]], '/v1/runs?dry_run=true'))).json<{ cadence: string }>()
      .cadence
  t.equal(await cadence('["gpu", "nightly"]'), 'nightly')
  t.equal(await cadence('[]'), 'regular')
  t.equal(await cadence('[nightly'), 'regular', 'what is no array is a label')
  const cut = await call(form([...facts, ['labels', '["needs review']], '/v1/runs?dry_run=true'))
  t.same(
    whereOf(problemOf(t, cut, 422, 'invalid_input')),
    ['labels'],
    'an array that curl cut off at a semicolon',
  )
})
