import { readPythonJson, shownValue } from '../../convert/python-json.js'
import { accepted, refused } from '../../gate/outcome.js'
import { keyFault } from '../../gate/text.js'
import {
  Faults,
  MAX_QUESTIONS,
  memberOf,
  modelOf,
  scoreOf,
  textOf,
  type Harness,
  type LogReader,
  type LogRow,
} from './eval-log.js'
import { promptfooJudge } from './promptfoo-judge.js'

/** promptfoo's own code for a test that broke down, apart from one that an assertion refused. */
const BROKE_DOWN = 2

/**
 * A `results.json` of `promptfoo eval --output`. A test is a question; a provider with one of the prompts is what was run
 * against. promptfoo counts a repeat as a test of its own, and so does this. The choice names one of the named scores
 * (an assertion's `metric`); without it the score of the whole test is taken.
 */
export const readPromptfoo: LogReader = (files, { metric }) => {
  const [file] = files
  if (file === undefined || files.length > 1)
    return refused({ where: '', message: 'promptfoo writes one results.json; give one at a time' })
  const json = readPythonJson(file.text)
  if (!json.ok) return json
  const results = memberOf(json.value, 'results', 'results')
  const prompts =
    memberOf(json.value, 'results', 'prompts') ?? memberOf(json.value, 'results', 'table', 'head', 'prompts')
  const faults = new Faults()
  if (!Array.isArray(results))
    faults.add('results/results', 'is missing; write the file with promptfoo eval --output results.json')
  else if (results.length === 0) faults.add('results/results', 'is empty: no test was run')
  if (!Array.isArray(prompts))
    faults.add('results/prompts', 'is missing, so nobody can tell what was to be run')
  if (!Array.isArray(results) || !Array.isArray(prompts) || faults.list.length > 0)
    return { ok: false, faults: faults.list }
  checkStats(memberOf(json.value, 'results', 'stats'), results.length, faults)
  const harnesses = namePrompts(prompts, results, faults)
  const tests = readTests(results, harnesses, metric, faults)
  if (faults.list.length > 0) return { ok: false, faults: faults.list }
  const judge = promptfooJudge(json.value, results)
  const { nameOf, questions, isByPlace } = nameTests(tests)
  return accepted({
    harnesses,
    questions,
    repeats: 1,
    rows: tests.map(({ test, row }) => ({ ...row, question: nameOf(test) })),
    judge,
    notes: [
      ...(isByPlace
        ? [
            'tests are named by their place, as not each has a description of its own that can name it: keep their order between runs',
          ]
        : []),
      ...(judge.model === null ? ['the file does not name the model that graded'] : []),
    ],
  })
}

interface TestRow {
  readonly test: number
  readonly description: string | null
  readonly row: Omit<LogRow, 'question'>
}

/** A file that was cut or filtered holds fewer results than were counted. */
function checkStats(stats: unknown, held: number, faults: Faults): void {
  const counts = ['successes', 'failures', 'errors'].map((name) => memberOf(stats, name) ?? 0)
  if (stats === undefined || !counts.every((count) => typeof count === 'number')) return
  const counted = counts.reduce((sum, count) => sum + count, 0)
  if (counted !== held)
    faults.add(
      'results/results',
      `holds ${held} results, and results/stats counts ${counted}: some are missing`,
    )
}

/** A prompt names its provider by a label where it has one; the id, which names the model, stands in the results. */
function namePrompts(prompts: readonly unknown[], results: readonly unknown[], faults: Faults): Harness[] {
  const providers = prompts.map((prompt, index) => {
    const provider = textOf(memberOf(prompt, 'provider'))
    if (provider === null) faults.add(`results/prompts/${index}/provider`, 'is missing')
    return provider ?? ''
  })
  return prompts.map((prompt, index) => {
    const provider = providers[index]!
    const result = results.find((one) => memberOf(one, 'promptIdx') === index)
    const model = modelOf(textOf(memberOf(result, 'provider', 'id')) ?? provider, ':')
    if (providers.filter((other) => other === provider).length === 1) return { name: provider, model }
    const label = textOf(memberOf(prompt, 'label')) ?? ''
    const sameLabel = prompts.filter(
      (other, place) => providers[place] === provider && (textOf(memberOf(other, 'label')) ?? '') === label,
    )
    // A label is the whole prompt where nobody gave one.
    const isShort = label !== '' && label.length <= 60 && sameLabel.length === 1
    return { name: `${provider} ${isShort ? label : `prompt ${index}`}`, model }
  })
}

function readTests(
  results: readonly unknown[],
  harnesses: readonly Harness[],
  metric: string | null,
  faults: Faults,
): TestRow[] {
  const tests: TestRow[] = []
  for (const [index, result] of results.entries()) {
    const where = `results/results/${index}`
    const test = memberOf(result, 'testIdx')
    const prompt = memberOf(result, 'promptIdx')
    const harness = typeof prompt === 'number' ? harnesses[prompt] : undefined
    if (typeof test !== 'number' || !Number.isInteger(test) || test < 0 || test >= MAX_QUESTIONS)
      faults.add(`${where}/testIdx`, `is ${shownValue(test)}, no whole number from 0 to ${MAX_QUESTIONS - 1}`)
    else if (harness === undefined)
      faults.add(`${where}/promptIdx`, `is ${shownValue(prompt)}, none of the prompts`)
    else {
      const score = metric === null ? memberOf(result, 'score') : memberOf(result, 'namedScores', metric)
      const row = { harness: harness.name, repeat: 1, score: scoreOf(score), error: errorOf(result) }
      tests.push({ test, description: descriptionOf(result), row })
    }
  }
  if (metric !== null && faults.list.length === 0 && tests.every(({ row }) => row.score === null))
    faults.add('metric', `${JSON.stringify(metric)} is no named score of any test`)
  return tests
}

/** null where there is none that can name a test; YAML leaves a line's end behind it. */
function descriptionOf(result: unknown): string | null {
  const description = textOf(memberOf(result, 'testCase', 'description'))?.trim() ?? ''
  return keyFault(description) === null ? description : null
}

/** A failed assertion is a result; an error of the provider or of a grader is none. */
function errorOf(result: unknown): string | null {
  const message = textOf(memberOf(result, 'error'))
  const reason = memberOf(result, 'failureReason')
  const graded = memberOf(result, 'gradingResult') ?? null
  // Older files have no reason; what was not graded broke down.
  const isBroken = reason === undefined ? message !== null && graded === null : reason === BROKE_DOWN
  if (isBroken) return message ?? 'error'
  const parts = memberOf(graded, 'componentResults')
  const all = [graded, ...(Array.isArray(parts) ? (parts as unknown[]) : [])]
  return all.some((part) => memberOf(part, 'metadata', 'graderError') === true) ? 'the grader failed' : null
}

/** By description where every test has one of its own, by place otherwise. */
function nameTests(tests: readonly TestRow[]) {
  const count = tests.reduce((most, { test }) => Math.max(most, test + 1), 0)
  const described = new Map<number, string>()
  for (const { test, description } of tests) if (description !== null) described.set(test, description)
  const isByPlace = new Set(described.values()).size < count
  const nameOf = (test: number) => (isByPlace ? `test-${test}` : described.get(test)!)
  const questions = Array.from({ length: count }, (_, test) => nameOf(test))
  return { nameOf, questions, isByPlace }
}
