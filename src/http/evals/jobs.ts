import type { JudgeValidityDocument } from '../../documents/evals-validity.js'
import type { Sliced } from '../../gate/slices.js'
import { prepareRun, type PreparedRun } from '../../operations/evals/eval-runs.js'
import { checkJudge } from '../../operations/evals/judge-validity.js'
import { documentOf, type Verdict } from '../../operations/evals/keep-verdict.js'
import {
  prepareComparison,
  type PreparedComparison,
  type StoredSides,
} from '../../operations/evals/prepare-comparison.js'
import { prepareGrid, type PreparedGrid } from '../../operations/evals/prepare-grid.js'
import { renderComparisonJunit, renderComparisonMarkdown } from '../render/evals-comparison.js'
import { renderGridJunit, renderGridMarkdown } from '../render/evals-grid.js'
import type { Compile } from '../schemas/ajv.js'
import { readComparisonSubmission } from './read-comparison.js'
import { readGridSubmission } from './read-grid.js'
import { readEvalRunBody } from './read-run.js'
import { readValidityRequest } from './read-validity.js'

/**
 * What eval routes have done with a body, or with a verdict that may be as large: work without I/O, which is the same
 * beside the event loop and on it.
 */
export interface Jobs {
  grid: { terms: { readonly keyed: boolean }; answer: PreparedGrid }
  run: { terms: null; answer: PreparedRun }
  comparison: {
    terms: { readonly keyed: boolean; readonly stored: StoredSides | null }
    answer: PreparedComparison
  }
  validity: { terms: null; answer: JudgeValidityDocument }
  form: { terms: { readonly form: Form; readonly verdict: Verdict<object> }; answer: string }
}

export type JobName = keyof Jobs

/** Forms of a verdict beside JSON. */
const FORMS = {
  'grid markdown': renderGridMarkdown,
  'grid junit': renderGridJunit,
  'comparison markdown': renderComparisonMarkdown,
  'comparison junit': renderComparisonJunit,
}
export type Form = keyof typeof FORMS

type Work = {
  readonly [Name in JobName]: (
    body: unknown,
    terms: Jobs[Name]['terms'],
    compile: Compile,
  ) => Sliced<Jobs[Name]['answer']>
}

/** @throws GatehouseError what is wrong with the body */
export const WORK: Work = {
  *grid(body, { keyed }, compile) {
    return yield* prepareGrid(yield* readGridSubmission(body, compile), keyed)
  },
  *run(body, _terms, compile) {
    return yield* prepareRun(yield* readEvalRunBody(body, compile))
  },
  *comparison(body, { keyed, stored }, compile) {
    return yield* prepareComparison(yield* readComparisonSubmission(body, compile), keyed, stored)
  },
  *validity(body, _terms, compile) {
    return checkJudge(yield* readValidityRequest(body, compile))
  },

  *form(_body, terms) {
    return renderForm(terms)
  },
}

export function renderForm({ form, verdict }: Jobs['form']['terms']): string {
  return FORMS[form](documentOf(verdict))
}
