import type { ValidityRequest } from '../../evals/judge-validity.js'
import type { Sliced } from '../../gate/slices.js'
import type { Compile } from '../schemas/ajv.js'
import { LabelledField, ValidityFieldsSchema } from '../schemas/evals.js'
import { BodyFaults, readFields, readItems } from './read-items.js'

const MIN_AGREEMENT = 0.8
const CONFIDENCE = 0.95

/** Reads labels to check a judge by. @throws GatehouseError 422 that names the faults */
export function* readValidityRequest(body: unknown, compile: Compile): Sliced<ValidityRequest> {
  const faults = new BodyFaults()
  const fields = readFields(compile, ValidityFieldsSchema, body, '', faults)
  faults.refuse()
  const { items, min_agreement: minAgreement, confidence, on_inconclusive: onInconclusive } = fields!
  const labelled = yield* readItems(
    compile,
    LabelledField,
    items,
    'items',
    faults,
    ({ id, label, judged }) => ({ id, label, judged }),
  )
  faults.refuse()
  return {
    items: labelled,
    minAgreement: minAgreement ?? MIN_AGREEMENT,
    confidence: confidence ?? CONFIDENCE,
    onInconclusive: onInconclusive ?? 'pass',
  }
}
