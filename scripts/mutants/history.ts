import { changesTo, contractOf, type Mutant } from './mutant.js'

const IMPORT = [...contractOf('import'), 'test/store/sqlite-import.test.ts']

/** What reads, exports and imports a history. */
export const historyMutants: readonly Mutant[] = [
  ...changesTo(
    'src/store/queries/series.ts',
    ['test/store/queries/series.test.ts', ...contractOf('series')],
    [
      ['untrusted runs count as trusted', 'c.trusted = ${dialect.flag(true)}', 'c.trusted = c.trusted'],
      ['a prefix has no upper end', 'end === null ? [] :', 'true ? [] :'],
      ['a page of a prefix begins before it', 'compareCodePoints(after.testPath, prefix) < 0', 'false'],
      ['a surrogate ends a prefix', 'last === 0xd7ff ? 0xe000 : last + 1', 'last + 1'],
      [
        'the last character ends no prefix',
        'if (last === 0x10ffff) continue',
        'if (last === 0x10ffff) return null',
      ],
      ['a backend is not compared', "...equals('f.backend', filter.backend),", ''],
    ],
  ),
  ...changesTo('src/store/queries/coordinates.ts', contractOf('history'), [
    ['a page holds one metric more', 'c.place <= ${limit}', 'c.place <= ${limit} + 1'],
    ['a metric has the values of its last step', 'metric.values += n', 'metric.values = n'],
    ['oldest declarations', 'r.created_at desc', 'r.created_at asc'],
  ]),
  ...changesTo('src/store/queries/history.ts', contractOf('history'), [
    ['steps come last first', 'desc, m.step, m.value desc', 'desc, m.step desc, m.value desc'],
    ['a page repeats its last point', 'm.value < ${value}', 'm.value <= ${value}'],
    [
      'a page skips the rest of a run',
      '<= (${dialect.time(createdAt)}, ${runId})',
      '< (${dialect.time(createdAt)}, ${runId})',
    ],
  ]),
  ...changesTo('src/store/queries/export.ts', contractOf('export'), [
    ['a page of an export repeats its last run', '${position} > (', '${position} >= ('],
    ['an export ends with its first page', 'if (heads.length < RUNS) return', 'return'],
  ]),
  ...changesTo('src/store/import-content.ts', contractOf('import'), [
    ['another time is the same run', 'one.createdAt === other.createdAt &&', ''],
    ['another series is the same run', 'sameFields(one.series, other.series) &&', ''],
    ['another provenance is the same run', 'sameFields(one.provenance, other.provenance) &&', ''],
    ['fewer values are the same run', 'if (one.length !== other.length) return false', ''],
    ['other keys are the same value', 'compare(one.stepsKey, other.stepsKey) ||', ''],
    ['values have an order', 'return [...values].sort(compareValues)', 'return [...values]'],
  ]),
  ...changesTo('src/store/import-batches.ts', contractOf('import'), [
    ['a file may contradict itself', 'assertSameRun(first, run)', ''],
    ['a whole file is one batch', 'batch.size >= limits.runs', 'false'],
  ]),
  ...changesTo('src/store/sqlite/import.ts', IMPORT, [
    [
      'a failed import leaves its rows',
      'await recoverStaged(connection.db, turns).catch(() => undefined)',
      '',
    ],
    ['what is staged is not compared', '...(await reading(() => stagedContents(db, ids))),', ''],
    [
      'an import begins on what another left',
      'await recoverStaged(connection.db, turns)\n      try {',
      'try {',
    ],
  ]),
  ...changesTo(
    'src/store/sqlite/write-groups.ts',
    ['test/store/sqlite-groups.test.ts'],
    [
      ['what a refused work wrote stays', "'rollback to work; release work'", "'release work'"],
      [
        'an outcome is told before the commit',
        'member.settle = await within(connection, writer, next)',
        'void (await within(connection, writer, next))()',
      ],
      ['a group is broken by whoever throws', 'explain(error) !== error ||', 'error instanceof Error ||'],
      [
        'a group goes on after the store failed',
        'explain(error) !== error || error instanceof StoreUnavailable || !handle.inTransaction',
        '!handle.inTransaction',
      ],
      ['each has a transaction of its own', 'if (performance.now() >= end) return', 'return'],
    ],
  ),
  ...changesTo(
    'src/store/sqlite/journal.ts',
    ['test/store/sqlite-groups.test.ts'],
    [
      [
        'after a flush that failed the next is believed',
        'if (this.#failed && !this.#moveAll())',
        'if (false)',
      ],
      [
        'a file that failed stays open',
        '        await this.close()\n        throw error',
        '        this.#file = null\n        throw error',
      ],
    ],
  ),
  ...changesTo(
    'src/store/sqlite/connection.ts',
    ['test/store/sqlite-groups.test.ts', 'test/store/sqlite-journal.test.ts'],
    [
      ['nobody waits for the disk', 'await journal.flush()', 'void journal.flush()'],
      ['nobody tells of commits', 'watcher?.ended()\n      await journal', 'await journal'],
    ],
  ),
  ...changesTo('src/store/sqlite/import-staging.ts', IMPORT, [
    ['what was decided is undone', 'if (rows[0]?.decided === 1)', 'if (false)'],
    [
      'values of a dead import stay',
      'where rowid in (select rowid from metric_values',
      'where false and rowid in (select rowid from metric_values',
    ],
    [
      'the cadence of an import is lost',
      '(cadence is not null or declarations is not null)',
      'declarations is not null',
    ],
  ]),
]
