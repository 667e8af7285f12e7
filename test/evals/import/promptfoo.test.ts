import t from 'tap'
import { readPromptfoo } from '../../../src/evals/import/promptfoo.js'
import { faultsOf, valueOf } from '../support.js'
import { ANY, at, edited, fixture } from './support.js'

const LOG = fixture('promptfoo.json')
type Edit = Parameters<typeof edited>[1]

const read = (edit: Edit = () => undefined, choice = ANY) => readPromptfoo([edited(LOG, edit)], choice)
const refusals = (edit: Edit, choice = ANY) =>
  faultsOf(read(edit, choice)).map(({ where, message }) => `${where} ${message}`)
const result = (root: unknown, index: number) => at(root, 'results', 'results', index)

t.test('tests as questions, providers with their prompts as harnesses', async (t) => {
  const log = valueOf(read())
  t.same(log.harnesses, [
    { name: 'acme:m-1 with', model: { provider: 'acme', model: 'm-1' } },
    { name: 'acme:m-1 without', model: { provider: 'acme', model: 'm-1' } },
    { name: 'acme:m-2', model: { provider: 'acme', model: 'm-2' } },
  ])
  t.same(log.questions, ['greets', 'refuses'])
  t.same(
    log.rows.map(({ question, harness, score, error }) => [question, harness, score, error]),
    [
      ['greets', 'acme:m-1 with', 1, null],
      ['greets', 'acme:m-1 without', 0.25, null],
      ['greets', 'acme:m-2', 1, null],
      ['refuses', 'acme:m-1 with', 0.75, null],
      ['refuses', 'acme:m-1 without', 0, 'API error: 503'],
      ['refuses', 'acme:m-2', 1, 'the grader failed'],
    ],
    'a refused assertion is a result; what broke down is none',
  )
  t.same(log.judge, { provider: 'promptfoo', model: 'assertions' })
  t.same(log.notes, [])
})

t.test('a named score instead of the whole', async (t) => {
  t.equal(valueOf(read(undefined, { ...ANY, metric: 'tone' })).rows[0]!.score, 0.5)
  t.match(
    refusals(() => undefined, { ...ANY, metric: 'style' }),
    [/^metric "style" is no named score/],
  )
})

t.test('files without reasons of failure: what was not graded broke down', async (t) => {
  const log = valueOf(read((root) => [1, 4].forEach((index) => delete result(root, index)['failureReason'])))
  t.same([log.rows[1]!.error, log.rows[4]!.error], [null, 'API error: 503'])
})

t.test('tests without descriptions of their own are named by their place, and that is said', async (t) => {
  const described = (index: number, description: string | undefined): Edit => {
    return (root) => (at(result(root, index), 'testCase')['description'] = description)
  }
  const one = valueOf(read(described(3, undefined)))
  t.same(one.questions, ['greets', 'refuses'], 'one row of a test is enough to describe it')
  const twice = valueOf(read((root) => [3, 4, 5].forEach((index) => described(index, 'greets')(root))))
  t.same(twice.questions, ['test-0', 'test-1'])
  t.match(twice.notes, [/named by their place/])
})

t.test('a description names a test as far as it can be a name', async (t) => {
  const all = (edit: (description: string) => string): Edit => {
    return (root) =>
      [0, 1, 2, 3, 4, 5].forEach((index) => {
        const test = at(result(root, index), 'testCase')
        test['description'] = edit(String(test['description']))
      })
  }
  t.same(valueOf(read(all((one) => ` ${one}\n`))).questions, ['greets', 'refuses'])
  for (const unfit of ['x'.repeat(600), '\0', '\ud800']) {
    const log = valueOf(read(all((one) => `${one}${unfit}`)))
    t.same(log.questions, ['test-0', 'test-1'])
    t.match(log.notes, [/that can name it/])
  }
})

t.test('labels of providers name harnesses, ids name models', async (t) => {
  const log = valueOf(read((root) => (at(root, 'results', 'prompts', 2)['provider'] = 'our best model')))
  t.same(log.harnesses[2], { name: 'our best model', model: { provider: 'acme', model: 'm-2' } })
  const long = valueOf(read((root) => (at(root, 'results', 'prompts', 0)['label'] = 'x'.repeat(99))))
  t.equal(long.harnesses[0]!.name, 'acme:m-1 prompt 0')
})

t.test('the prompts of older files stand in their table', async (t) => {
  const log = valueOf(
    read((root) => {
      const results = at(root, 'results')
      results['table'] = { head: { prompts: results['prompts'] } }
      delete results['prompts']
    }),
  )
  t.equal(log.harnesses.length, 3)
})

t.test('the judge is the one model that the assertions ask', async (t) => {
  const graded = (provider: unknown): Edit => {
    return (root) => {
      const rubric = { type: 'llm-rubric', value: 'is polite', ...(provider !== undefined && { provider }) }
      at(result(root, 0), 'testCase')['assert'] = [{ type: 'assert-set', assert: [rubric] }]
    }
  }
  const judge = (edit: Edit) => valueOf(read(edit)).judge
  t.same(judge(graded('other:j-1')), { provider: 'other', model: 'j-1' })
  t.same(judge(graded({ id: 'other:j-1' })), { provider: 'other', model: 'j-1' })
  t.same(judge(graded(undefined)), { provider: null, model: null }, 'a default is not recorded')
  t.match(valueOf(read(graded(undefined))).notes, [/does not name the model that graded/])
  const byDefault: Edit = (root) => {
    graded(undefined)(root)
    at(root, 'config')['defaultTest'] = { options: { provider: 'other:j-2' } }
  }
  t.same(judge(byDefault), { provider: 'other', model: 'j-2' })
  const two: Edit = (root) => {
    graded('other:j-1')(root)
    at(result(root, 1), 'testCase')['assert'] = [{ type: 'not-g-eval', provider: 'other:j-2' }]
  }
  t.same(judge(two), { provider: null, model: null }, 'several are not recorded')
})

t.test('refusals say what is missing', async (t) => {
  t.match(
    refusals((root) => delete at(root, 'results')['results']),
    [/^results\/results is missing/],
  )
  t.match(
    refusals((root) => (at(root, 'results')['results'] = [])),
    [/^results\/results is empty/],
  )
  t.match(
    refusals((root) => delete at(root, 'results')['prompts']),
    [/^results\/prompts is missing/],
  )
  t.match(
    refusals((root) => (at(root, 'results')['results'] = [result(root, 0)])),
    [/^results\/results holds 1 results, and results\/stats counts 6: some are missing/],
  )
  t.match(
    refusals((root) => delete result(root, 2)['testIdx']),
    [/^results\/results\/2\/testIdx/],
  )
  t.match(
    refusals((root) => (result(root, 2)['promptIdx'] = 9)),
    [/^results\/results\/2\/promptIdx is 9/],
  )
  t.match(
    refusals((root) => delete at(root, 'results', 'prompts', 1)['provider']),
    [/^results\/prompts\/1\/provider is missing/],
  )
  t.match(faultsOf(readPromptfoo([{ name: 'x', text: '' }], ANY))[0]!.message, /is empty/)
  t.match(faultsOf(readPromptfoo([LOG, LOG], ANY))[0]!.message, /one results\.json/)
})
