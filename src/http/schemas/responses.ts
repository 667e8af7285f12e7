import { type TSchema, Type } from 'typebox'
import type { PROBLEMS } from '../../errors.js'
import { VerdictSchema } from '../../documents/verdict.js'
import { PROBLEM_TYPE, ProblemSchema } from '../problem.js'

/** One answer of a route as Fastify and the OpenAPI document take it. */
export interface ResponseDeclaration {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: TSchema }>>
  readonly headers?: Readonly<Record<string, TSchema>>
}

type ProblemStatus = (typeof PROBLEMS)[keyof typeof PROBLEMS]['status']

const DESCRIPTIONS: Readonly<Record<ProblemStatus, string>> = {
  400: 'The body, the query or the cursor cannot be understood',
  401: 'A good credential is needed',
  403: 'Not allowed',
  404: 'Nothing is here',
  405: 'The resource does not take this method',
  409: 'In conflict with what is there',
  413: 'Too large',
  415: 'A media type or Content-Encoding that is not taken',
  422: 'A fault in the input; each is named',
  429: 'Too much at once; Retry-After says when to ask again',
  500: 'A fault of the service',
  503: 'Not available now; Retry-After says when to ask again',
}

/** The problems that a route may answer with; every route may fail, be refused, be asked too often, be unavailable. */
export function problems(...statuses: readonly ProblemStatus[]): Record<number, ResponseDeclaration> {
  const all = [...new Set<ProblemStatus>([...statuses, 401, 403, 429, 500, 503])].sort()
  return Object.fromEntries(all.map((status) => [status, problem(status)]))
}

function problem(status: ProblemStatus): ResponseDeclaration {
  return {
    description: DESCRIPTIONS[status],
    content: { [PROBLEM_TYPE]: { schema: ProblemSchema } },
    ...((status === 503 || status === 429) && {
      headers: { 'Retry-After': Type.Integer({ description: 'seconds' }) },
    }),
  }
}

/** A JSON answer. */
export function json<S extends TSchema>(schema: S, description: string): ResponseDeclaration {
  return { description, content: { 'application/json': { schema } } }
}

/** An answer without a body. */
export function nothing(description: string, headers?: Record<string, TSchema>) {
  return { ...Type.Unsafe<undefined>({ type: 'null', description }), ...(headers && { headers }) }
}

const MARKDOWN = { 'text/markdown': { schema: Type.String({ description: 'a GitHub job summary' }) } }
const OUTCOME = { 'Gatehouse-Outcome': Type.Enum(['pass', 'fail']) }

function junit(cases: string) {
  return { 'application/junit+xml': { schema: Type.String({ description: cases }) } }
}

function location(path: string, unless = '') {
  return { Location: Type.String({ description: `${path}${unless}` }) }
}

/** A verdict in the form that `Accept` asks for. */
export function verdict(description: string, located = true): ResponseDeclaration {
  return {
    description,
    content: {
      'application/json': { schema: VerdictSchema },
      ...MARKDOWN,
      ...junit('one test case a check'),
    },
    headers: {
      ...OUTCOME,
      'Gatehouse-Trusted': Type.Enum(['true', 'false']),
      ...(located && location('/v1/verdicts/{verdict_id}', '; absent for a dry run')),
    },
  }
}

export interface EvalForms {
  /** What a JUnit test case stands for; where not given, the answer has no such form. */
  readonly cases?: string
  /** Where the document is found again. */
  readonly path?: string
}

/** What was said of an eval, in the form that `Accept` asks for. */
export function evalAnswer(schema: TSchema, description: string, forms: EvalForms): ResponseDeclaration {
  return {
    description,
    content: {
      'application/json': { schema },
      ...MARKDOWN,
      ...(forms.cases !== undefined && junit(forms.cases)),
    },
    headers: {
      ...OUTCOME,
      'Gatehouse-Result': Type.String({ description: 'the result in one word' }),
      ...(forms.path !== undefined && location(forms.path)),
    },
  }
}

/** A 422 is either a verdict (`on_fail=error`), and has Gatehouse-Outcome, or a problem. */
export function failedOrFaulty(failed: ResponseDeclaration): ResponseDeclaration {
  const faulty = problem(422)
  return {
    description:
      'A fault in the input; or, with Gatehouse-Outcome, the verdict of what fails under on_fail=error',
    content: { ...failed.content, ...faulty.content },
    headers: { ...failed.headers },
  }
}
