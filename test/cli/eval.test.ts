import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { GridDocument } from '../../src/documents/evals-grid.js'
import { openClient, post } from '../http/support.js'
import { put } from '../http/evals-support.js'
import { temporaryFolder } from '../support/server.js'
import { gatehouse } from './support.js'

const FOLDER = 'test/fixtures/evals'
const TIME = '2026-11-30T18-00-00.123456'
const INSPECT = `${FOLDER}/inspect.json`
const PROMPTFOO = `${FOLDER}/promptfoo.json`
const YESNO = [`${FOLDER}/results_${TIME}.json`, `${FOLDER}/samples_yesno_${TIME}.jsonl`]

function evalImport(from: string, ...args: string[]) {
  return gatehouse(['eval', 'import', '--from', from, ...args])
}

t.test('what it makes is taken as a grid', async (t) => {
  const { call } = await openClient(t)
  const folder = temporaryFolder(t)
  const results = join(folder, `results_${TIME}.json`)
  const root = JSON.parse(readFileSync(YESNO[0]!, 'utf8')) as Record<string, unknown>
  writeFileSync(results, JSON.stringify({ ...root, 'n-samples': { yesno: { original: 3, effective: 3 } } }))
  const made: Array<[args: string[], name: string, counts: object]> = [
    [['inspect', INSPECT], 'inspect', { planned_cells: 8, missing: 1 }],
    [['lm-eval', '--name', 'yes or no', results, YESNO[1]!], 'yes or no', { planned_cells: 3 }],
    [['promptfoo', PROMPTFOO], 'promptfoo', { planned_cells: 6, errored: 2 }],
  ]
  for (const [[from, ...args], name, counts] of made) {
    const { code, stdout, stderr } = await evalImport(from!, ...args)
    t.equal(code, 0, stderr)
    const response = await call(post(JSON.parse(stdout) as object, '/v1/evals/grids'))
    t.equal(response.statusCode, 201, response.body.slice(0, 300))
    t.match(response.json<GridDocument>(), { name, counts })
  }
})

t.test('what it makes is taken as a run', async (t) => {
  const { call } = await openClient(t)
  const output = join(temporaryFolder(t), 'run.json')
  const sides = ['--harness', 'acme:m-1 with', '--baseline-harness', 'acme:m-1 without']
  const made: Array<[from: string, args: string[]]> = [
    ['inspect', [INSPECT, '--baseline', INSPECT]],
    ['inspect', [INSPECT, '--baseline-score', '0', '--judge', 'acme/j-1']],
    ['promptfoo', [PROMPTFOO, ...sides]],
  ]
  for (const [index, [from, args]] of made.entries()) {
    const { code, stdout, stderr } = await evalImport(from, '--as', 'run', '-o', output, ...args)
    t.same([code, stdout], [0, ''], stderr)
    const response = await call(put(`r${index}`, JSON.parse(readFileSync(output, 'utf8')) as object))
    t.equal(response.statusCode, 201, response.body.slice(0, 300))
  }
  t.match((await call('/v1/evals/runs/r1')).json(), { judge: { provider: 'acme', model: 'j-1' } })
  const questions = (await call('/v1/evals/runs/r2')).json<{ questions: object[] }>().questions
  t.match(questions[0], { question_id: 'greets', context_score: 1, baseline_score: 0.25 })
  t.match(questions[1], { question_id: 'refuses', errored: true })
})

t.test('standard input is a file too', async (t) => {
  const input = readFileSync(INSPECT, 'utf8')
  const { code, stdout } = await gatehouse(['eval', 'import', '--from', 'inspect', '--name', 'x', '-'], {
    input,
  })
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { name: 'x' })
})

t.test('refusals say what is missing, and nothing is printed', async (t) => {
  const cases: ReadonlyArray<readonly [from: string, args: string[], words: RegExp]> = [
    ['inspect', ['nowhere.json'], /there is no file nowhere.json/],
    ['inspect', [PROMPTFOO], /cannot be read as a log of inspect\n {2}eval\/model: is missing/],
    ['promptfoo', [INSPECT], /results\/results: is missing/],
    ['lm-eval', [YESNO[0]!], /samples_gsm_\*\.jsonl: is missing; run with --log_samples/],
    ['lm-eval', [YESNO[1]!], /one results_\*\.json is needed/],
    ['inspect', [INSPECT, '--metric', 'beauty'], /beauty/],
    ['inspect', ['--as', 'run', INSPECT], /baseline: is missing[^]*--baseline-score/],
    [
      'promptfoo',
      ['--as', 'run', '--baseline-score', '0', PROMPTFOO],
      /more than one harness, name one of "acme:m-1 with"/,
    ],
    [
      'inspect',
      ['--as', 'run', '--baseline', INSPECT, '--baseline-score', '0', INSPECT],
      /stands beside another baseline/,
    ],
    ['inspect', ['--as', 'run', '--baseline-score', 'none', INSPECT], /must be a finite number/],
    ['inspect', ['--as', 'run', '--judge', 'j-1', INSPECT], /must be provider\/model/],
    ['inspect', ['--judge', 'acme/j-1', INSPECT], /--judge belongs to --as run/],
    ['inspect', ['--baseline-score', '0', INSPECT], /--baseline-score belongs to --as run/],
    ['inspect', ['--as', 'run', '--name', 'x', INSPECT], /--name belongs to --as grid/],
    ['inspect', ['--filter', 'strict', INSPECT], /--filter belongs to --from lm-eval/],
    ['inspect', [], /missing required argument 'files'/],
  ]
  const ran = await Promise.all(cases.map(([from, args]) => evalImport(from, ...args)))
  for (const [index, [from, args, words]] of cases.entries()) {
    const { code, stdout, stderr } = ran[index]!
    t.equal(code, 2, [from, ...args].join(' '))
    t.equal(stdout, '')
    t.match(stderr, words)
  }
})

t.test("names that would be refused are told by the log's own words", async (t) => {
  const input = readFileSync(INSPECT, 'utf8').replaceAll('"add"', '" add"')
  const { code, stdout, stderr } = await gatehouse(['eval', 'import', '--from', 'inspect', '-'], { input })
  t.same([code, stdout], [2, ''])
  t.match(stderr, /the question " add": has white space at its beginning or end/)
})

t.test('help', async (t) => {
  const { code, stdout } = await gatehouse(['eval', 'import', '--help'])
  t.equal(code, 0)
  t.match(stdout, /--from <tool> [^]*"inspect",\s+"lm-eval",\s+"promptfoo"/)
  t.match(stdout, /\nExamples:\n {2}gatehouse eval import --from inspect/)
})
