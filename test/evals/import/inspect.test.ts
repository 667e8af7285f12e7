import t from 'tap'
import { readInspect } from '../../../src/evals/import/inspect.js'
import { faultsOf, valueOf } from '../support.js'
import { ANY, at, edited, fixture } from './support.js'

const LOG = fixture('inspect.json')
type Edit = Parameters<typeof edited>[1]

const read = (edit: Edit = () => undefined, choice = ANY) => readInspect([edited(LOG, edit)], choice)
const refusals = (edit: Edit, choice = ANY) =>
  faultsOf(read(edit, choice)).map(({ where, message }) => `${where} ${message}`)

t.test('a log as questions, epochs and scores', async (t) => {
  const log = valueOf(readInspect([LOG], ANY))
  t.same(log.harnesses, [{ name: 'acme/m-1', model: { provider: 'acme', model: 'm-1' } }])
  t.same(log.questions, ['add', '2', 'sub', 'div'])
  t.equal(log.repeats, 2)
  t.same(log.judge, { provider: 'inspect', model: 'match' })
  t.same(log.notes, [])
  t.same(
    log.rows.map(({ question, repeat, score, error }) => [question, repeat, score, error]),
    [
      ['add', 1, 1, null],
      ['2', 1, 0, null],
      ['sub', 1, 0.5, null],
      ['div', 1, null, 'sandbox died'],
      ['add', 2, 1, null],
      ['2', 2, 0, null],
      ['sub', 2, null, null],
    ],
    'C, I, P, N and a NaN; an error',
  )
})

t.test('numbers and verdicts are scores, other texts are none', async (t) => {
  const scores = [0.25, true, false, '0.5', 'yes', [1]].map((value) => {
    const log = valueOf(read((root) => (at(root, 'samples', 0, 'scores', 'match')['value'] = value)))
    return log.rows[0]!.score
  })
  t.same(scores, [0.25, 1, 0, null, null, null])
})

t.test('an invalidated sample is no result', async (t) => {
  const log = valueOf(read((root) => (at(root, 'samples', 0)['invalidation'] = { author: 'x' })))
  t.equal(log.rows[0]!.error, 'invalidated')
})

t.test('one of several scores is chosen', async (t) => {
  const two: Edit = (root) => {
    at(root, 'samples', 0, 'scores')['rubric'] = { value: { style: 0.5, facts: 0.75 } }
  }
  t.match(refusals(two), [/^metric is needed.*"match", "rubric\/style", "rubric\/facts"$/])
  const facts = valueOf(read(two, { ...ANY, metric: 'rubric/facts' }))
  t.same(
    facts.rows.slice(0, 2).map(({ score }) => score),
    [0.75, null],
  )
  t.equal(valueOf(read(two, { ...ANY, metric: 'match' })).rows[0]!.score, 1)
  t.match(refusals(two, { ...ANY, metric: 'rubric' }), [/^metric "rubric" is none of/])
})

t.test('the plan is what was to be run, within its limits', async (t) => {
  const questions = (config: Record<string, unknown>) =>
    valueOf(read((root) => Object.assign(at(root, 'eval', 'config'), config))).questions
  t.same(questions({ limit: 2 }), ['add', '2'])
  t.same(questions({ limit: [1, 3] }), ['2', 'sub'])
  t.same(questions({ limit: [10, 14] }), ['add', '2', 'sub', 'div'], 'cut already')
  t.same(questions({ sample_id: ['sub', 2] }), ['2', 'sub'])
  t.same(questions({ sample_id: 'add' }), ['add'])
  t.same(questions({ sample_id: 's*' }), ['add', '2', 'sub', 'div'], 'a pattern')
})

t.test('the judge is the model that graded, where there is one', async (t) => {
  const judge = (edit: Edit) => valueOf(read(edit)).judge
  const renamed: Edit = (root) => {
    for (const sample of at(root, 'samples') as unknown as Array<{ scores: Record<string, unknown> }>)
      if (sample.scores['match']) sample.scores = { model_graded_qa: sample.scores['match'] }
    at(root, 'eval')['scorers'] = [{ name: 'model_graded_qa', options: {} }]
  }
  t.same(
    judge((root) => (at(root, 'eval')['model_roles'] = { grader: { model: 'other/j-1' } })),
    { provider: 'other', model: 'j-1' },
  )
  t.same(
    judge((root) => {
      renamed(root)
      at(root, 'eval', 'scorers', 0)['options'] = { model: 'other/j-2' }
    }),
    { provider: 'other', model: 'j-2' },
  )
  t.same(judge(renamed), { provider: null, model: null }, 'a default model is not recorded')
  t.match(valueOf(read(renamed)).notes, [/does not name the model that graded/])
})

t.test('an eval that did not end well is noted', async (t) => {
  t.match(valueOf(read((root) => (root['status'] = 'error'))).notes, [/status is "error"/])
})

t.test('refusals say what is missing', async (t) => {
  t.match(
    refusals((root) => delete root['samples']),
    [/^samples is missing; log with samples/],
  )
  t.match(
    refusals((root) => delete at(root, 'eval', 'dataset')['sample_ids']),
    [/^eval\/dataset\/sample_ids is missing/],
  )
  t.match(
    refusals((root) => delete at(root, 'eval')['model']),
    [/^eval\/model is missing/],
  )
  t.match(
    refusals((root) => (at(root, 'eval', 'config')['epochs'] = 0)),
    [/^eval\/config\/epochs/],
  )
  t.match(
    refusals((root) => delete at(root, 'samples', 3)['id']),
    [/^samples\/3\/id is missing/],
  )
  t.match(
    refusals((root) => (at(root, 'eval', 'dataset')['sample_ids'] = ['2', 2])),
    [/holds an id twice/],
  )
  const text = (content: string) => faultsOf(readInspect([{ name: 'x', text: content }], ANY))[0]!.message
  t.match(text('PK\u0003\u0004'), /is an \.eval archive/)
  t.match(text('{'), /is no JSON/)
  t.match(faultsOf(readInspect([], ANY))[0]!.message, /one file/)
  t.match(faultsOf(readInspect([LOG, LOG], ANY))[0]!.message, /one file/)
})
