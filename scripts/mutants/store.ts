import { changesTo, contractOf, type Mutant } from './mutant.js'

/** The whole contract where the subjects that a change is about do not notice it. */
const within = (...subjects: string[]) => [...contractOf(...subjects), 'test/store/sqlite.test.ts']

/** What only PostgreSQL has. */
const PREPARED = ['test/store/postgres-prepared.test.ts']

export const storeMutants: readonly Mutant[] = [
  ...changesTo(
    'src/store/postgres/baselines.ts',
    ['test/store/postgres.test.ts'],
    [
      ['untrusted runs are read on PostgreSQL', 'and r.trusted >= true and', 'and'],
      ['another suite is read on PostgreSQL', 'and r.suite = ${suite}', ''],
    ],
  ),
  ...changesTo('src/store/sqlite/copies.ts', within('baseline'), [
    ['copies of untrusted runs are read', 'and r.trusted = 1`', '`'],
  ]),
  ...changesTo('src/store/gate-history.ts', within('baseline'), [
    ['the newest copies pass for all there are', 'return this.isCut ? null :', 'return false ? null :'],
    [
      'a non-finite value enters a window',
      'if (!Number.isFinite(value)) nonFinite++',
      'if (false) nonFinite++',
    ],
    ['a window holds one value more', 'values.length < this.#limit)', 'values.length <= this.#limit)'],
    ['every run has the values of the first', 'from += steps + values', 'from += 0'],
  ]),
  ...changesTo('src/store/queries/replay-runs.ts', within('export'), [
    ['runs without a copy are empty', '?? byRows.get(run.runId)', ''],
    ['a replay ends with its first page', 'after = runs.at(-1)', 'return'],
  ]),
  ...changesTo('src/store/queries/copies.ts', within('baseline', 'import'), [
    ['a long run is never copied', 'if (room < 0 && taken.length > 0)', 'if (room < 0)'],
  ]),
  ...changesTo(
    'src/store/shared-asks.ts',
    ['test/store/shared-asks.test.ts'],
    [
      ['an answer is kept for those who come later', 'this.#gathering.delete(key)', ''],
      ['a question begins before all have asked', 'setImmediate(resolve)', 'resolve()'],
    ],
  ),
  ...changesTo(
    'src/store/vectors.ts',
    ['test/store/vectors.test.ts'],
    [
      ['any two steps are a range', 'step === first + index', 'true'],
      ['steps stand where values are', 'this.#values = from + steps', 'this.#values = from'],
      ['bytes are read where doubles cannot lie', 'bytes.byteOffset % 8 === 0', 'true'],
      [
        'the smaller value of a step comes first',
        'a === b ? 0 : b > a ? 1 : -1',
        'a === b ? 0 : b > a ? -1 : 1',
      ],
    ],
  ),
  ...changesTo('src/store/write-checks.ts', within('run'), [
    ['a non-finite value is stored', 'if (!Number.isFinite(value)) throw', 'if (false) throw'],
    ['a NUL is stored', "if (text.includes('\\0'))", 'if (false)'],
    ['a lone surrogate is stored', 'if (!text.isWellFormed())', 'if (false)'],
    ['a step beyond 2^53 is stored', "assertInteger('step', step, -2, Number.MAX_SAFE_INTEGER)", ''],
  ]),
  ...changesTo('src/store/sqlite/baselines.ts', within('baseline', 'foreignRows'), [
    ['untrusted runs are read', "and ${column('trusted')} = 1`", '`'],
    ['another suite is read', "and ${column('suite')} = ${suite} and", 'and'],
    ['another backend is read', "and ${column('backend')} = ${backend}", ''],
    [
      'steps of reductions count as steps',
      'and m.metric_key = c.value and m.step >= 0',
      'and m.metric_key = c.value',
    ],
  ]),
  ...changesTo(
    'src/store/queries/baselines.ts',
    ['test/store/queries/baselines.test.ts', ...within('baseline')],
    [
      ['a window holds one value more', 'window.values.length < limit)', 'window.values.length <= limit)'],
      ['non-finite values enter a window', 'window?.nonFinite.push(row)', 'window?.values.push(NaN)'],
    ],
  ),
  ...changesTo('src/store/queries/conditions.ts', within('list', 'run'), [
    [
      'since is exclusive',
      '${time} >= ${dialect.time(range.since)}',
      '${time} > ${dialect.time(range.since)}',
    ],
    [
      'until is inclusive',
      '${time} < ${dialect.time(range.until)}',
      '${time} <= ${dialect.time(range.until)}',
    ],
    ['a page repeats its last row', '${position} < (${dialect', '${position} <= (${dialect'],
  ]),
  ...changesTo('src/store/queries/runs.ts', within('run', 'list'), [
    [
      'runs come oldest first',
      ".orderBy('r.created_at', 'desc')\n        .orderBy",
      ".orderBy('r.created_at', 'asc')\n        .orderBy",
    ],
  ]),
  ...changesTo('src/store/sqlite/insert-run.ts', within('run', 'idempotency'), [
    [
      'a retried run is written twice',
      'if (inserted.length === 0) return\n  if (run.values',
      'if (run.values',
    ],
  ]),
  ...changesTo('src/store/sqlite/open.ts', within('concurrency'), [
    ['several questions are of several moments', 'if (single === true)', 'if (single)'],
  ]),
  ...changesTo(
    'src/store/sqlite/copies.ts',
    ['test/store/sqlite-foreign-rows.test.ts'],
    [
      ['a replaced run counts twice', 'read(await selectCopiesOfOthers(', 'read(await selectCopies('],
      [
        'a run that can have no copy keeps others from theirs',
        'exists (\n    select 1',
        '1 = 0 and exists (\n    select 1',
      ],
    ],
  ),
  ...changesTo(
    'src/store/postgres/copies.ts',
    ['test/store/postgres-foreign-writers.test.ts'],
    [
      [
        'a copy behind the back of a writer is believed',
        'and v.run_id <> all (array(select u.run_id from uncopied u))',
        '',
      ],
      [
        'and keeps others from theirs',
        ' and not exists (select from run_vectors v where v.run_id = u.run_id)',
        '',
      ],
    ],
  ),
  ...changesTo(
    'src/store/sqlite/opened-file.ts',
    ['test/store/sqlite-displaced.test.ts'],
    [['a journal that was deleted goes unnoticed', 'return this.#lostJournal()', 'return null']],
  ),
  ...changesTo(
    'src/store/sqlite/checkpoints.ts',
    ['test/store/sqlite-checkpoints.test.ts'],
    [
      ['what cannot be moved is added to', 'if (!this.#isRefused && bytes', 'if (bytes'],
      [
        'a journal that grows is left to grow',
        'if (!this.#isRefused && bytes <= this.#mayHold)',
        'if (!this.#isRefused)',
      ],
      ['a long read may fill the disk', 'if (this.#file.roomBytes() < bytes', 'if (0 > bytes'],
      [
        'what comes during a pass is forgotten',
        'this.#isBehind = this.#isUnderWay',
        'this.#isBehind = false',
      ],
    ],
  ),
  ...changesTo('src/store/postgres/session.ts', PREPARED, [
    [
      "a pooler's connection passes for one's own",
      "process === processOf(this.#client) ? 'own' : 'shared'",
      "'own'",
    ],
    ['a pooler that mixes up is trusted again', 'this.#mixedUp ||=', 'void'],
  ]),
  ...changesTo('src/store/postgres/failures.ts', PREPARED, [
    ['a lost statement is an error', "'26000', '42P05'", "'42P05'"],
    ['a statement of the same name is an error', "'26000', '42P05'", "'26000'"],
    ['a change of the schema is an error', "if (error.code === '0A000')", 'if (false)'],
  ]),
  ...changesTo('src/store/postgres/pool.ts', PREPARED, [
    ['a question may write', "'default_transaction_read_only = on'", "'default_transaction_read_only = off'"],
  ]),
  ...changesTo(
    'src/store/postgres/packed-runs.ts',
    ['test/store/packed-runs.test.ts'],
    [['times before 2000 are wrong', '((micros % 1_000n) + 1_000n) % 1_000n', 'micros % 1_000n']],
  ),
  ...changesTo('src/store/queries/trust.ts', within('trust'), [
    [
      'untrusted runs are flipped again',
      ".where('trusted', '=', dialect.flag(true))\n    .returning",
      '.returning',
    ],
    [
      'undo trusts what was never trusted',
      'where f.run_id = r.run_id and f.flipped = ${dialect.flag(true)})`',
      'where f.run_id = r.run_id)`',
    ],
    ['another revocation does not hold back', 'and o.revocation_id <> ${revocationId}', 'and 1 = 0'],
    [
      'an undone revocation holds back',
      'and not exists (select 1 from revocation_undos u where u.revocation_id = o.revocation_id)\n    order by',
      'order by',
    ],
    [
      'undo restores only what it flipped',
      ".where('c.revocation_id', '=', revocationId)\n    .where('r.trusted'",
      ".where('c.revocation_id', '=', revocationId)\n    .where('c.flipped', '=', dialect.flag(true))\n    .where('r.trusted'",
    ],
  ]),
  ...changesTo('src/store/queries/verdicts.ts', within('verdict'), [
    [
      'the newest verdict wins over the highest attempt',
      'order by coalesce(v.github_run_attempt, 1) desc, v.created_at desc',
      'order by v.created_at desc',
    ],
    [
      'an absent attempt is the last',
      'coalesce(v.github_run_attempt, 1)',
      'coalesce(v.github_run_attempt, 999)',
    ],
    [
      'verdicts of all series count as one',
      'partition by v.test_path, v.backend, v.suite',
      'partition by v.test_path, v.backend',
    ],
  ]),
  ...changesTo('src/store/queries/idempotency.ts', within('idempotency'), [
    ["another owner's key is found", ".where('k.owner', '=', key.owner)", ''],
  ]),
  ...changesTo('src/store/queries/prune.ts', within('idempotency', 'verdict'), [
    ['keys of writing runs expire', 'where k.wrote_run = ${dialect.flag(false)} and', 'where'],
    ['verdicts of writing runs expire', 'where v.run_id is null and', 'where'],
  ]),
]
