import t from 'tap'
import type { LogFile } from '../../../src/evals/import/eval-log.js'
import { readLmEval } from '../../../src/evals/import/lm-eval.js'
import { faultsOf, valueOf } from '../support.js'
import { ANY, at, edited, fixture } from './support.js'

const TIME = '2026-11-30T18-00-00.123456'
const RESULTS = fixture(`results_${TIME}.json`)
const GSM = fixture(`samples_gsm_${TIME}.jsonl`)
const YESNO = fixture(`samples_yesno_${TIME}.jsonl`)

/** The results of one task alone. */
const only = (task: string, effective: number) =>
  edited(RESULTS, (root) => (root['n-samples'] = { [task]: { original: 100, effective } }))
const refusals = (files: LogFile[], choice = ANY) =>
  faultsOf(readLmEval(files, choice)).map(({ where, message }) => `${where} ${message}`)
const linesOf = (file: LogFile, edit: (lines: string[]) => string[]): LogFile => ({
  ...file,
  text: edit(file.text.split('\n').filter((line) => line !== '')).join('\n'),
})

t.test('documents as questions, with the chosen filter', async (t) => {
  const log = valueOf(readLmEval([only('gsm', 2), GSM], { metric: null, filter: 'strict' }))
  t.same(log.harnesses, [{ name: 'acme/m-1', model: { provider: 'hf', model: 'acme/m-1' } }])
  t.same(log.questions, ['gsm/0', 'gsm/1'])
  t.same(
    log.rows.map(({ question, repeat, score }) => [question, repeat, score]),
    [
      ['gsm/0', 1, 1],
      ['gsm/1', 1, 0],
    ],
  )
  t.same(log.judge, { provider: 'lm-evaluation-harness', model: 'exact_match,strict' })
  t.same(log.repeats, 1)
})

t.test('a document that was planned and not answered is in the plan', async (t) => {
  const log = valueOf(readLmEval([YESNO, only('yesno', 3)], ANY))
  t.same(log.questions, ['yesno/0', 'yesno/1', 'yesno/2'])
  t.same(
    log.rows.map(({ question, score }) => [question, score]),
    [
      ['yesno/0', 1],
      ['yesno/1', null],
    ],
    'true is 1, a NaN is none',
  )
})

t.test('several tasks stand side by side', async (t) => {
  const strict = linesOf(GSM, (lines) => lines.filter((line) => line.includes('"strict"')))
  const log = valueOf(readLmEval([YESNO, RESULTS, strict], ANY))
  t.same(log.questions, ['gsm/0', 'gsm/1', 'yesno/0', 'yesno/1', 'yesno/2'])
  t.equal(log.judge.model, 'acc,none exact_match,strict')
})

t.test('documents that were picked are planned where none is missing', async (t) => {
  const picked = linesOf(YESNO, (lines) =>
    lines.map((line) => line.replace('"doc_id":0', '"doc_id":7').replace('"doc_id":1', '"doc_id":4')),
  )
  t.same(valueOf(readLmEval([only('yesno', 2), picked], ANY)).questions, ['yesno/4', 'yesno/7'])
  t.match(refusals([only('yesno', 3), picked]), [/which ones are missing cannot be told/])
})

t.test('one of several filters and metrics is chosen', async (t) => {
  t.match(refusals([only('gsm', 2), GSM]), [
    /holds several filters, choose one \(filter\): "strict", "flexible"/,
  ])
  t.match(refusals([only('gsm', 2), GSM], { ...ANY, filter: 'x' }), [/has not the filter "x"/])
  const two = linesOf(YESNO, (lines) =>
    lines.map((line) =>
      line.replace('["acc"]', '["acc","acc_norm"]').replace('"acc":', '"acc_norm":0.5,"acc":'),
    ),
  )
  t.match(refusals([only('yesno', 3), two]), [
    /holds several metrics, choose one \(metric\): "acc", "acc_norm"/,
  ])
  t.match(refusals([only('yesno', 3), two], { ...ANY, metric: 'f1' }), [/has not the metric "f1"/])
  t.equal(valueOf(readLmEval([only('yesno', 3), two], { ...ANY, metric: 'acc_norm' })).rows[0]!.score, 0.5)
})

t.test('refusals say what is missing', async (t) => {
  t.match(refusals([RESULTS, YESNO]), [/^samples_gsm_\*\.jsonl is missing; run with --log_samples/])
  t.match(refusals([YESNO, GSM]), [/one results_\*\.json is needed/])
  t.match(refusals([RESULTS, RESULTS]), [/one results_\*\.json is needed/])
  t.match(refusals([edited(RESULTS, (root) => delete root['n-samples']), YESNO]), [/^n-samples is missing/])
  t.match(refusals([only('yesno', 3), YESNO, GSM]), [/samples_gsm.* is of no task of the results/])
  t.match(refusals([only('yesno', 3), YESNO, YESNO]), [/holds samples of "yesno" a second time/])
  t.match(refusals([only('yesno', 0), YESNO]), [/^n-samples\/yesno\/effective is 0/])
  t.match(refusals([only('yesno', 3), { ...YESNO, text: '' }]), [/holds no sample/])
  t.match(
    refusals([only('yesno', 3), { ...YESNO, text: '{"doc_id": "x"}' }])[0],
    /jsonl:1 has the doc_id "x"/,
  )
  t.match(refusals([only('yesno', 3), { ...YESNO, text: '{"doc_id": 1}' }])[0], /jsonl:1 lists no metrics/)
  t.match(refusals([only('yesno', 3), { ...YESNO, text: `${YESNO.text}{"doc_id"` }])[0], /jsonl:3 is no JSON/)
  const unnamed = edited(only('yesno', 3), (root) => {
    delete root['model_name']
    delete at(root, 'config')['model']
  })
  t.match(refusals([unnamed, YESNO]), [/^model_name is missing/])
})
