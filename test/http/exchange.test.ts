import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import type { HistoryPage, SeriesPage, CoordinatePage } from '../../src/documents/history.js'
import type { ReplayDocument } from '../../src/documents/replay.js'
import { forEachBackend } from '../support/stores.js'
import { body, openClient, post, problemOf, SHA, whereOf, type Client } from './support.js'

// A busy machine stores some ten thousand values a second.
t.setTimeout(240_000)

const SERIES = 'test_path=tests/e2e/test_ppo.py&backend=cuda&suite=stage-c'

async function nights({ call }: Client, values: readonly number[]): Promise<void> {
  for (const [i, value] of values.entries()) {
    const provenance = { commit_sha: SHA, github_run_id: i + 1 }
    const response = await call(
      post(body({ cadence: 'nightly', provenance, record: [{ metric: 'loss', series: [[0, value]] }] })),
    )
    if (response.statusCode !== 201) throw new Error(response.body)
  }
}

function importOf(payload: string | Buffer) {
  return {
    method: 'POST' as const,
    url: '/v1/admin/import',
    headers: { 'content-type': 'application/x-ndjson' },
    payload,
  }
}

forEachBackend((name, open) => {
  const client = async (t: Test) => openClient(t, { gatehouse: { store: (await open(t)).store } })

  t.test(`series, coordinates and history on ${name}`, async (t) => {
    const opened = await client(t)
    await nights(opened, [1, 1.1, 9])
    const series = (await opened.call('/v1/series?test_path_prefix=tests/')).json<SeriesPage>()
    t.match(series.items, [
      { backend: 'cuda', runs: 3, trusted_runs: 2, last_run: { trusted: false }, last_outcome: 'pass' },
    ])
    t.same(
      (await opened.call('/v1/series?test_path_prefix=%25')).json<SeriesPage>().items,
      [],
      '% is an ordinary character',
    )
    const coordinates = (await opened.call(`/v1/coordinates?${SERIES}`)).json<CoordinatePage>()
    t.match(coordinates.items, [
      { metric_key: 'loss', steps: [-1], values: 3, declaration: { steps: 'last', steps_key: '"last"' } },
    ])
    t.same((await opened.call('/v1/coordinates?test_path=x&backend=y&suite=z')).json(), {
      items: [],
      next_cursor: null,
    })

    const url = `/v1/history?${SERIES}&metric_key=loss`
    const history = (await opened.call(url)).json<HistoryPage>()
    t.match(history.items, [
      { value: 9, trusted: false, status: 'fail', mean: 1.05, github_run_id: 3 },
      { value: 1.1, trusted: true, status: 'pass', mean: 1, lower: 0.5, upper: 1.5 },
      { value: 1, status: 'inactive', mean: null, lower: null, upper: null },
    ])
    t.equal((await opened.call(`${url}&trusted=true`)).json<HistoryPage>().items.length, 2)
    t.equal((await opened.call(`${url}&step=0`)).json<HistoryPage>().items.length, 0)
    const paged: number[] = []
    for (let cursor = ''; ;) {
      const page = (await opened.call(`${url}&limit=1${cursor}`)).json<HistoryPage>()
      paged.push(...page.items.map(({ value }) => value as number))
      if (page.next_cursor === null) break
      cursor = `&cursor=${page.next_cursor}`
    }
    t.same(paged, [9, 1.1, 1])
    const csv = await opened.call({ url: `${url}&limit=2`, headers: { accept: 'text/csv' } })
    t.match(csv.headers['content-type'], /^text\/csv/)
    t.ok(csv.headers['gatehouse-next-cursor'])
    const [header, first] = csv.body.split('\r\n')
    t.equal(header, 'run_id,created_at,commit_sha,github_run_id,trusted,step,value,status,mean,lower,upper')
    t.match(first, /,3,false,-1,9,fail,1\.05,0\.525,1\.5750000000000002$/)
    problemOf(t, await opened.call(`/v1/history?${SERIES}&metric_key=loss&cursor=x`), 400, 'bad_cursor')
  })

  t.test(`export, import and replay over HTTP on ${name}`, async (t) => {
    const opened = await client(t)
    await nights(opened, [1, 1.1, 1.2, 9])
    const exported = await opened.call('/v1/export')
    t.equal(exported.statusCode, 200)
    const lines = exported.body.trimEnd().split('\n')
    const trailer = JSON.parse(lines.at(-1)!) as { end: { runs: number; values: number; sha256: string } }
    const before = exported.body.slice(0, exported.body.lastIndexOf('{"end"'))
    t.same(trailer.end, { runs: 4, values: 4, sha256: createHash('sha256').update(before).digest('hex') })

    const other = await client(t)
    const imported = await other.call(importOf(exported.body))
    t.match(
      { status: imported.statusCode, body: imported.json<unknown>() },
      { status: 201, body: { runs: 4, values: 4, skipped: 0 } },
    )
    t.match((await other.call(importOf(exported.body))).json(), { runs: 0, values: 0, skipped: 4 })
    const again = (await other.call('/v1/export')).body.trimEnd().split('\n')
    t.same(again.slice(1, -1), lines.slice(1, -1), 'exported again, the same')

    const report = (await other.call(post({}, '/v1/replays'))).json<ReplayDocument>()
    t.match(report, {
      outcome: 'fail',
      counts: { comparisons: 3, passes: 2, failures: 1, cold_starts: 1 },
      snapshot: { window: 20 },
    })
    t.match(report.untrusted_regressions, [{ value: 9, n: 3 }])
    const declared = [
      {
        series: { test_path: 'tests/e2e/test_ppo.py', backend: 'cuda', suite: 'stage-c' },
        declarations: [{ metric_key: 'loss', steps: 'last', constraint: { rel_up: 99, rel_down: 1 } }],
      },
    ]
    t.match((await other.call(post({ declarations: declared }, '/v1/replays'))).json(), {
      outcome: 'pass',
      counts: { passes: 3 },
    })
    const bad = await other.call(
      post(
        { declarations: [{ ...declared[0], declarations: [{ metric_key: 'loss', steps: [] }] }] },
        '/v1/replays',
      ),
    )
    t.same(whereOf(problemOf(t, bad, 422, 'invalid_input')), [
      'declarations/0/declarations/0/steps',
      'declarations/0/declarations/0',
    ])
    problemOf(t, await other.call(post({ untill: 'x' }, '/v1/replays')), 422, 'invalid_input')
  })

  t.test(`coordinates on ${name} tell a declaration with every member, whoever wrote it`, async (t) => {
    const opened = await client(t)
    const text = [
      '{"gatehouse_export":1,"created_at":"2026-11-01T15:00:00.000000Z","scope":{}}\n',
      JSON.stringify({
        run: {
          run_id: 'r1',
          series: { test_path: 't', backend: 'b', suite: 's' },
          provenance: { commit_sha: SHA },
          created_at: '2026-11-01T15:00:00Z',
          trusted: true,
          cadence: 'nightly',
        },
        values: [{ metric_key: 'm', step: -1, value: 1 }],
        declarations: [{ metric_key: 'm', steps: 'last', constraint: { rel_down: 1 } }],
      }) + '\n',
    ].join('')
    const sha256 = createHash('sha256').update(text).digest('hex')
    const sealed = `${text}{"end":{"runs":1,"values":1,"sha256":"${sha256}"}}\n`
    t.equal((await opened.call(importOf(sealed))).statusCode, 201)
    t.same(
      (await opened.call('/v1/coordinates?test_path=t&backend=b&suite=s')).json<CoordinatePage>().items[0]
        ?.declaration,
      {
        metric_key: 'm',
        steps: 'last',
        constraint: { rel_down: 1 },
        hard_ref: null,
        enforce: true,
        steps_key: '"last"',
        constraint_key: '{"rel_down":1}',
        line: null,
      },
    )
  })

  t.test(`imports that are refused on ${name} leave nothing`, async (t) => {
    const opened = await client(t)
    const run = (more: object = {}) =>
      JSON.stringify({
        series: { test_path: 't', backend: 'b', suite: 's' },
        provenance: { commit_sha: SHA },
        created_at: '2026-11-01T15:00:00Z',
        trusted: true,
        values: [{ metric_key: 'm', step: 0, value: 1 }],
        run_id: 'r1',
        ...more,
      })
    const cases: Array<[name: string, payload: string, status: number, code: string, where: string]> = [
      ['the future', run({ created_at: '2099-01-01T00:00:00Z' }), 422, 'invalid_input', 'line 1'],
      [
        'a step that is none',
        `${run()}\n${run({ run_id: 'r2', values: [{ metric_key: 'm', step: -3, value: 1 }] })}`,
        422,
        'invalid_input',
        'line 2',
      ],
      ['other content', `${run()}\n${run({ values: [] })}`, 409, 'import_conflict', 'line 2'],
      [
        'an export without its trailer',
        '{"gatehouse_export":1,"created_at":"2026-11-01T15:00:00.000000Z","scope":{}}\n',
        422,
        'invalid_input',
        'line 1',
      ],
    ]
    for (const [label, payload, status, code, where] of cases) {
      const problem = problemOf(t, await opened.call(importOf(payload)), status, code)
      t.ok(
        problem.errors.some((error) => error.where.startsWith(where.split(' ')[0]!)),
        `${label}: ${JSON.stringify(problem.errors)}`,
      )
      t.same((await opened.call('/v1/runs')).json<{ items: unknown[] }>().items, [], label)
    }
    problemOf(
      t,
      await opened.call({ ...importOf(run()), headers: { 'content-type': 'application/json' } }),
      415,
      'unsupported_media_type',
    )
  })
})

