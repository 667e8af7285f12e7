import t from 'tap'
import type { Judge, Model } from '../../src/evals/eval-run.js'
import { compareJudges, compareModels } from '../../src/evals/identity.js'

const model = (provider: string | null, name: string | null): Model => ({ provider, model: name })
const single = (provider: string | null, name: string | null): Judge => ({
  kind: 'single',
  ...model(provider, name),
})
const panel = (...members: string[]): Judge => ({ kind: 'panel', members })

t.test('models are compared trimmed and case folded', async (t) => {
  const acme = model('acme', 'm-1')
  t.equal(compareModels(acme, model(' Acme\t', 'M-1 ')), 'same')
  t.equal(compareModels(acme, model('acme', 'm-2')), 'different')
  t.equal(compareModels(acme, model('other', 'm-1')), 'different')
  t.equal(compareModels(model('straße', 'm'), model('STRASSE', 'm')), 'same')
  t.equal(compareModels(model('a', 'b/c'), model('a/b', 'c')), 'different', 'parts are kept apart')
})

t.test('blank and unknown names are not recorded, on one side or both', async (t) => {
  const acme = model('acme', 'm-1')
  for (const unnamed of [
    model('', 'm-1'),
    model('acme', ''),
    model('acme', ' \n'),
    model(null, 'm-1'),
    model('acme', null),
    model('acme', 'unknown'),
    model('acme', ' Unknown '),
    model('UNKNOWN', 'm-1'),
  ]) {
    t.equal(compareModels(acme, unnamed), 'not_recorded', JSON.stringify(unnamed))
    t.equal(compareModels(unnamed, acme), 'not_recorded')
    t.equal(compareModels(unnamed, unnamed), 'not_recorded')
    t.equal(compareJudges(single('acme', 'j'), { kind: 'single', ...unnamed }), 'not_recorded')
  }
  t.equal(compareModels(acme, model('acme', 'unknown-7b')), 'different')
})

t.test('a panel is a set of members with their providers', async (t) => {
  const two = panel('acme/j-1', 'other/j-2')
  t.equal(compareJudges(two, panel('other/j-2', 'acme/j-1')), 'same')
  t.equal(compareJudges(two, panel(' ACME / j-1', 'Other/J-2', 'acme/j-1')), 'same')
  t.equal(compareJudges(two, panel('acme/j-1')), 'different')
  t.equal(compareJudges(two, panel('acme/j-1', 'other/j-3')), 'different')
  t.equal(compareJudges(panel('acme/org/j-1'), panel('acme/org/j-1')), 'same')
  for (const member of ['j-2', '', ' ', 'unknown', 'Unknown/j', 'acme/UNKNOWN', '/j-2', 'acme/'])
    t.equal(compareJudges(two, panel('acme/j-1', member)), 'not_recorded', member)
  t.equal(compareJudges(panel(), panel()), 'not_recorded')
})

t.test('a single judge is no panel of one', async (t) => {
  t.equal(compareJudges(single('acme', 'j-1'), panel('acme/j-1')), 'different')
})
