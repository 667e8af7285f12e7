import { type Static, Type } from 'typebox'
import {
  Absent,
  BackendField,
  Body,
  CadenceField,
  CommitShaField,
  EventNameField,
  GithubRunAttemptField,
  GithubRunIdField,
  LabelField,
  MAX_LABELS,
  PrNumberField,
  RefField,
  ScheduleField,
  SuiteField,
  TestPathField,
} from './fields.js'

const fields = {
  series: Body(
    { test_path: TestPathField, backend: BackendField, suite: SuiteField },
    'the test: path, backend, suite',
  ),
  provenance: Body(
    {
      commit_sha: Absent(CommitShaField),
      pr_number: Absent(PrNumberField),
      github_run_id: Absent(GithubRunIdField),
      github_run_attempt: Absent(GithubRunAttemptField),
      event_name: Absent(EventNameField),
      ref: Absent(RefField),
    },
    'where the run comes from; commit_sha is required, unless the credential (a job’s identity token) supplies it',
  ),
  cadence: Absent(CadenceField),
  schedule: Absent(ScheduleField),
  labels: Absent(Type.Array(LabelField, { maxItems: MAX_LABELS })),
}

/** The fields of a submission. A form's parts are brought into this shape, so that both are held to the same rules. */
export const SubmissionFieldsSchema = Body(fields)
export type SubmissionFields = Static<typeof SubmissionFieldsSchema>

const AnyObject = Type.Object({}, { additionalProperties: true })
const declarationMembers = {
  declarations: Absent(
    Type.Array(AnyObject, { description: 'declarations as JSON; [] is a test without gates' }),
  ),
  test_source: Absent(
    Type.String({ description: 'the test file (Python source, at most 256 KiB), read and never run' }),
  ),
}

/** The JSON form of a submission, for the documentation: exactly one of `declarations` and `test_source`. */
export const SubmissionBodySchema = Body({
  ...fields,
  ...declarationMembers,
  record: Absent(
    Type.Array(
      Type.Object(
        {
          metric: Type.String(),
          series: Type.Array(Type.Array(Type.Unknown(), { minItems: 2, maxItems: 2 })),
        },
        { additionalProperties: true },
      ),
      {
        description:
          'the metrics of the run, each a list of [step, value]; required when anything is declared',
      },
    ),
  ),
})

const PartBytes = (description: string) =>
  Type.String({ description, contentMediaType: 'application/octet-stream' })
const DigitsPart = (description: string) => Type.String({ pattern: '^[0-9]+$', description })
const declarationParts = {
  test_file: Type.Optional(PartBytes('the test file (Python source, at most 256 KiB), read and never run')),
  declarations: Type.Optional(PartBytes('declarations as a JSON array; [] is a test without gates')),
}

/** The multipart form of a submission, for the documentation. */
export const SubmissionFormSchema = Body({
  ...declarationParts,
  record: Type.Optional(
    Type.Array(PartBytes('JSON Lines: {"metric": "train/ppo_kl", "series": [[0, 0.011]]}'), {
      description: 'one part a process; required when anything is declared',
    }),
  ),
  test_path: TestPathField,
  backend: BackendField,
  suite: SuiteField,
  commit_sha: Type.Optional(CommitShaField),
  pr_number: Type.Optional(DigitsPart('a pull request number')),
  github_run_id: Type.Optional(DigitsPart('the id of a workflow run (GITHUB_RUN_ID), 0 to 2^63-1')),
  github_run_attempt: Type.Optional(DigitsPart('the attempt of the workflow run (GITHUB_RUN_ATTEMPT)')),
  event_name: Type.Optional(EventNameField),
  ref: Type.Optional(RefField),
  cadence: Type.Optional(CadenceField),
  schedule: Type.Optional(ScheduleField),
  labels: Type.Optional(Type.Array(LabelField, { description: 'repeatable, or comma-separated' })),
})

/** What a body of declarations alone holds: exactly one of the two. */
export const DeclarationsBodySchema = Body(declarationMembers)
export const DeclarationsFormSchema = Body(declarationParts)
