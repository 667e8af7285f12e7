import { changesTo, type Mutant } from './mutant.js'

const SUBMIT = ['test/operations/submit-run.test.ts']
const LISTS = ['test/http/runs.test.ts', 'test/http/problems.test.ts']
const SUBMISSION = ['test/http/submission.test.ts', 'test/http/runs.test.ts']
const REVOCATIONS = ['test/http/revocations.test.ts']

export const operationMutants: readonly Mutant[] = [
  ...changesTo('src/operations/submit-run.ts', SUBMIT, [
    ['a dry run is stored', 'if (options.dryRun) return dryRun(gatehouse, ready)', ''],
    ['every run is stored', 'const writesRun = asksToWrite && ready', 'const writesRun = ready'],
    ['a retry is stored again', 'if (first) return', 'if (false) return'],
    [
      'attempts share a natural key',
      'githubRunId.toString(), githubRunAttempt ?? 1]',
      'githubRunId.toString()]',
    ],
    ['a run without a key is not warned of', 'return writesRun && key === null ?', 'return false ?'],
    [
      'every run is stored as trusted',
      '        trusted: verdict.trusted,\n        values',
      '        trusted: true,\n        values',
    ],
  ]),
  ...changesTo('src/operations/idempotency.ts', SUBMIT, [
    ['other content under a key is a replay', 'if (entry.contentHash !== hash) throw', 'if (false) throw'],
  ]),
  ...changesTo('src/operations/revocations.ts', REVOCATIONS, [
    ['nothing matched is an answer', 'if (runs.length === 0) throw', 'if (false) throw'],
    ['a dry run revokes', 'if (request.dryRun) {', 'if (false) {'],
    ['an undo can be repeated', 'if (revocation.undone) {', 'if (false) {'],
  ]),
  ...changesTo('src/operations/paging.ts', LISTS, [
    ['a cursor is good for any filter', 'if (ownDigest !== digest)', 'if (false)'],
    ['the last page has a cursor', 'rows.length > request.limit ? shown.at(-1)', 'true ? shown.at(-1)'],
  ]),
  ...changesTo('src/operations/judge-run.ts', SUBMISSION, [
    ['a missing record passes', 'if (declared === 0) return', 'if (true) return'],
  ]),
]
