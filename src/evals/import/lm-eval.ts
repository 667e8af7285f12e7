import { isObject } from '../../gate/is-object.js'
import { readPythonJson, shownValue } from '../../convert/python-json.js'
import { accepted, refused } from '../../gate/outcome.js'
import {
  Faults,
  MAX_QUESTIONS,
  memberOf,
  named,
  scoreOf,
  textOf,
  type LogFile,
  type LogReader,
  type LogRow,
} from './eval-log.js'
import { chooseScore, readSamples, type Sample } from './lm-eval-samples.js'

const SAMPLES_FILE = /(?:^|[\\/])samples_(.+)_\d{4}-\d{2}-\d{2}T[^\\/]*\.jsonl$/

/**
 * A `results_*.json` of lm-evaluation-harness with the `samples_TASK_*.jsonl` of each of its tasks (`--log_samples`). A
 * document is a question, named `TASK/doc_id`, and the evaluated model is what was run against. The choice names a
 * metric, and a filter where a task has several; both hold for every task.
 */
export const readLmEval: LogReader = (files, choice) => {
  const faults = new Faults()
  const samplesOf = new Map<string, LogFile>()
  const others: LogFile[] = []
  for (const file of files) {
    const task = SAMPLES_FILE.exec(file.name)?.[1]
    if (task === undefined) others.push(file)
    else if (samplesOf.has(task))
      faults.add(file.name, `holds samples of ${JSON.stringify(task)} a second time`)
    else samplesOf.set(task, file)
  }
  const [results] = others
  if (results === undefined || others.length > 1) {
    const message = `one results_*.json is needed beside samples_TASK_TIME.jsonl; these are ${named(others.map(({ name }) => name)) || 'samples alone'}`
    return refused({ where: '', message })
  }
  const json = readPythonJson(results.text)
  if (!json.ok) return json
  const counts = memberOf(json.value, 'n-samples')
  if (!isObject(counts))
    return refused({
      where: 'n-samples',
      message: 'is missing; the file is no results_*.json of a present lm-evaluation-harness',
    })
  const harness =
    textOf(memberOf(json.value, 'model_name')) ?? textOf(memberOf(json.value, 'config', 'model'))
  if (harness === null) faults.add('model_name', 'is missing')
  for (const task of samplesOf.keys())
    if (!Object.hasOwn(counts, task)) faults.add(samplesOf.get(task)!.name, 'is of no task of the results')

  const questions: string[] = []
  const rows: LogRow[] = []
  const judges = new Set<string>()
  for (const [task, count] of Object.entries(counts)) {
    const file = samplesOf.get(task)
    if (file === undefined) {
      faults.add(
        `samples_${task}_*.jsonl`,
        'is missing; run with --log_samples, and give it beside the results',
      )
      continue
    }
    const samples = readSamples(file, faults)
    const score = chooseScore(samples, choice, file.name, faults)
    if (score === null) continue
    judges.add(score.filter === null ? score.metric : `${score.metric},${score.filter}`)
    const taken = samples.filter(({ filter }) => filter === score.filter)
    const planned = plannedDocs(taken, memberOf(count, 'effective'), task, faults)
    questions.push(...planned.map((doc) => `${task}/${doc}`))
    for (const { doc, values } of taken) {
      const question = `${task}/${doc}`
      rows.push({
        question,
        harness: harness ?? '',
        repeat: 1,
        score: scoreOf(values[score.metric]),
        error: null,
      })
    }
  }
  if (faults.list.length > 0 || harness === null) return { ok: false, faults: faults.list }
  const model = { provider: textOf(memberOf(json.value, 'model_source')), model: harness }
  return accepted({
    harnesses: [{ name: harness, model }],
    questions,
    repeats: 1,
    rows,
    judge: { provider: 'lm-evaluation-harness', model: [...judges].sort().join(' ') },
    notes: model.provider === null ? ['the results name no model_source: the model is not recorded'] : [],
  })
}

/** Which documents were to be asked: the first ones, or those that were asked where they are as many as planned. */
function plannedDocs(taken: readonly Sample[], effective: unknown, task: string, faults: Faults): number[] {
  const where = `n-samples/${task}/effective`
  if (
    typeof effective !== 'number' ||
    !Number.isInteger(effective) ||
    effective < 1 ||
    effective > MAX_QUESTIONS
  ) {
    faults.add(where, `is ${shownValue(effective)}, no number of documents from 1 to ${MAX_QUESTIONS}`)
    return []
  }
  const seen = new Set(taken.map(({ doc }) => doc))
  const beyond = [...seen].filter((doc) => doc >= effective)
  if (beyond.length === 0) return Array.from({ length: effective }, (_, doc) => doc)
  if (seen.size === effective) return [...seen].sort((a, b) => a - b)
  faults.add(
    where,
    `is ${effective}, and the samples hold ${seen.size} documents that were picked (--samples): which ones are missing cannot be told`,
  )
  return []
}
