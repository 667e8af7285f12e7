import { isObject } from '../gate/is-object.js'
import { accepted, refused, type Fault } from '../gate/outcome.js'
import { shown } from '../gate/text.js'
import { MAX_FAULTS, type Converter } from './options.js'
import { measuredNumberOf, readPythonJson, shownValue } from './python-json.js'
import { RecordText } from './record-text.js'

/** Places within the training, not metrics of it. */
const PLACES: ReadonlySet<string> = new Set(['step', 'epoch'])

/**
 * The `log_history` of a Hugging Face `trainer_state.json`, as a record.
 *
 * Metrics are named as the Trainer's own reporters name them: `eval_loss` is `eval/loss`, `test_loss` is `test/loss`,
 * and everything else stands under `train/`.
 */
export const convertHfTrainer: Converter = (text, { prefix }) => {
  const json = readPythonJson(text)
  if (!json.ok) return json
  const history = isObject(json.value) ? json.value['log_history'] : undefined
  if (!Array.isArray(history)) {
    return refused({
      where: 'log_history',
      message: 'is missing; the Trainer writes trainer_state.json into each checkpoint-N folder',
    })
  }
  if (history.length === 0)
    return refused({
      where: 'log_history',
      message: 'is empty: nothing was logged (logging_strategy="no", or stopped before logging_steps)',
    })
  const record = new RecordText()
  const faults: Fault[] = []
  const leftOut = new Map<string, number>()
  const fault = (where: string, message: string) =>
    void (faults.length < MAX_FAULTS && faults.push({ where, message }))
  for (const [index, entry] of (history as unknown[]).entries()) {
    const where = `log_history/${index}`
    if (!isObject(entry)) {
      fault(where, `is ${shownValue(entry)}, not an object of metrics`)
      continue
    }
    const step = readStep(entry['step'])
    if (step === undefined) {
      fault(`${where}/step`, `is ${shownValue(entry['step'])}, no whole number from 0`)
      continue
    }
    for (const [key, member] of Object.entries(entry)) {
      if (PLACES.has(key)) continue
      const value = measuredNumberOf(member)
      if (value === null) {
        leftOut.set(key, (leftOut.get(key) ?? 0) + 1)
        continue
      }
      const keyFault = record.add(prefix + reportedName(key), step, value)
      if (keyFault !== null) fault(where, keyFault)
    }
  }
  if (faults.length > 0) return { ok: false, faults }
  if (record.metrics === 0)
    return refused({ where: 'log_history', message: 'holds no number beside step and epoch' })
  return accepted({
    text: record.toString(),
    notes: [
      ...[...leftOut].map(
        ([key, times]) =>
          `left out: ${shown(key)} is no number in ${times} ${times === 1 ? 'entry' : 'entries'}`,
      ),
      ...record
        .repeatedSteps()
        .map((metric) => `${metric} holds a step more than once (a resumed run?); steps="all" refuses that`),
    ],
  })
}

/** Null where an entry has none; undefined where it is no step. */
function readStep(step: unknown): number | null | undefined {
  if (step === undefined || step === null) return null
  return typeof step === 'number' && Number.isSafeInteger(step) && step >= 0 ? step : undefined
}

function reportedName(key: string): string {
  for (const split of ['eval', 'test']) {
    if (key.startsWith(`${split}_`)) return `${split}/${key.slice(split.length + 1)}`
  }
  return `train/${key}`
}
