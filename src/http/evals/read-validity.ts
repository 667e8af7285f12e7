import type { FastifyRequest } from 'fastify'
import type { ValidityRequest } from '../../evals/judge-validity.js'
import type { Sliced } from '../../evals/slices.js'
import { LabelledField, ValidityFieldsSchema } from '../schemas/evals.js'
import { BodyFaults, jsonBody, readFields, readItems } from './read-items.js'

const MIN_AGREEMENT = 0.8
const CONFIDENCE = 0.95

/** Reads labels to check a judge by. @throws GatehouseError 422 that names the faults */
export function* readValidityRequest(request: FastifyRequest): Sliced<ValidityRequest> {
  const faults = new BodyFaults()
  const fields = readFields(request, ValidityFieldsSchema, jsonBody(request), '', faults)
  faults.refuse()
  const { items, min_agreement: minAgreement, confidence, on_inconclusive: onInconclusive } = fields!
  const labelled = yield* readItems(
    request,
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