t.test('a file over the bound is a 413, while it is still sent', async (t) => {
  const { call } = await openClient(t, { deps: { maxImportBytes: 1_000 } })
  problemOf(t, await call(importOf('x'.repeat(2_000))), 413, 'too_large')
})

t.test('a file that says it is over the bound is a 413 before it is sent', { timeout: 20_000 }, async (t) => {
  const { app } = await openClient(t, { deps: { maxImportBytes: 1_000 } })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  const headers = ['Host: localhost', 'Content-Type: application/x-ndjson', 'Content-Length: 5000000000']
  socket.write(`POST /v1/admin/import HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  t.match(answer.toString(), /^HTTP\/1.1 413 /)
})

t.test('one export at a time per credential; one that is given up frees its place', async (t) => {
  const opened = await openClient(t)
  await nights(opened, [1])
  const line = JSON.stringify({
    series: { test_path: 't', backend: 'b', suite: 's' },
    provenance: { commit_sha: SHA },
    created_at: '2026-11-01T15:00:00Z',
    trusted: true,
    values: Array.from({ length: 20_000 }, (_, step) => ({ metric_key: 'm', step, value: step })),
  })
  const many = Array.from({ length: 8 }, (_, i) => line.replace('"suite":"s"', `"suite":"s${i}"`)).join('\n')
  t.equal((await opened.call(importOf(many))).statusCode, 201)
  await opened.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = opened.app.server.address() as { port: number }
  const slow = connect(port, '127.0.0.1')
  slow.write('GET /v1/export HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(slow, 'readable')
  const second = await fetch(`http://127.0.0.1:${port}/v1/export`)
  t.equal(second.status, 429)
  t.ok(second.headers.get('retry-after'))
  const head = await fetch(`http://127.0.0.1:${port}/v1/export`, { method: 'HEAD' })
  t.match([head.status, head.headers.get('content-type')], [200, 'application/x-ndjson'])
  slow.destroy()
  let freed = 429
  for (let i = 0; i < 100 && freed === 429; i++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    const response = await fetch(`http://127.0.0.1:${port}/v1/export`)
    freed = response.status
    await response.body?.cancel()
  }
  t.equal(freed, 200)
})
