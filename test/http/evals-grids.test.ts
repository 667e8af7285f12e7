import t from 'tap'
import type { GridDocument, GridPage, GridRowPage } from '../../src/documents/evals-grid.js'
import { grid, GRIDS, judged, JUNIT, MARKDOWN, onBoth, row } from './evals-support.js'
import {
  bearing,
  issueToken,
  jsonText,
  openClient,
  post,
  problemOf,
  whereOf,
  withHeaders,
} from './support.js'

onBoth('a grid is judged, stored and read again in every form', async (t, { call }) => {
  const body = grid(
    ['a', 'b', 'c'],
    [row('a'), row('b', { error: 'sandbox died' }), row('b'), row('z'), row('a', { repeat: 2 })],
    { reward_range: { min: 0, max: 1 } },
  )
  const response = await call(post(body, GRIDS))
  t.equal(response.statusCode, 201)
  t.match(response.headers, { 'gatehouse-outcome': 'fail', 'gatehouse-result': 'incomplete', vary: 'Accept' })
  const document = response.json<GridDocument>()
  t.equal(response.headers.location, `${GRIDS}/${document.grid_id}`)
  t.strictSame(document, {
    complete: false,
    outcome: 'fail',
    grid_id: document.grid_id,
    created_at: document.created_at,
    name: 'smoke',
    dry_run: false,
    repeats: 1,
    reward_range: { min: 0, max: 1 },
    pass_threshold: 1,
    counts: {
      planned_cells: 3,
      scored: 4,
      errored: 1,
      unscored: 0,
      missing: 1,
      duplicate: 1,
      unplanned: 2,
      dry_run: 0,
    },
    mean_reward: 1,
    pass_rate: 1,
    scored_n: 1,
    cells: {
      missing: [{ task: 'c', harness: 'docker', repeat: 1 }],
      errored: [{ task: 'b', harness: 'docker', repeat: 1 }],
      unscored: [],
      duplicate: [{ task: 'b', harness: 'docker', repeat: 1 }],
      unplanned: [
        { task: 'z', harness: 'docker', repeat: 1 },
        { task: 'a', harness: 'docker', repeat: 2 },
      ],
    },
    list_limit: 100,
    by_task: [
      figures({ task: 'a', mean_reward: 1, pass_rate: 1, scored_n: 1 }),
      figures({ task: 'b', errored: 1 }),
      figures({ task: 'c', missing: 1 }),
    ],
    by_harness: [
      figures({
        harness: 'docker',
        planned_cells: 3,
        mean_reward: 1,
        pass_rate: 1,
        scored_n: 1,
        errored: 1,
        missing: 1,
      }),
    ],
  })
  t.strictSame((await call(response.headers.location!)).json(), document)
  for (const accept of [MARKDOWN, JUNIT]) {
    const sent = await call(withHeaders(post(body, GRIDS), accept))
    t.equal(sent.statusCode, 201)
    const url = String(sent.headers.location)
    t.equal((await call({ url, headers: accept })).body, sent.body, 'the same again')
  }
  const rows = (await call(`${response.headers.location}/results`)).json<GridRowPage>().items
  t.equal(rows.length, 5, 'its rows are kept, complete or not')
  t.strictSame(rows[1], {
    task: 'b',
    harness: 'docker',
    repeat: 1,
    reward: 1,
    error: 'sandbox died',
    dry_run: false,
    metrics: null,
  })
})

function figures(fields: object) {
  const none = { planned_cells: 1, mean_reward: null, pass_rate: null, scored_n: 0 }
  return { ...none, errored: 0, unscored: 0, missing: 0, dry_run: 0, ...fields }
}

