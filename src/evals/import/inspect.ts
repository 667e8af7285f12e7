import { isObject } from '../../gate/is-object.js'
import { readPythonJson, shownValue } from '../../convert/python-json.js'
import { accepted, refused } from '../../gate/outcome.js'
import type { Model } from '../eval-run.js'
import { Faults, memberOf, modelOf, named, scoreOf, textOf, type LogReader, type LogRow } from './eval-log.js'

/** Letters that Inspect's scorers write, as its own metrics count them: correct, incorrect, partial, no answer. */
const LETTERS: ReadonlyMap<unknown, number> = new Map([
  ['C', 1],
  ['I', 0],
  ['P', 0.5],
  ['N', 0],
])

/**
 * A `.json` log of Inspect. A sample is a question, the evaluated model is what was run against, an epoch is a repeat.
 * The choice names a scorer, or `scorer/key` of one that gives several values.
 */
export const readInspect: LogReader = (files, { metric }) => {
  const [file] = files
  if (file === undefined || files.length > 1)
    return refused({ where: '', message: 'an Inspect log is one file; give one at a time' })
  if (file.text.startsWith('PK'))
    return refused({ where: '', message: 'is an .eval archive; make a .json of it with inspect log convert' })
  const json = readPythonJson(file.text)
  if (!json.ok) return json
  const faults = new Faults()
  const spec = memberOf(json.value, 'eval')
  const model = textOf(memberOf(spec, 'model'))
  if (model === null) faults.add('eval/model', 'is missing; the file is no log of Inspect')
  const samples = memberOf(json.value, 'samples')
  if (!Array.isArray(samples))
    faults.add('samples', 'is missing; log with samples (log_samples), not the header alone')
  const questions = plannedIds(spec, faults)
  const repeats = memberOf(spec, 'config', 'epochs') ?? 1
  if (!Number.isSafeInteger(repeats) || (repeats as number) < 1)
    faults.add('eval/config/epochs', `is ${shownValue(repeats)}, no whole number from 1`)
  const scorer = Array.isArray(samples) ? chooseScorer(samples, metric, faults) : null
  if (faults.list.length > 0 || model === null || !Array.isArray(samples) || questions === null)
    return { ok: false, faults: faults.list }
  const rows: LogRow[] = []
  for (const [index, sample] of (samples as unknown[]).entries()) {
    const id = idOf(memberOf(sample, 'id'))
    const epoch = memberOf(sample, 'epoch') ?? 1
    if (id === null) faults.add(`samples/${index}/id`, 'is missing')
    else if (typeof epoch !== 'number')
      faults.add(`samples/${index}/epoch`, `is ${shownValue(epoch)}, no number`)
    else
      rows.push({
        question: id,
        harness: model,
        repeat: epoch,
        score: scorer === null ? null : sampleScore(sample, scorer),
        error: errorOf(sample),
      })
  }
  if (faults.list.length > 0) return { ok: false, faults: faults.list }
  const judge = judgeOf(spec, scorer?.name ?? null)
  const status = textOf(memberOf(json.value, 'status'))
  return accepted({
    harnesses: [{ name: model, model: modelOf(model, '/') }],
    questions,
    repeats: repeats as number,
    rows,
    judge,
    notes: [
      ...(status === 'success'
        ? []
        : [`the log's status is ${shownValue(status)}: the eval did not end well`]),
      ...(judge.model === null ? ['the log does not name the model that graded'] : []),
    ],
  })
}

/** Ids of the dataset as far as the limits of the run reach. */
function plannedIds(spec: unknown, faults: Faults): string[] | null {
  const where = 'eval/dataset/sample_ids'
  const listed = memberOf(spec, 'dataset', 'sample_ids')
  if (!Array.isArray(listed)) {
    faults.add(where, 'is missing, so nobody can tell which samples were to run; log with a newer Inspect')
    return null
  }
  const ids = listed.map(idOf)
  if (ids.some((id) => id === null)) faults.add(where, 'must hold texts or numbers')
  const all = ids.filter((id) => id !== null)
  if (new Set(all).size < all.length) faults.add(where, 'holds an id twice')
  const limit = memberOf(spec, 'config', 'limit')
  const chosen = memberOf(spec, 'config', 'sample_id')
  if (typeof limit === 'number') return all.slice(0, limit)
  // A range that the list is cut to already is left alone.
  if (Array.isArray(limit) && typeof limit[0] === 'number' && typeof limit[1] === 'number')
    return all.length > limit[1] - limit[0] ? all.slice(limit[0], limit[1]) : all
  if (chosen === undefined || chosen === null) return all
  const wanted = new Set((Array.isArray(chosen) ? (chosen as unknown[]) : [chosen]).map(idOf))
  // A pattern (`astro*`) names no id; the list is what it chose then.
  const found = all.filter((id) => wanted.has(id))
  return found.length === wanted.size ? found : all
}

function idOf(id: unknown): string | null {
  return typeof id === 'number' ? String(id) : textOf(id)
}

interface Scorer {
  readonly name: string
  readonly key: string | null
}

function chooseScorer(samples: readonly unknown[], metric: string | null, faults: Faults): Scorer | null {
  const offered = new Map<string, Scorer>()
  for (const sample of samples) {
    const scores = memberOf(sample, 'scores')
    if (!isObject(scores)) continue
    for (const [name, score] of Object.entries(scores)) {
      const value = memberOf(score, 'value')
      if (isObject(value)) for (const key of Object.keys(value)) offered.set(`${name}/${key}`, { name, key })
      else offered.set(name, { name, key: null })
    }
  }
  if (metric !== null) {
    const chosen = offered.get(metric)
    if (chosen === undefined)
      faults.add('metric', `${JSON.stringify(metric)} is none of ${named(offered.keys())}`)
    return chosen ?? null
  }
  if (offered.size > 1)
    faults.add('metric', `is needed, as the log holds several scores: ${named(offered.keys())}`)
  // Where not one sample was scored every row is unscored, and the grid says so.
  return [...offered.values()][0] ?? null
}

function sampleScore(sample: unknown, { name, key }: Scorer): number | null {
  const value = memberOf(sample, 'scores', name, 'value', ...(key === null ? [] : [key]))
  return LETTERS.get(value) ?? scoreOf(value)
}

function errorOf(sample: unknown): string | null {
  const error = memberOf(sample, 'error')
  if (error !== undefined && error !== null) return textOf(memberOf(error, 'message')) ?? 'error'
  const invalidation = memberOf(sample, 'invalidation')
  return invalidation === undefined || invalidation === null ? null : 'invalidated'
}

/** The model in the grader's role, or the scorer's own; a scorer that asks no model is named as such. */
function judgeOf(spec: unknown, scorer: string | null): Model {
  const role = textOf(memberOf(spec, 'model_roles', 'grader', 'model'))
  if (role !== null) return modelOf(role, '/')
  const scorers = memberOf(spec, 'scorers')
  const used = Array.isArray(scorers)
    ? (scorers as unknown[]).find((one) => memberOf(one, 'name') === scorer)
    : undefined
  const own = textOf(memberOf(used, 'options', 'model'))
  if (own !== null) return modelOf(own, '/')
  if (scorer === null || /model_graded/.test(scorer)) return { provider: null, model: null }
  return { provider: 'inspect', model: scorer }
}
