import type { FastifyError } from 'fastify'
import { type Static, Type } from 'typebox'
import { GatehouseError, PROBLEMS, invalidInput, type ProblemCode } from '../errors.js'
import { StoreUnavailable } from '../store/errors.js'
import { validationFaults } from './validation-faults.js'

export const PROBLEM_TYPE = 'application/problem+json'

/** RFC 9457, with every fault named. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ examples: ['urn:gatehouse:problem:invalid_input'] }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String({ description: 'the request id, as in x-request-id' }),
    errors: Type.Array(
      Type.Object(
        {
          where: Type.String({
            description: 'a part, a JSON pointer, ?parameter, record[0]:17, test_file:12',
          }),
          message: Type.String(),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: true },
)
export type Problem = Static<typeof ProblemSchema>

/** The document of a refusal. */
export function problemDocument(
  error: GatehouseError,
  requestId: string,
  status: number = error.status,
): Problem {
  return {
    // Extensions first: none may stand in for a member of the standard.
    ...error.extensions,
    type: `urn:gatehouse:problem:${error.code}`,
    title: PROBLEMS[error.code].title,
    status,
    detail: error.detail,
    instance: requestId,
    errors: error.faults.map(({ where, message }) => ({ where, message })),
  }
}

/** Any thrown value as the refusal that a client is told; what is not foreseen is a 500 without details. */
export function toGatehouseError(thrown: unknown, bodyLimit: number): GatehouseError {
  if (thrown instanceof GatehouseError) return thrown
  if (thrown instanceof StoreUnavailable) {
    return new GatehouseError(
      'unavailable',
      `the store cannot answer now: ${thrown.reason}`,
      [],
      {},
      { cause: thrown },
    )
  }
  const error = thrown as Partial<FastifyError>
  if (error.validation !== undefined) return validationError(error)
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const detail = `the body is larger than ${bodyLimit} bytes; send less, or have MAX_BODY_MIB raised`
    return new GatehouseError(
      'too_large',
      detail,
      [{ where: 'body', message: 'is too large' }],
      {},
      { cause: thrown },
    )
  }
  const known = error.code === undefined ? undefined : FRAMEWORK_ERRORS[error.code]
  if (known !== undefined) return new GatehouseError(known[0], known[1], [], {}, { cause: thrown })
  if (error.code !== undefined && HIDDEN.has(error.statusCode)) {
    return new GatehouseError('not_found', 'nothing is at this address', [], {}, { cause: thrown })
  }
  if (error.statusCode === 400 && error.code !== undefined) {
    // A body that broke off; the client is gone, mostly.
    return new GatehouseError(
      'malformed_body',
      'the body cannot be read to its end',
      [],
      {},
      { cause: thrown },
    )
  }
  return new GatehouseError(
    'internal',
    'the service failed; the request id names the entry in its log',
    [],
    {},
    { cause: thrown },
  )
}

/** How plugins that serve files refuse an address: `..` in it, a hidden file. */
const HIDDEN: ReadonlySet<number | undefined> = new Set([403, 404])

const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  FST_ERR_NOT_FOUND: ['not_found', 'nothing is at this address'],
  FST_ERR_BAD_URL: ['not_found', 'the address holds a malformed %-escape, or bytes that are no UTF-8'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'the address holds an id that is too long to be one'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'the Content-Type cannot be read'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'malformed_body',
    'the body has another length than Content-Length says',
  ],
  FST_ERR_HANDLER_TIMEOUT: ['unavailable', 'the request took too long'],
}

function validationError(error: Partial<FastifyError>): GatehouseError {
  const errors = error.validation ?? []
  switch (error.validationContext) {
    case 'querystring': {
      const faults = validationFaults(errors, (pointer) => `?${pointer}`)
      const first = faults[0]
      return new GatehouseError(
        'invalid_query',
        first ? `${first.where}: ${first.message}` : 'a parameter is wrong',
        faults,
      )
    }
    case 'params':
      return new GatehouseError('not_found', 'nothing has such an id', validationFaults(errors))
    default:
      return invalidInput(validationFaults(errors))
  }
}
