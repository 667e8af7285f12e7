import type { TSchema } from 'typebox'
import { BaselineSchema } from '../documents/baseline.js'
import { ParsedDeclarationsSchema } from '../documents/declaration.js'
import { ComparisonHeadSchema, ComparisonSchema } from '../documents/evals-comparison.js'
import { GridHeadSchema, GridSchema } from '../documents/evals-grid.js'
import { EvalRunHeadSchema, EvalRunSchema } from '../documents/evals-run.js'
import { JudgeValiditySchema } from '../documents/evals-validity.js'
import { RevocationSchema, UndoSchema } from '../documents/revocation.js'
import { TokenSchema } from '../documents/token.js'
import { RunItemSchema, RunSchema } from '../documents/run.js'
import { CheckSchema, VerdictHeadSchema, VerdictSchema } from '../documents/verdict.js'
import { ProblemSchema } from './problem.js'
import { EvalRunBodySchema } from './schemas/evals.js'

/** Documents that stand in many answers; larger ones first, since they hold others. */
const COMPONENTS: ReadonlyArray<readonly [name: string, schema: TSchema]> = [
  ['Verdict', VerdictSchema],
  ['VerdictHead', VerdictHeadSchema],
  ['Check', CheckSchema],
  ['Run', RunSchema],
  ['RunItem', RunItemSchema],
  ['Revocation', RevocationSchema],
  ['Undo', UndoSchema],
  ['Grid', GridSchema],
  ['GridHead', GridHeadSchema],
  ['EvalRun', EvalRunSchema],
  ['EvalRunHead', EvalRunHeadSchema],
  ['EvalRunBody', EvalRunBodySchema],
  ['Comparison', ComparisonSchema],
  ['ComparisonHead', ComparisonHeadSchema],
  ['JudgeValidity', JudgeValiditySchema],
  ['Token', TokenSchema],
  ['Baseline', BaselineSchema],
  ['ParsedDeclarations', ParsedDeclarationsSchema],
  ['Problem', ProblemSchema],
]

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/**
 * Names the documents of an OpenAPI document as components, and refers to them wherever they stand: a reader sees
 * "Verdict" instead of two hundred lines, and a generated client gets one type for it.
 */
export function nameComponents<D extends object>(document: D): D {
  const names = new Map(COMPONENTS.map(([name, schema]) => [JSON.stringify(schema), name]))
  const refer = (value: Json, self: string | null): Json => {
    if (Array.isArray(value)) return value.map((item) => refer(item, null))
    if (typeof value !== 'object' || value === null) return value
    const name = names.get(JSON.stringify(value))
    if (name !== undefined && name !== self) return { $ref: `#/components/schemas/${name}` }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, refer(member, null)]))
  }
  const schemas = Object.fromEntries(
    COMPONENTS.map(([name, schema]) => [name, refer(JSON.parse(JSON.stringify(schema)) as Json, name)]),
  )
  const named = refer(JSON.parse(JSON.stringify(document)) as Json, null) as unknown as D & {
    components?: object
  }
  return { ...named, components: { ...named.components, schemas } }
}
