import type { FastifyRequest } from 'fastify'
import { GatehouseError, invalidInput } from '../errors.js'
import { MAX_SERIES_BYTES } from '../gate/identity.js'
import type { Fault } from '../gate/outcome.js'
import type { Provenance } from '../gate/run.js'
import type { DeclarationSource, RecordSource, Submission } from '../operations/submission.js'
import { type Job, resolveProvenance } from '../policy/provenance.js'
import { FormBody } from './plugins/bodies.js'
import { TEXT_FORMATS } from './schemas/formats.js'
import { type SubmissionFields, SubmissionFieldsSchema } from './schemas/submission.js'
import { type RawSubmission, readForm } from './submission-form.js'
import { readJsonSubmission } from './submission-json.js'
import { validationFaults } from './validation-faults.js'

export const MAX_TEST_FILE = 256 * 1_024
/** As Linux takes it. */
const MAX_PATH = 4_096

/**
 * Reads a submission from either form of body.
 * @throws GatehouseError 422 that names every fault of its fields, 413 for a test file beyond its limit
 */
export function readSubmission(request: FastifyRequest): Submission {
  const raw = rawSubmission(request)
  const valid = request.compileValidationSchema(SubmissionFieldsSchema)
  const faults = [...raw.faults]
  const { job } = request.principal
  // A job's own token says where its run comes from.
  const given = job === null ? raw.fields : { provenance: {}, ...raw.fields }
  if (!valid(given)) faults.push(...validationFaults(valid.errors ?? [], raw.whereOf))
  const fields = given as unknown as SubmissionFields
  faults.push(...exactIdFaults(raw, faults), ...seriesFaults(fields, raw))
  const declarations = readSource(raw, request.body instanceof FormBody, faults)
  const provenance = faults.length > 0 ? null : readProvenance(fields, raw, job, faults)
  if (faults.length > 0 || declarations === null || provenance === null) throw invalidInput(faults)

  const { series } = fields
  return {
    series: { testPath: series.test_path, backend: series.backend, suite: series.suite },
    provenance,
    job,
    cadence: fields.cadence ?? null,
    schedule: fields.schedule ?? null,
    labels: fields.labels ?? [],
    declarations,
    record: recordSource(raw, request.body instanceof FormBody),
  }
}

const PROVENANCE_FIELDS = {
  commitSha: 'commit_sha',
  prNumber: 'pr_number',
  githubRunId: 'github_run_id',
  githubRunAttempt: 'github_run_attempt',
  eventName: 'event_name',
  ref: 'ref',
} as const satisfies Record<keyof Provenance, string>

function readProvenance(
  { provenance }: SubmissionFields,
  raw: RawSubmission,
  job: Job | null,
  faults: Fault[],
): Provenance | null {
  const given = {
    commitSha: provenance.commit_sha ?? null,
    prNumber: provenance.pr_number ?? null,
    githubRunId: raw.githubRunId === undefined ? null : BigInt(raw.githubRunId),
    githubRunAttempt: provenance.github_run_attempt ?? null,
    eventName: provenance.event_name ?? null,
    ref: provenance.ref ?? null,
  }
  const resolved = resolveProvenance(given, job)
  if (resolved.ok) return resolved.provenance
  for (const { where, message } of resolved.faults) {
    faults.push({ where: raw.whereOf(`provenance/${PROVENANCE_FIELDS[where]}`), message })
  }
  return null
}

/**
 * Reads a body that holds declarations alone.
 * @throws GatehouseError as `readSubmission`
 */
export function readDeclarationSource(request: FastifyRequest): DeclarationSource {
  const form = request.body instanceof FormBody
  const raw = rawSubmission(request, [form ? 'test_file' : 'test_source', 'declarations'])
  const faults = [...raw.faults]
  const source = readSource(raw, form, faults)
  if (faults.length > 0 || source === null) throw invalidInput(faults)
  return source
}

/** @param known the names that are taken; all of a submission's, where not given */
function rawSubmission({ body, jsonMembers }: FastifyRequest, known?: readonly string[]): RawSubmission {
  if (body instanceof FormBody) return readForm(body.parts, known)
  if (body !== undefined) return readJsonSubmission({ value: body, members: jsonMembers }, known)
  throw new GatehouseError(
    'unsupported_media_type',
    'a body is wanted: multipart/form-data (curl -F), or application/json',
  )
}

/** Exactly one of the two; what both forms call the Python source differs. */
function readSource(raw: RawSubmission, form: boolean, faults: Fault[]): DeclarationSource | null {
  const pythonName = form ? 'test_file' : 'test_source'
  if (raw.python !== undefined && raw.python.length > MAX_TEST_FILE) {
    const message = `is ${raw.python.length} bytes long; at most ${MAX_TEST_FILE} (256 KiB) are taken`
    throw new GatehouseError('too_large', `${pythonName} ${message}`, [{ where: pythonName, message }])
  }
  if (raw.python !== undefined && isPath(raw.python)) {
    const slip = form ? `; with curl, a file is sent with @ (${pythonName}=@FILE)` : ''
    faults.push({ where: pythonName, message: `is the path of a file in place of its text${slip}` })
  }
  if (raw.python !== undefined && raw.declarations !== undefined) {
    faults.push({
      where: 'declarations',
      message: `stands beside ${pythonName}; send exactly one of the two`,
    })
  } else if (raw.python !== undefined) return { kind: 'python', bytes: raw.python }
  else if (raw.declarations !== undefined) return { kind: 'json', bytes: raw.declarations }
  else if (!faults.some((fault) => fault.where === pythonName)) {
    faults.push({
      where: pythonName,
      message: `is missing; send ${pythonName} or declarations ([] for a test without gates)`,
    })
  }
  return null
}

/** Python would take it for a division; a test without gates it is not. */
function isPath(bytes: Uint8Array): boolean {
  return bytes.length <= MAX_PATH && /^\s*[^\s"'#()=]+\.py\s*$/.test(Buffer.from(bytes).toString('utf8'))
}

function recordSource(raw: RawSubmission, form: boolean): RecordSource | null {
  if (raw.record === undefined) return null
  return form
    ? { kind: 'parts', parts: raw.record as readonly Uint8Array[] }
    : { kind: 'array', items: raw.record as readonly unknown[] }
}

/** A double has told that the id is an integer; only its digits tell which. */
function exactIdFaults(raw: RawSubmission, earlier: readonly Fault[]): Fault[] {
  const where = raw.whereOf('provenance/github_run_id')
  if (raw.githubRunId === undefined || earlier.some((fault) => fault.where === where)) return []
  const message = TEXT_FORMATS.int64(raw.githubRunId)
  return message === null ? [] : [{ where, message }]
}

function seriesFaults(fields: SubmissionFields, raw: RawSubmission): Fault[] {
  // Runs before the fields are known to be valid: another shape has its own fault already.
  const series: unknown = fields.series
  if (typeof series !== 'object' || series === null) return []
  const bytes = Object.values(series).reduce<number>(
    (sum, text) => sum + (typeof text === 'string' ? Buffer.byteLength(text) : 0),
    0,
  )
  if (bytes <= MAX_SERIES_BYTES) return []
  const message = `test_path, backend and suite are ${bytes} bytes of UTF-8 together; at most ${MAX_SERIES_BYTES} are taken`
  return [{ where: raw.whereOf('series/test_path'), message }]
}
