import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { RevocationDocument, UndoDocument } from '../../src/documents/revocation.js'
import type { VerdictDocument } from '../../src/documents/verdict.js'
import { quickstartRecords } from '../../scripts/quickstart-data.js'
import { curl } from '../support/curl.js'
import { startServer, temporaryFolder } from '../support/server.js'

/** The main job on real numbers: a fine-tuning log, twelve nights of measured noise, then what goes wrong. */
const FOLDER = 'examples/quickstart'

t.test('the committed records are the ones that the script makes', async (t) => {
  for (const [name, content] of quickstartRecords())
    t.equal(readFileSync(join(FOLDER, name), 'utf8'), content, name)
})

t.test('twelve nights, then drift, a NaN, and stale data revoked', async (t) => {
  const server = await startServer({ DATABASE_URL: `sqlite:${join(temporaryFolder(t), 'gatehouse.db')}` })
  t.teardown(() => server.stop())
  let attempt = 0
  const submit = async (record: string, ...more: string[]) => {
    const fields = {
      test_path: 'tests/test_finetune.py',
      backend: 'cuda',
      suite: 'nightly-8-gpu',
      commit_sha: `${++attempt}`.padStart(40, '0'),
      github_run_id: String(9_000 + attempt),
      cadence: 'nightly',
    }
    const answer = await curl(
      '--fail-with-body',
      `${server.url}/v1/runs?on_fail=error`,
      ...['-F', `test_file=@${FOLDER}/test_finetune.py`, '-F', `record=@${FOLDER}/${record}`],
      ...Object.entries(fields).flatMap(([name, value]) => ['-F', `${name}=${value}`]),
      ...more,
    )
    return { ...answer, verdict: JSON.parse(answer.body) as VerdictDocument }
  }
  const checkOf = (verdict: VerdictDocument, metric: string, step?: number) =>
    verdict.checks.find(
      (check) => check.metric_key === metric && (step === undefined || check.step === step),
    )!

  const first = await submit('night-01.jsonl')
  t.equal(first.status, 201)
  t.match(first.verdict, { trusted: true, outcome: 'pass', counts: { checks: 23, inactive: 23 } })
  t.match(first.verdict.warnings, [{ message: /Nothing was compared/ }], 'a cold start')

  for (let night = 2; night <= 12; night++) {
    const { status, verdict } = await submit(`night-${String(night).padStart(2, '0')}.jsonl`)
    t.match(
      { status, trusted: verdict.trusted, outcome: verdict.outcome },
      { status: 201, trusted: true, outcome: 'pass' },
      `night ${night}`,
    )
    t.equal(
      verdict.counts.insufficient_history,
      night <= 10 ? 23 : 0,
      `night ${night} rests on ${night - 1} trusted ones`,
    )
  }

  const drift = await submit('drift.jsonl')
  t.match({ exitCode: drift.exitCode, status: drift.status }, { exitCode: 22, status: 422 }, 'the job fails')
  t.match(drift.verdict, { outcome: 'fail', trusted: false })
  t.ok(drift.verdict.counts.failing_ci > 5)
  t.match(checkOf(drift.verdict, 'train/grad_norm', 200), {
    status: 'fail',
    fails_ci: true,
    baseline: { n: 12 },
  })
  t.match(checkOf(drift.verdict, 'train/loss'), { status: 'pass' }, 'the loss is fine')

  const nan = await submit('nan.jsonl')
  t.match({ exitCode: nan.exitCode, status: nan.status }, { exitCode: 22, status: 422 })
  t.match(checkOf(nan.verdict, 'train/loss'), {
    status: 'error',
    value: null,
    baseline: null,
    reason: /NaN/,
    fails_ci: true,
  })
  t.match(
    checkOf(nan.verdict, 'train/grad_norm', 10),
    { status: 'pass', baseline: { n: 12 } },
    'the drifting run is no part of the baseline',
  )

  const stale = await submit('stale-data.jsonl')
  t.match(stale.verdict, { trusted: true, outcome: 'pass' }, 'a bad night within its band is believed')
  const misled = await submit('next.jsonl', '-F', 'cadence=regular').catch(() => null)
  t.equal(misled?.status, 422, 'a field given twice is refused')

  const judge = async () => {
    const answer = await curl(
      `${server.url}/v1/runs?dry_run=true`,
      ...['-F', `test_file=@${FOLDER}/test_finetune.py`, '-F', `record=@${FOLDER}/next.jsonl`],
      ...[
        '-F',
        'test_path=tests/test_finetune.py',
        '-F',
        'backend=cuda',
        '-F',
        'suite=nightly-8-gpu',
        '-F',
        `commit_sha=${'a'.repeat(40)}`,
      ],
    )
    t.equal(answer.status, 200)
    return checkOf(JSON.parse(answer.body) as VerdictDocument, 'train/loss').baseline!
  }
  const before = await judge()
  const json = ['-H', 'content-type: application/json']
  const revoked = await curl(
    `${server.url}/v1/admin/revocations`,
    ...json,
    ...['-d', JSON.stringify({ run_id: stale.verdict.run_id, reason: 'trained on last month’s data' })],
  )
  t.equal(revoked.status, 201)
  const revocation = JSON.parse(revoked.body) as RevocationDocument
  t.match(revocation, { revoked: 1, run_ids: [stale.verdict.run_id] })
  const after = await judge()
  t.match(
    { before: before.n, after: after.n },
    { before: 13, after: 12 },
    'the next verdict leaves the run out',
  )
  t.ok(after.mean! < before.mean!, 'and its mean is back')

  const undone = await curl(
    `${server.url}/v1/admin/revocations/${revocation.revocation_id}/undo`,
    ...json,
    '-d',
    '{"reason":"it was the right data"}',
  )
  t.match(JSON.parse(undone.body) as UndoDocument, { restored: 1, not_restored: [] })
  t.same(await judge(), before, 'undone, the baseline is what it was')
})