t.test('what a row says', async (t) => {
  const client = await openClient(t)
  const state = async (fields: object, more: object = {}) => {
    const { counts } = await judged(t, client, grid(['a'], [row('a', fields)], more))
    return (['scored', 'errored', 'unscored', 'dry_run'] as const).filter((kind) => counts[kind] > 0).join()
  }
  t.equal(await state({ reward: 0 }), 'scored', 'the verifier said no')
  t.equal(await state({ reward: -3.5 }), 'scored')
  for (const reward of [null, true, false, '1', 'N/A', 'NaN', [1], { value: 1 }])
    t.equal(await state({ reward }), 'unscored', JSON.stringify(reward))
  t.equal(await state({ reward: 1.1 }, { reward_range: { min: 0, max: 1 } }), 'unscored')
  t.equal(await state({ reward: 0 }, { reward_range: { min: 0, max: 1 } }), 'scored')
  for (const error of ['', 'x', 0, false, { type: 'Timeout' }])
    t.equal(await state({ error }), 'errored', JSON.stringify(error))
  t.equal(await state({ error: null }), 'scored')
  t.equal(await state({ dry_run: true, reward: null }), 'unscored', 'a dry run that was not planned')
  const plan = { plan: { tasks: ['a'], harnesses: ['docker'], dry_run: true } }
  t.equal(await state({ dry_run: true, reward: null }, plan), 'dry_run')
  t.equal(await state({ reward: null }, plan), 'unscored', 'planned as one and not run as one')
  const big = await client.call(
    jsonText(
      '{"plan":{"tasks":["a"],"harnesses":["h"]},"results":[{"task":"a","harness":"h","reward":1e999}]}',
      GRIDS,
    ),
  )
  t.equal(big.json<GridDocument>().counts.unscored, 1, 'a number that no double holds')
})

t.test('complete grids', async (t) => {
  const client = await openClient(t)
  const twice = await judged(
    t,
    client,
    grid(['a'], [row('a'), row('a', { repeat: 2, reward: 0 })], {
      plan: { tasks: ['a'], harnesses: ['docker'], repeats: 2 },
    }),
  )
  t.match(twice, {
    complete: true,
    outcome: 'pass',
    mean_reward: 0.5,
    pass_rate: 0.5,
    counts: { duplicate: 0 },
  })
  const dry = await judged(
    t,
    client,
    grid(['a'], [row('a', { dry_run: true, reward: null })], {
      plan: { tasks: ['a'], harnesses: ['docker'], dry_run: true },
    }),
  )
  t.match(dry, { complete: true, outcome: 'pass', scored_n: 0, counts: { dry_run: 1 }, dry_run: true })
  t.equal(dry.mean_reward, null)
  const low = await judged(t, client, grid(['a'], [row('a', { reward: 0.5 })], { pass_threshold: 0.5 }))
  t.match(low, { pass_rate: 1, pass_threshold: 0.5 })
  const unnamed = await judged(t, client, {
    plan: { tasks: ['a'], harnesses: ['docker'] },
    results: [row('a')],
  })
  t.equal(unnamed.name, null)
})

