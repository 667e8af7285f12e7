import type { InjectOptions } from 'fastify'
import t from 'tap'
import type { EvalRunDocument, EvalRunPage } from '../../src/documents/evals-run.js'
import { onBoth, put, run, RUNS } from './evals-support.js'
import { bearing, issueToken, jsonText, openClient, problemOf, whereOf, withHeaders } from './support.js'

onBoth('a run is stored once, read, listed and deleted; its name stays taken', async (t, { call }) => {
  const body = run([9, 'N/A', null], { judge: { kind: 'panel', members: ['acme/j-1', 'Other/j-2'] } })
  Object.assign(body.questions[0]!, {
    votes: [
      { member: 'acme/j-1', score: 9 },
      { member: 'other/j-2', score: 8, error: null },
    ],
  })
  const first = await call(put('base/line', body))
  t.equal(first.statusCode, 201, first.body)
  t.equal(first.headers.location, `${RUNS}/base%2Fline`)
  t.match(first.json(), { name: 'base/line', created_by: 'open-mode', question_count: 3, scored: 1 })
  const again = await call(
    put('base/line', { ...body, questions: body.questions.map((one) => ({ errored: false, ...one })) }),
  )
  t.equal(again.statusCode, 200, 'a default that is named is no other content')
  t.strictSame(again.json(), first.json())
  const other = await call(put('base/line', run([9])))
  t.match(problemOf(t, other, 409, 'name_taken').detail, /other content .* not overwritten/)
  problemOf(t, await call(put('base/line', { ...body, judge: null })), 409, 'name_taken')

  const read = await call(`${RUNS}/base%2Fline`)
  t.equal(read.headers['content-type'], 'application/json; charset=utf-8')
  t.strictSame(read.json<EvalRunDocument>(), {
    ...first.json<EvalRunDocument>(),
    answer_model: { provider: 'acme', model: 'm-1' },
    judge: { kind: 'panel', members: ['acme/j-1', 'Other/j-2'] },
    questions: [
      {
        question_id: 'q1',
        context_score: 9,
        baseline_score: 0,
        errored: false,
        votes: [
          { member: 'acme/j-1', score: 9, error: null },
          { member: 'other/j-2', score: 8, error: null },
        ],
      },
      { question_id: 'q2', context_score: 'N/A', baseline_score: 0, errored: false, votes: null },
      { question_id: 'q3', context_score: null, baseline_score: 0, errored: false, votes: null },
    ],
  })
  t.strictSame((await call(RUNS)).json<EvalRunPage>().items, [first.json()])

  const remove = () => call({ method: 'DELETE', url: `${RUNS}/base%2Fline` })
  t.equal((await remove()).statusCode, 204)
  t.equal((await remove()).statusCode, 204, 'again, it changes nothing')
  t.match(
    problemOf(t, await call(`${RUNS}/base%2Fline`), 404, 'not_found').detail,
    /was deleted at .* stays taken/,
  )
  t.same((await call(RUNS)).json<EvalRunPage>().items, [])
  t.match(problemOf(t, await call(put('base/line', body)), 409, 'name_taken').detail, /was deleted/)
  problemOf(t, await call({ method: 'DELETE', url: `${RUNS}/never` }), 404, 'not_found')
  problemOf(t, await call(`${RUNS}/never`), 404, 'not_found')
})

onBoth('of two that take a name at once, one does', async (t, { call }) => {
  const race = async (name: string, bodies: object[]) => {
    const answers = await Promise.all(bodies.map((body) => call(put(name, body))))
    return answers.map(({ statusCode }) => statusCode).sort()
  }
  t.same(await race('same', [run([1]), run([1])]), [200, 201])
  t.same(await race('other', [run([1]), run([2])]), [201, 409])
  t.same(
    await race(
      'many',
      [1, 2, 1, 2, 1, 2].map((score) => run([score])),
    ),
    [200, 200, 201, 409, 409, 409],
  )
})

onBoth('names of any kind are kept apart', async (t, { call }) => {
  const names = [
    '__proto__',
    'a',
    'A',
    'constructor',
    '𝕬'.repeat(512),
    '\u202egnirts',
    'ünï %2F?#&',
    '..%',
    'é',
    'e\u0301',
  ]
  for (const [index, name] of names.entries()) {
    const response = await call(put(name, run([index])))
    t.equal(response.statusCode, 201, response.body.slice(0, 200))
    const read = await call(String(response.headers.location))
    t.match(read.json(), { name, questions: [{ context_score: index }] })
  }
  t.same(
    (await call(RUNS)).json<EvalRunPage>().items.map(({ name }) => name),
    names.reverse(),
  )
  for (const name of [' a', 'a ', 'x'.repeat(513), 'a\0'])
    t.same(whereOf(problemOf(t, await call(put(name, run([1]))), 422, 'invalid_input')), ['name'])
  problemOf(t, await call(`${RUNS}/a%00`), 404, 'not_found')
  problemOf(t, await call({ method: 'DELETE', url: `${RUNS}/a%00` }), 404, 'not_found')
})

