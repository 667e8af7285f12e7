import { isObject } from '../../gate/is-object.js'
import { readPythonJson, shownValue } from '../../convert/python-json.js'
import { memberOf, named, textOf, type Faults, type LogFile, type ScoreChoice } from './eval-log.js'

/** One line of a samples file: one document under one filter. */
export interface Sample {
  readonly doc: number
  readonly filter: string | null
  readonly metrics: readonly string[]
  readonly values: Readonly<Record<string, unknown>>
}

/** Lines of a `samples_TASK_*.jsonl`. */
export function readSamples({ name, text }: LogFile, faults: Faults): Sample[] {
  const samples: Sample[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const where = `${name}:${index + 1}`
    const json = readPythonJson(line)
    if (!json.ok) {
      for (const { message } of json.faults) faults.add(where, message)
      continue
    }
    const { value } = json
    const doc = memberOf(value, 'doc_id')
    const metrics = memberOf(value, 'metrics')
    if (!isObject(value) || typeof doc !== 'number' || !Number.isSafeInteger(doc) || doc < 0)
      faults.add(where, `has the doc_id ${shownValue(doc)}, no whole number from 0`)
    else if (!Array.isArray(metrics) || !metrics.every((metric) => typeof metric === 'string'))
      faults.add(where, 'lists no metrics; write it with a present lm-evaluation-harness')
    else samples.push({ doc, filter: textOf(value['filter']), metrics: metrics, values: value })
  }
  if (samples.length === 0) faults.add(name, 'holds no sample')
  return samples
}

/**
 * The metric and filter of a task's scores: as chosen, or the only ones.
 * @returns null where there is none, which is a fault
 */
export function chooseScore(
  samples: readonly Sample[],
  choice: ScoreChoice,
  where: string,
  faults: Faults,
): { readonly metric: string; readonly filter: string | null } | null {
  if (samples.length === 0) return null
  const filters = new Set(samples.map(({ filter }) => filter))
  const filter = choice.filter ?? [...filters][0]!
  const heldFilters = named([...filters].map((one) => one ?? 'none'))
  if (choice.filter === null && filters.size > 1) {
    faults.add(where, `holds several filters, choose one (filter): ${heldFilters}`)
    return null
  }
  if (!filters.has(filter)) {
    faults.add(where, `has not the filter ${JSON.stringify(filter)}; it holds ${heldFilters}`)
    return null
  }
  const metrics = new Set(samples.filter((one) => one.filter === filter).flatMap((one) => one.metrics))
  const metric = choice.metric ?? [...metrics][0]
  if (choice.metric === null && metrics.size > 1) {
    faults.add(where, `holds several metrics, choose one (metric): ${named(metrics)}`)
    return null
  }
  if (metric === undefined || !metrics.has(metric)) {
    const what = metric === undefined ? 'a metric' : `the metric ${JSON.stringify(metric)}`
    faults.add(where, `has not ${what}; it holds ${named(metrics) || 'none'}`)
    return null
  }
  return { metric, filter }
}
