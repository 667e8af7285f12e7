import t from 'tap'
import { NotStorable } from '../../src/store/write-checks.js'
import type { VerdictFilter } from '../../src/store/verdicts.js'
import type { Backend } from './contract.js'
import { allPages, at, FIRST_PAGE, PROVENANCE, SERIES, verdict, writeVerdicts } from './fixtures.js'

/** Verdicts, and what a commit or workflow run as a whole said. */
export function verdictContract({ name, open }: Backend): void {
  t.test(`${name}: a verdict's documents come back to the byte`, async (t) => {
    const { store, sql } = await open(t)
    const written = verdict('v1', {
      createdAt: at(1, 234_567),
      document: '{"b":1.0,  "a":"ä𝒳\\u0000", "github_run_id":9223372036854775807}',
      checks: [
        { metricKey: 'z', checks: `[${'{"value":0.30000000000000004},'.repeat(2_000)}null]` },
        { metricKey: 'a', checks: '[{"b":1.0,  "a":"ä𝒳\\u0000"}]' },
        { metricKey: 'z', checks: '[]' },
      ],
      declarations: '[{"steps":[0,1]}]',
      evidence: ['r2', 'r1', 'r2'],
      provenance: { ...PROVENANCE, githubRunId: 9_223_372_036_854_775_807n },
    })
    await writeVerdicts(store, written)
    await writeVerdicts(store, verdict('v1', { document: 'other', evidence: ['r9'] }))
    t.strictSame(await store.read((reader) => reader.findVerdict('v1')), {
      verdictId: 'v1',
      createdAt: at(1, 234_567),
      document: written.document,
      checks: written.checks.map(({ checks }) => checks),
    })
    t.equal(await store.read((reader) => reader.findVerdict('v2')), null)
    t.strictSame(await sql('select run_id from verdict_evidence order by run_id'), [
      { run_id: 'r1' },
      { run_id: 'r2' },
    ])
    t.strictSame(await sql('select declarations from verdicts'), [{ declarations: written.declarations }])
    await t.rejects(writeVerdicts(store, verdict('v3', { document: '\0' })), NotStorable)
    const twoLines = [{ metricKey: 'm', checks: '[\n]' }]
    await t.rejects(writeVerdicts(store, verdict('v3', { checks: twoLines })), NotStorable)
  })

  t.test(`${name}: the pieces of a verdict's checks are kept to the byte, and may be none`, async (t) => {
    const { store } = await open(t)
    const odd = ['["\\n"]', '["a,b}\\\\","\\"",{}]', '["é😀\u2028 NULL"]', '[]']
    const checks = odd.map((text, index) => ({ metricKey: `m${index}`, checks: text }))
    await writeVerdicts(store, verdict('v1', { checks }), verdict('v2', { checks: [] }))
    const checksOf = async (verdictId: string) =>
      (await store.read((reader) => reader.findVerdict(verdictId)))?.checks
    t.strictSame(await checksOf('v1'), odd)
    t.strictSame(await checksOf('v2'), [])
  })

  t.test(`${name}: verdicts are found by each filter, newest first, in pages`, async (t) => {
    const { store } = await open(t)
    await writeVerdicts(
      store,
      verdict('v1', {
        createdAt: at(1),
        provenance: { ...PROVENANCE, commitSha: 'c1', githubRunId: 2n ** 60n + 1n, prNumber: 3 },
      }),
      verdict('v2', { createdAt: at(2), outcome: 'fail' }),
      verdict('B', { createdAt: at(3), series: { ...SERIES, testPath: 'x' } }),
      verdict('a', { createdAt: at(3), series: { ...SERIES, backend: 'x' } }),
      verdict('v5', { createdAt: at(4), series: { ...SERIES, suite: 'x' } }),
    )
    const ids = async (filter: VerdictFilter) =>
      (await store.read((reader) => reader.listVerdicts(filter, FIRST_PAGE))).map((one) => one.verdictId)
    t.strictSame(await ids({}), ['v5', 'a', 'B', 'v2', 'v1'])
    t.strictSame(await ids({ commitSha: 'c1' }), ['v1'])
    t.strictSame(await ids({ githubRunId: 2n ** 60n + 1n }), ['v1'])
    t.strictSame(await ids({ githubRunId: 2n ** 60n }), [])
    t.strictSame(await ids({ prNumber: 3 }), ['v1'])
    t.strictSame(await ids({ outcome: 'fail' }), ['v2'])
    t.strictSame(await ids({ testPath: 'x' }), ['B'])
    t.strictSame(await ids({ backend: 'x' }), ['a'])
    t.strictSame(await ids({ suite: 'x' }), ['v5'])
    t.strictSame(await ids({ since: at(2), until: at(4) }), ['a', 'B', 'v2'])
    t.strictSame(await ids({ ...SERIES, outcome: 'pass' }), ['v1'])
    const paged = await allPages(
      store,
      2,
      (reader, page) => reader.listVerdicts({}, page),
      (row) => row.verdictId,
    )
    t.strictSame(
      paged.map((one) => one.verdictId),
      ['v5', 'a', 'B', 'v2', 'v1'],
    )
  })

  t.test(`${name}: the latest verdict of each series counts: highest attempt, then newest`, async (t) => {
    const { store } = await open(t)
    const attempt = (githubRunAttempt: number | null) => ({
      ...PROVENANCE,
      githubRunId: 5n,
      githubRunAttempt,
    })
    const other = { ...SERIES, suite: 'other' }
    await writeVerdicts(
      store,
      verdict('first', { createdAt: at(9), provenance: attempt(1), outcome: 'fail', failingCi: 2 }),
      verdict('second', { createdAt: at(1), provenance: attempt(2), outcome: 'pass' }),
      verdict('unnumbered', { createdAt: at(9), provenance: attempt(null), outcome: 'fail' }),
      verdict('absent', {
        createdAt: at(3),
        series: other,
        provenance: attempt(null),
        outcome: 'fail',
        failingCi: 1,
      }),
      verdict('one', { createdAt: at(2), series: other, provenance: attempt(1), outcome: 'pass' }),
      verdict('tie-a', { createdAt: at(1), series: { ...SERIES, testPath: 'Z' }, provenance: attempt(1) }),
      verdict('tie-b', {
        createdAt: at(1),
        series: { ...SERIES, testPath: 'Z' },
        provenance: attempt(1),
        outcome: 'fail',
        failingCi: 3,
      }),
      verdict('elsewhere', {
        createdAt: at(9),
        provenance: { ...PROVENANCE, githubRunId: 6n, githubRunAttempt: 9 },
      }),
    )
    t.strictSame(await store.read((reader) => reader.latestVerdicts({ githubRunId: 5n })), [
      { verdictId: 'tie-b', series: { ...SERIES, testPath: 'Z' }, outcome: 'fail', failingCi: 3 },
      { verdictId: 'absent', series: other, outcome: 'fail', failingCi: 1 },
      { verdictId: 'second', series: SERIES, outcome: 'pass', failingCi: 0 },
    ])
    t.strictSame(await store.read((reader) => reader.latestVerdicts({ githubRunId: 7n })), [])
  })
}