t.test('what is no run is refused, each fault at its place', async (t) => {
  const { call } = await openClient(t)
  const ask = (fields: object) => ({ question_id: 'q', context_score: 1, baseline_score: 0, ...fields })
  const asking = (fields: object) => run([], { questions: [ask(fields)] })
  const judge = (fields: object) => run([1], { judge: fields })
  const cases: Array<[body: object, where: string]> = [
    [run([]), 'questions'],
    [{ ...run([1]), questions: undefined }, 'questions'],
    [run([], { questions: {} }), 'questions'],
    [run([], { questions: [ask({}), ask({})] }), 'questions/1/question_id'],
    [asking({ question_id: '' }), 'questions/0/question_id'],
    [asking({ question_id: 'q ' }), 'questions/0/question_id'],
    [asking({ question_id: 7 }), 'questions/0/question_id'],
    [asking({ question_id: undefined }), 'questions/0/question_id'],
    [asking({ errored: 'no' }), 'questions/0/errored'],
    [asking({ contextscore: 1 }), 'questions/0/contextscore'],
    [asking({ votes: {} }), 'questions/0/votes'],
    [asking({ votes: [{ score: 1 }] }), 'questions/0/votes/0/member'],
    [asking({ votes: [{ member: 'a/b', scores: 1 }] }), 'questions/0/votes/0/scores'],
    [
      asking({ votes: Array.from({ length: 1_001 }, () => ({ member: 'a/b', score: 1 })) }),
      'questions/0/votes',
    ],
    [judge({ kind: 'panel', members: [] }), 'judge/members'],
    [judge({ kind: 'panel' }), 'judge/members'],
    [judge({ kind: 'panel', members: [1] }), 'judge/members/0'],
    [judge({ kind: 'panel', members: ['a/b'], model: 'm' }), 'judge'],
    [judge({ kind: 'single', members: ['a/b'] }), 'judge/members'],
    [judge({ members: ['a/b'] }), 'judge/members'],
    [judge({ kind: 'jury' }), 'judge/kind'],
    [judge({ kind: 'single', provider: 'x'.repeat(1_025) }), 'judge/provider'],
    [run([1], { answer_model: { provider: 1 } }), 'answer_model/provider'],
    [run([1], { answer_model: { name: 'm' } }), 'answer_model/name'],
    [run([1], { name: 'x' }), 'name'],
  ]
  for (const [body, where] of cases) {
    const problem = problemOf(t, await call(put('x', body)), 422, 'invalid_input')
    t.same(whereOf(problem), [where], JSON.stringify(body).slice(0, 200))
  }
  t.same((await call(RUNS)).json<EvalRunPage>().items, [])
  const blank = run([1], { answer_model: { provider: '', model: null }, judge: undefined })
  t.equal((await call(put('blank', blank))).statusCode, 201, 'what is not recorded may be stored')
  problemOf(t, await call({ ...put('x', run([1])), url: `${RUNS}/x?dry_run=true` }), 400, 'invalid_query')
  problemOf(t, await call({ method: 'PUT', url: `${RUNS}/x` }), 415, 'unsupported_media_type')
})

t.test('a list of two hundred thousand faults is told by its first hundred', async (t) => {
  const { call } = await openClient(t)
  const body = { questions: Array.from({ length: 199_999 }, () => 1) }
  const problem = problemOf(t, await call(put('x', body)), 422, 'invalid_input')
  t.equal(problem.errors.length, 100)
  const many = problemOf(
    t,
    await call(put('x', { questions: Array.from({ length: 200_001 }, () => 1) })),
    422,
    'invalid_input',
  )
  t.same(whereOf(many), ['questions'])
})

t.test('deleting is for administrators', async (t) => {
  const { call, gatehouse } = await openClient(t)
  await call(put('a', run([1])))
  const token = bearing(await issueToken(gatehouse.store, { scopes: ['evals:write'] }))
  const url = `${RUNS}/a`
  problemOf(t, await call({ method: 'DELETE', url, headers: token }), 403, 'forbidden')
  t.equal((await call(withHeaders({ url }, token))).statusCode, 200, 'who writes runs may read them')
})

t.test('a score that no double holds is kept as its marker, and is other content than none', async (t) => {
  const { call } = await openClient(t)
  const body = JSON.stringify(run([7], { judge: { kind: 'panel', members: ['a/b'] } }))
  const votes = body.replace('"baseline_score":0', '"baseline_score":0,"votes":[{"member":"a/b","score":7}]')
  const sent = (literal: string): InjectOptions => ({
    ...jsonText(votes.replaceAll('7', literal), `${RUNS}/a`),
    method: 'PUT',
  })
  const stored = await call(sent('1e999'))
  t.match(stored.json(), { scored: 0 }, stored.body)
  const question = { context_score: 'Infinity', votes: [{ score: 'Infinity' }] }
  t.match((await call(`${RUNS}/a`)).json(), { questions: [question] })
  problemOf(t, await call(sent('null')), 409, 'name_taken')
  t.equal((await call(sent('1e999'))).statusCode, 200)
})
