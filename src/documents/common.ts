import { type TProperties, type TSchema, Type } from 'typebox'

/** An object that carries exactly these members. */
export function Document<P extends TProperties>(properties: P, description?: string) {
  return Type.Object(properties, { additionalProperties: false, ...(description && { description }) })
}

export function Nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()])
}

/** A double; what JSON cannot carry appears as its marker. */
export const DoubleSchema = Type.Union([Type.Number(), Type.Enum(['NaN', 'Infinity', '-Infinity'])])
export type Double = number | 'NaN' | 'Infinity' | '-Infinity'

/** RFC 3339 UTC with six decimals. */
export const TimestampSchema = Type.String({
  description: 'RFC 3339, UTC, microseconds',
  examples: ['2026-11-30T18:00:00.123456Z'],
})

export const SeriesSchema = Document({
  test_path: Type.String(),
  backend: Type.String(),
  suite: Type.String(),
})

/** 64-bit; an exact JSON number on the wire, a bigint inside only where a double would round it. */
export const GithubIdSchema = Type.Unsafe<number | bigint>({ type: 'integer', minimum: 0 })

export const ProvenanceSchema = Document({
  commit_sha: Nullable(Type.String()),
  pr_number: Nullable(Type.Integer()),
  github_run_id: Nullable(GithubIdSchema),
  github_run_attempt: Nullable(Type.Integer()),
  event_name: Nullable(Type.String()),
  ref: Nullable(Type.String()),
})
