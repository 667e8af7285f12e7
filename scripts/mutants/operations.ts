import { changesTo, type Mutant } from './mutant.js'

const SUBMIT = ['test/operations/submit-run.test.ts']
const LISTS = ['test/http/runs.test.ts', 'test/http/problems.test.ts']
const SUBMISSION = ['test/http/submission.test.ts', 'test/http/runs.test.ts']
const FORMS = ['test/http/multipart.test.ts']
const LARGE_BODIES = ['test/http/large-bodies.test.ts']
const VERDICT_DOCUMENT = ['test/operations/verdict-document.test.ts']
const GRIDS = ['test/http/evals-grids.test.ts']
const EVALS_LARGE = ['test/http/evals-large.test.ts']
const EVAL_RUNS = ['test/http/evals-runs.test.ts']
const COMPARISONS = ['test/http/evals-comparisons.test.ts']
const REVOCATIONS = ['test/http/revocations.test.ts']

export const operationMutants: readonly Mutant[] = [
  ...changesTo('src/operations/submit-run.ts', SUBMIT, [
    ['a dry run is stored', 'if (options.dryRun) return dryRun(gatehouse, ready)', ''],
    ['every run is stored', 'const writesRun = asksToWrite && ready', 'const writesRun = ready'],
    ['a retry is stored again', 'if (first) return', 'if (false) return'],
    ['a run without a key is not warned of', 'return writesRun && key === null ?', 'return false ?'],
    ['every run is stored as trusted', 'const { trusted } = verdict', 'const trusted = true'],
  ]),
  ...changesTo('src/operations/submission-key.ts', SUBMIT, [
    [
      'attempts share a natural key',
      'githubRunId.toString(), githubRunAttempt ?? 1]',
      'githubRunId.toString()]',
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
  ...changesTo('src/operations/plan-record.ts', SUBMISSION, [
    ['a missing record passes', 'if (declared === 0) return', 'if (true) return'],
  ]),
  ...changesTo('src/operations/verdict-document.ts', VERDICT_DOCUMENT, [
    [
      'a large document is made in one go',
      'checks.push(checkDocument(check))\n    if (checks.length % SLICE === 0) yield',
      'checks.push(checkDocument(check))',
    ],
    ['a slice of a piece is lost', 'if (others.length === 0) return first', 'return first'],
  ]),
  ...changesTo('src/http/multipart.ts', FORMS, [
    ['a part that is skipped is no fault', 'if (names.length !== count) {', 'if (false) {'],
    ['a boundary between two windows is missed', 'from += WINDOW - needle.length + 1', 'from += WINDOW'],
    [
      'a large form is searched in one go',
      'if (from + WINDOW >= end) return -1\n    yield',
      'if (from + WINDOW >= end) return -1',
    ],
  ]),
  ...changesTo('src/http/gather-body.ts', LARGE_BODIES, [
    ['what was there is lost where a body grows', 'at += bytes.copy(grown, at)', 'at += 0'],
    ['a body may grow beyond the limit', 'if (gathered.length + bytes.length <= limit)', 'if (true)'],
    ['a body may be cut', 'if (Number.isNaN(declared) || gathered.length === declared)', 'if (true)'],
  ]),
  ...changesTo('src/operations/evals/eval-runs.ts', EVAL_RUNS, [
    ['a name holds whatever was last put', 'if (stored.contentHash !== contentHash) {', 'if (false) {'],
    ['the name of a deleted run is free', 'if (stored.deleted !== null) throw', 'if (false) throw'],
    ['a deleted run is read', 'if (run.deleted === null) return run', 'return run'],
    [
      'two runs of one name are both stored',
      'if (await writer.writeEvalRun(fresh, questions))',
      'await writer.writeEvalRun(fresh, questions)\n    if (true)',
    ],
    ['a run with faults is stored', 'if (faults.length > 0) throw', 'if (false) throw'],
  ]),
  ...changesTo(
    'src/operations/evals/keep-verdict.ts',
    [...GRIDS, ...COMPARISONS],
    [
      ['a retry is stored again', 'if (first !== null) return', 'if (false) return'],
      [
        'a key is not kept',
        'if (keyed !== null) await writer.writeEvalKey(',
        'if (false) await writer.writeEvalKey(',
      ],
    ],
  ),
  ...changesTo(
    'src/operations/evals/pieces.ts',
    [...GRIDS, ...EVAL_RUNS],
    [
      ['the lists are no content', 'hash.update(`${items.slice(1, -1)},`)', ''],
      [
        'a piece lacks its last item',
        'items.slice(position, position + PIECE)',
        'items.slice(position, position + PIECE - 1)',
      ],
    ],
  ),
  ...changesTo('src/operations/evals/grids.ts', GRIDS, [
    [
      'an incomplete grid is not kept',
      'return keepVerdict(gatehouse, caller, keeping, keyed)',
      "if (!complete) throw new Error('x')\n  return keepVerdict(gatehouse, caller, keeping, keyed)",
    ],
    ['a page of rows begins at its piece', '.filter(({ position }) => position >= from)', ''],
  ]),
  ...changesTo('src/operations/evals/prepare-comparison.ts', COMPARISONS, [
    [
      'the sides are exchanged',
      'baseline: yield* runOf(baseline, stored?.baseline)',
      'baseline: yield* runOf(current, stored?.current)',
    ],
    [
      'strict is no content',
      'const fields: unknown[] = [gates, strict, onInconclusive]',
      'const fields: unknown[] = [gates, onInconclusive]',
    ],
  ]),
  ...changesTo('src/http/routes/eval-grids.ts', GRIDS, [
    ['a failing grid fails no job', "request.query.on_fail === 'error' && grid", 'false && grid'],
  ]),
  ...changesTo(
    'src/operations/evals/encode-run.ts',
    [...GRIDS, ...EVAL_RUNS],
    [
      ['an infinite score is null', 'return wireDouble(value)', 'return value'],
      ['an infinite metric is null', 'return value.map(asSent)', 'return value'],
    ],
  ),
  ...changesTo('src/http/evals/eval-worker.ts', EVALS_LARGE, [
    [
      'a large body may have any fields',
      'readBoundedJson(body.bytes)',
      '{ value: JSON.parse(Buffer.from(body.bytes).toString()) }',
    ],
  ]),
  ...changesTo('src/http/evals/eval-desk.ts', EVALS_LARGE, [
    [
      'a large verdict has one form',
      "{ name: 'form', body: { value: null }, terms }",
      "{ name: 'form', body: { value: null }, terms: { ...terms, form: 'grid markdown' } }",
    ],
  ]),
  ...changesTo('src/http/render/evals-comparison.ts', COMPARISONS, [
    [
      'an undecided gate is green',
      "? { name: gate.gate, result: 'failure', type: 'inconclusive', message, text }",
      "? { name: gate.gate, result: 'pass' }",
    ],
    ['the word is not first', '`gatehouse: ${word}`', "'gatehouse'"],
  ]),
  ...changesTo('src/http/evals/read-items.ts', EVAL_RUNS, [
    ['any item is taken', 'if (valid(item)) {', 'if (true) {'],
  ]),
]