t.test('one errored cell among many fails the grid, and on_fail the job', async (t) => {
  const { call } = await openClient(t)
  const tasks = Array.from({ length: 50 }, (_none, index) => `t${index}`)
  const rows = (error: unknown) => tasks.map((task) => row(task, task === 't7' ? { error } : {}))
  for (const [error, status] of [
    [null, 201],
    ['died', 422],
  ] as const) {
    const response = await call(post(grid(tasks, rows(error)), `${GRIDS}?on_fail=error`))
    t.equal(response.statusCode, status)
    t.equal(response.headers['gatehouse-outcome'], status === 201 ? 'pass' : 'fail')
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    t.equal((await call(String(response.headers.location))).json<GridDocument>().complete, status === 201)
  }
  const markdown = await call(withHeaders(post(grid(['a'], []), `${GRIDS}?on_fail=error`), MARKDOWN))
  t.equal(markdown.statusCode, 422)
  t.match(markdown.body, /^## Gatehouse: FAIL\n/)
})

t.test('a plan whose cells cannot be told apart is refused before anything is counted', async (t) => {
  const { call } = await openClient(t)
  const plan = (fields: object) =>
    grid([], [row('a')], { plan: { tasks: ['a'], harnesses: ['docker'], ...fields } })
  const cases: Array<[body: object, where: string]> = [
    [plan({ tasks: ['a', 'b', 'a'] }), 'plan/tasks/2'],
    [plan({ harnesses: ['docker', 'docker'] }), 'plan/harnesses/1'],
    [plan({ tasks: [] }), 'plan/tasks'],
    [plan({ harnesses: [] }), 'plan/harnesses'],
    [plan({ tasks: ['a', 'b '] }), 'plan/tasks/1'],
    [plan({ tasks: ['x'.repeat(513)] }), 'plan/tasks/0'],
    [plan({ tasks: [1] }), 'plan/tasks/0'],
    [plan({ tasks: undefined }), 'plan/tasks'],
    [plan({ tasks: 'a' }), 'plan/tasks'],
    [plan({ repeats: 0 }), 'plan/repeats'],
    [plan({ repeats: 1.5 }), 'plan/repeats'],
    [plan({ repeats: 2 ** 53 }), 'plan/repeats'],
    [plan({ dry_runs: true }), 'plan/dry_runs'],
    [{ results: [] }, 'plan'],
    [{ plan: { tasks: ['a'], harnesses: ['h'] } }, 'results'],
    [grid(['a'], [], { results: {} }), 'results'],
    [grid(['a'], [], { reward_range: { min: 1, max: 0 } }), 'reward_range'],
    [grid(['a'], [], { reward_range: { min: 1 } }), 'reward_range/max'],
    [grid(['a'], [], { pass_threshold: '1' }), 'pass_threshold'],
    [grid(['a'], [], { treshold: 1 }), 'treshold'],
    [grid(['a'], [{ harness: 'docker' }]), 'results/0/task'],
    [grid(['a'], [row('a'), { task: 'a' }]), 'results/1/harness'],
    [grid(['a'], [row('a', { repeat: '1' })]), 'results/0/repeat'],
    [grid(['a'], [row('a', { repeat: 1.5 })]), 'results/0/repeat'],
    [grid(['a'], [row('a', { dry_run: 'no' })]), 'results/0/dry_run'],
    [grid(['a'], [row('a', { metrics: [1] })]), 'results/0/metrics'],
    [grid(['a'], [row('a', { rewards: 1 })]), 'results/0/rewards'],
    [grid(['a'], [row('a\0')]), 'results/0/task'],
    [grid(['a'], [row('a', { error: '\0' })]), 'results/0/error'],
    [grid(['a'], [row('\ud800')]), 'results/0/task'],
    [grid(['a'], [null as unknown as object]), 'results/0'],
  ]
  for (const [body, where] of cases) {
    const problem = problemOf(t, await call(post(body, GRIDS)), 422, 'invalid_input')
    t.same(whereOf(problem), [where], JSON.stringify(body).slice(0, 100))
  }
  t.same((await call(GRIDS)).json<GridPage>().items, [], 'nothing is stored')
  problemOf(t, await call(post([], GRIDS)), 422, 'invalid_input')
  problemOf(t, await call({ method: 'POST', url: GRIDS }), 415, 'unsupported_media_type')
  problemOf(t, await call(post(grid(['a'], []), `${GRIDS}?on_fail=yes`)), 400, 'invalid_query')
  problemOf(t, await call(post(grid(['a'], []), `${GRIDS}?dry_run=true`)), 400, 'invalid_query')
  problemOf(t, await call(`${GRIDS}/x`), 404, 'not_found')
  problemOf(t, await call(`${GRIDS}/01936f0c-0000-7000-8000-000000000000`), 404, 'not_found')
  problemOf(t, await call(`${GRIDS}/01936f0c-0000-7000-8000-000000000000/results`), 404, 'not_found')
})

onBoth(
  'a retry is the same grid, and other content under its key is a conflict',
  async (t, { call, gatehouse }) => {
    const send = (body: object, key: string) =>
      call(withHeaders(post(body, GRIDS), { 'idempotency-key': key }))
    const body = grid(['a'], [row('a')])
    const [first, second] = await Promise.all([send(body, 'k'), send(body, 'k')])
    t.equal(first.body, second.body)
    t.same([first.statusCode, second.statusCode], [201, 201])
    t.equal([first, second].filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 1)
    const spelled = {
      ...body,
      pass_threshold: 1.0,
      reward_range: null,
      results: [row('a', { repeat: 1, error: null })],
    }
    t.equal((await send(spelled, 'k')).body, first.body, 'defaults that are named are no other content')
    const other = await send(grid(['a'], [row('a', { reward: 0 })]), 'k')
    t.match(problemOf(t, other, 409, 'idempotency_conflict').detail, /send another key/)
    problemOf(t, await send({ ...body, name: 'other' }, 'k'), 409, 'idempotency_conflict')
    t.not((await send(body, 'k2')).body, first.body)
    t.equal((await call(GRIDS)).json<GridPage>().items.length, 2)
    const token = await issueToken(gatehouse.store, { scopes: ['evals:write'] })
    const theirs = await call(withHeaders(post(body, GRIDS), { ...bearing(token), 'idempotency-key': 'k' }))
    t.equal(theirs.headers['idempotent-replayed'], undefined, 'a key belongs to its credential')
  },
)

onBoth('grids and their rows are listed in pages', async (t, { call }) => {
  const rows = Array.from({ length: 1_203 }, (_none, index) => row('a', { repeat: index + 1, reward: index }))
  const first = await call(post(grid(['a'], rows), GRIDS))
  for (const name of ['b', 'c']) await call(post(grid(['a'], [], { name }), GRIDS))
  const names: Array<string | null> = []
  for (let url = `${GRIDS}?limit=2`; url !== '';) {
    const { items, next_cursor: cursor } = (await call(url)).json<GridPage>()
    names.push(...items.map(({ name }) => name))
    t.notOk(items.some((item) => 'cells' in item || 'by_task' in item))
    url = cursor === null ? '' : `${GRIDS}?limit=2&cursor=${cursor}`
  }
  t.same(names, ['c', 'b', 'smoke'])
  const results = `${first.headers.location}/results`
  const rewards: unknown[] = []
  let pages = 0
  let last = ''
  for (let url = `${results}?limit=499`; url !== ''; pages++) {
    const { items, next_cursor: cursor } = (await call(url)).json<GridRowPage>()
    rewards.push(...items.map(({ reward }) => reward))
    url = cursor === null ? '' : `${results}?limit=499&cursor=${cursor}`
    last = cursor ?? last
  }
  t.same(
    rewards,
    rows.map(({ reward }) => reward),
  )
  t.equal(pages, 3)
  const other = (await call(GRIDS)).json<GridPage>().items[0]!.grid_id
  problemOf(t, await call(`${GRIDS}/${other}/results?cursor=${last}`), 400, 'bad_cursor')
  problemOf(t, await call(`${GRIDS}?cursor=${last}`), 400, 'bad_cursor')
})

onBoth('a number that no double holds is kept as its marker, and is no null', async (t, { call }) => {
  const text = JSON.stringify(grid(['a'], [row('a', { reward: 7, metrics: { loss: [7] } })]))
  const sent = (literal: string) => {
    const request = jsonText(text.replaceAll('7', literal), GRIDS)
    return call(withHeaders(request, { 'idempotency-key': 'k' }))
  }
  const first = await sent('-1e999')
  t.equal(first.json<GridDocument>().counts.unscored, 1)
  const rows = (await call(`${first.headers.location}/results`)).json<GridRowPage>()
  t.match(rows.items, [{ reward: '-Infinity', metrics: { loss: ['-Infinity'] } }])
  problemOf(t, await sent('null'), 409, 'idempotency_conflict')
  t.equal((await sent('-1e999')).headers['idempotent-replayed'], 'true')
})

t.test('hostile names stay what they are', async (t) => {
  const client = await openClient(t)
  const names = ['__proto__', 'constructor', '𝕬'.repeat(512), '\u202egnirts', '| `a` <b> @all', '"', "]]>&'"]
  const document = await judged(t, client, grid(names, [], { name: '<script>' }))
  t.same(
    document.cells.missing.map(({ task }) => task),
    names,
  )
  t.same(
    document.by_task.map(({ task }) => task),
    names,
  )
  const url = `${GRIDS}/${document.grid_id}`
  const markdown = (await client.call({ url, headers: MARKDOWN })).body
  t.notMatch(markdown, /<script>|@all|\u202e/)
  const junit = (await client.call({ url, headers: JUNIT })).body
  t.notMatch(junit, /<script>|\]\]>/)
})
