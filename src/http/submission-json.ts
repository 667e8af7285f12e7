import { isObject } from '../gate/is-object.js'
import type { Fault } from '../gate/outcome.js'
import { nestedMember, type JsonBody } from './json-body.js'
import type { RawSubmission } from './submission-form.js'
import { unknownName } from './validation-faults.js'

/** Members that are read elsewhere: in bulk, or literal by literal. */
const BULKY = ['declarations', 'test_source', 'record']

const KNOWN = ['series', 'provenance', 'cadence', 'schedule', 'labels', ...BULKY]
const MAX_NAMED = 100

/** Takes the bulky members out of a JSON body, for the fields to be judged as those of a form are. */
export function readJsonSubmission(
  { value, members }: JsonBody,
  known: readonly string[] = KNOWN,
): RawSubmission {
  const faults: Fault[] = []
  const body = isObject(value) ? withoutNulls(value) : {}
  if (!isObject(value)) faults.push({ where: 'body', message: 'must be a JSON object' })
  for (const name of Object.keys(body)
    .filter((name) => !known.includes(name))
    .slice(0, MAX_NAMED)) {
    faults.push({ where: name.slice(0, 200), message: unknownName(name, known) })
  }
  const { record, test_source: source } = body
  if (record !== undefined && !Array.isArray(record)) {
    faults.push({ where: 'record', message: 'must be a list of {"metric", "series"} objects' })
  }
  if (source !== undefined && typeof source !== 'string') {
    faults.push({ where: 'test_source', message: 'must be a string: the text of the test file' })
  } else if (source !== undefined && /\p{Cs}/u.test(source)) {
    faults.push({ where: 'test_source', message: 'holds half of a surrogate pair, which is no character' })
  }
  const declarations = body['declarations'] === undefined ? undefined : members.get('declarations')
  const fields = Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => known.includes(name) && !BULKY.includes(name))
      .map(([name, member]) => [name, isObject(member) ? withoutNulls(member) : member]),
  )
  const digits = nestedMember(members, 'provenance', 'github_run_id')
  return {
    fields,
    githubRunId: digits === 'null' ? undefined : digits,
    python: typeof source === 'string' ? Buffer.from(source, 'utf8') : undefined,
    declarations: declarations === undefined ? undefined : Buffer.from(declarations, 'utf8'),
    record: Array.isArray(record) ? (record as readonly unknown[]) : undefined,
    faults,
    whereOf: (pointer) => pointer,
  }
}

/** Null means absent in a request. */
function withoutNulls(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, member]) => member !== null))
}
