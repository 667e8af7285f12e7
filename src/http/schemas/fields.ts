import { type Static, type TSchema, type TSchemaOptions, Type } from 'typebox'
import { MAX_INT32, MAX_STAGE, MAX_TEST_PATH, MAX_TEXT } from '../../gate/identity.js'
import { CADENCES } from '../../gate/run.js'
import type { TextFormat } from './formats.js'

/** Fields of requests, declared once: submissions in both forms, filters and revocations use the same ones. */

export const MAX_REASON = 2_000
export const MAX_LABELS = 64

/** A request object takes exactly these members; a misspelt one must not pass for a default. */
export function Body<P extends Record<string, TSchema>>(properties: P, description?: string) {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(description !== undefined && { description }),
  })
}

/** A member that may be left out, or null, which means the same. */
export function Absent<S extends TSchema>(schema: S) {
  const { type, enum: values } = schema as S & { type?: string; enum?: readonly unknown[] }
  return Type.Optional(
    Type.Unsafe<Static<S> | null>({
      ...schema,
      ...(type !== undefined && { type: [type, 'null'] }),
      ...(values !== undefined && { enum: [...values, null] }),
    }),
  )
}

function text(format: TextFormat, maxLength: number | undefined, description: string) {
  const options: TSchemaOptions = { format, description, ...(maxLength !== undefined && { maxLength }) }
  return Type.String(options)
}

export const TestPathField = text(
  'name',
  MAX_TEST_PATH,
  'the path of the test file, as tests/e2e/test_ppo.py',
)
/** Not a name: a prefix may end in the middle of one, at a space. */
export const TestPathPrefixField = text('text', MAX_TEST_PATH, 'how the path of the test file begins')
export const BackendField = text('name', MAX_STAGE, 'what the test ran on, as cuda')
export const SuiteField = text('name', MAX_STAGE, 'the stage that the run executed on, as stage-c-8-gpu-h100')
export const MetricKeyField = text('name', 512, 'a metric key, as train/ppo_kl')

export const CommitShaField = text(
  'commit-sha',
  undefined,
  'a whole commit SHA: 40 or 64 lower-case hex digits',
)
export const PrNumberField = Type.Integer({
  minimum: 1,
  maximum: MAX_INT32,
  description: 'a pull request number',
})
export const GithubRunIdField = Type.Integer({
  minimum: 0,
  description: 'the id of a workflow run (GITHUB_RUN_ID), 0 to 2^63-1, taken and answered exactly',
})
export const GithubRunAttemptField = Type.Integer({
  minimum: 1,
  maximum: MAX_INT32,
  description: 'the attempt of the workflow run (GITHUB_RUN_ATTEMPT)',
})
export const EventNameField = text(
  'text',
  MAX_TEXT,
  'the event that started the workflow (GITHUB_EVENT_NAME)',
)
export const RefField = text('text', MAX_TEXT, 'the git ref, as refs/heads/main')

export const CadenceField = Type.Enum([...CADENCES], {
  description: 'named by the client; wins over what the facts would resolve to',
})
export const ScheduleField = text(
  'text',
  MAX_TEXT,
  'the cron expression of a schedule event (github.event.schedule)',
)
export const LabelField = text('text', MAX_TEXT, 'a label of the pull request')
export const ReasonField = text('reason', MAX_REASON, 'why, for those who read it later')
export const RunIdField = text('text', MAX_TEXT, 'a run id')
