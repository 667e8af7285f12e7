import t from 'tap'
import { OPEN_MODE_PRINCIPAL, type Principal } from '../../src/auth/principal.js'
import type { Submission } from '../../src/operations/submission.js'
import { submitRun, type SubmitOptions } from '../../src/operations/submit-run.js'
import { StoreUnavailable } from '../../src/store/errors.js'
import type { HistoryWriter, MetricHistoryStore } from '../../src/store/store.js'
import { forEachBackend, type OpenedStore } from '../support/stores.js'
import { gatehouseOn } from './gatehouse.js'

const BAND = { metric_key: 'm', steps: 'last', constraint: { rel_up: 0.5, rel_down: 0.5 } }

interface Given {
  value?: unknown
  declarations?: unknown
  githubRunId?: bigint | null
  attempt?: number
  suite?: string
  cadence?: Submission['cadence']
  commitSha?: string
  principal?: Principal
}

function submission(given: Given): Submission {
  return {
    series: { testPath: 'tests/a.py', backend: 'cuda', suite: given.suite ?? 's' },
    provenance: {
      commitSha: given.commitSha ?? 'a'.repeat(40),
      prNumber: null,
      githubRunId: given.githubRunId ?? null,
      githubRunAttempt: given.attempt ?? null,
      eventName: null,
      ref: null,
    },
    job: null,
    cadence: given.cadence ?? 'nightly',
    schedule: null,
    labels: [],
    declarations: { kind: 'json', bytes: Buffer.from(JSON.stringify(given.declarations ?? [BAND])) },
    record: { kind: 'array', items: [{ metric: 'm', series: [[0, given.value ?? 1]] }] },
  }
}

function submitTo(store: MetricHistoryStore) {
  return (given: Given = {}, options: Partial<SubmitOptions> = {}) =>
    submitRun(
      gatehouseOn(store),
      { principal: given.principal ?? OPEN_MODE_PRINCIPAL, requestId: 'r' },
      submission(given),
      { dryRun: false, idempotencyKey: null, ...options },
    )
}

async function rows({ sql }: OpenedStore) {
  const [row] = await sql<{ runs: number; held: number; verdicts: number; keys: number }>(
    `select (select count(*) from runs) as runs, (select count(*) from metric_values) as held,
      (select count(*) from verdicts) as verdicts, (select count(*) from submission_keys) as keys`,
  )
  return Object.fromEntries(Object.entries(row!).map(([name, count]) => [name, Number(count)]))
}

forEachBackend((name, open) => {
  t.test(`submitting on ${name}`, async (t) => {
    t.test('the natural key: the same again is one run, other content is a conflict', async (t) => {
      const opened = await open(t)
      const submit = submitTo(opened.store)
      const first = await submit({ githubRunId: 5n })
      await submit({ githubRunId: 6n, value: 1.25 })
      const again = await submit({ githubRunId: 5n })
      t.match(again, { replayed: true, written: true })
      t.strictSame(again.verdict, first.verdict, 'the first verdict, with its n and mean of then')
      t.equal(
        (await submit({ githubRunId: 5n, attempt: 1 })).replayed,
        true,
        'an absent attempt is the first',
      )
      await t.rejects(submit({ githubRunId: 5n, value: 2 }), {
        code: 'idempotency_conflict',
        status: 409,
        message: /Idempotency-Key/,
      })
      t.equal(
        (await submit({ githubRunId: 5n, attempt: 2, value: 2 })).replayed,
        false,
        'another attempt is another run',
      )
      t.equal((await submit({ githubRunId: 5n, suite: 'other' })).replayed, false, 'so is another series')
      t.same(await rows(opened), { runs: 4, held: 4, verdicts: 4, keys: 4 })
    })

    t.test('a key of the client stands before the natural one, and belongs to its owner', async (t) => {
      const opened = await open(t)
      const submit = submitTo(opened.store)
      await submit({ githubRunId: 5n }, { idempotencyKey: 'leg-a' })
      t.equal((await submit({ githubRunId: 5n, value: 2 }, { idempotencyKey: 'leg-b' })).replayed, false)
      t.equal((await submit({ githubRunId: 5n }, { idempotencyKey: 'leg-a' })).replayed, true)
      const other = { ...OPEN_MODE_PRINCIPAL, owner: 'token:2' }
      t.equal(
        (await submit({ githubRunId: 5n, value: 3, principal: other }, { idempotencyKey: 'leg-a' })).replayed,
        false,
      )
      t.equal((await rows(opened)).runs, 3)
    })

    t.test('duplicates at the same moment are one run with one verdict', async (t) => {
      const opened = await open(t)
      const submit = submitTo(opened.store)
      const answers = await Promise.all(Array.from({ length: 20 }, () => submit({ githubRunId: 5n })))
      t.equal(new Set(answers.map(({ verdict }) => verdict.verdict_id)).size, 1)
      t.equal(answers.filter(({ replayed }) => !replayed).length, 1)
      t.same(await rows(opened), { runs: 1, held: 1, verdicts: 1, keys: 1 })
    })

    t.test('duplicates over two instances are one run', async (t) => {
      const opened = await open(t)
      const submits = [submitTo(opened.store), submitTo(await opened.openAnother())]
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => submits[i % 2]!({ githubRunId: 5n })),
      )
      t.equal(new Set(answers.map(({ verdict }) => verdict.verdict_id)).size, 1)
      t.equal((await rows(opened)).runs, 1)
    })

    t.test('200 runs from 50 parallel clients are 200 rows', async (t) => {
      const opened = await open(t)
      const submit = submitTo(opened.store)
      let next = 0
      const client = async () => {
        while (next < 200) await submit({ githubRunId: BigInt(++next) })
      }
      await Promise.all(Array.from({ length: 50 }, client))
      t.same(await rows(opened), { runs: 200, held: 200, verdicts: 200, keys: 200 })
    })

    t.test('a dry run stores nothing, and neither uses nor sets a key', async (t) => {
      const opened = await open(t)
      const submit = submitTo(opened.store)
      const dry = await submit({ githubRunId: 5n }, { dryRun: true })
      t.match(dry, { written: false, replayed: false, verdict: { verdict_id: null, run_id: null } })
      t.same(await rows(opened), { runs: 0, held: 0, verdicts: 0, keys: 0 })
      await submit({ githubRunId: 5n })
      t.match(await submit({ githubRunId: 5n, value: 9 }, { dryRun: true }), {
        replayed: false,
        verdict: { verdict_id: null },
      })
    })

    t.test('a regular run is judged and keeps its verdict; history stays as it is', async (t) => {
      const opened = await open(t)
      const submit = submitTo(opened.store)
      await submit({ githubRunId: 1n })
      for (const value of [100, 100]) {
        const judged = await submit({ cadence: 'regular', value })
        t.match(judged, {
          written: false,
          verdict: { run_id: null, trusted: false, checks: [{ baseline: { n: 1, mean: 1 } }] },
        })
      }
      t.same(await rows(opened), { runs: 1, held: 1, verdicts: 3, keys: 1 })
    })

    t.test('a drifting run is stored untrusted, and is no part of the next baseline', async (t) => {
      const opened = await open(t)
      const submit = submitTo(opened.store)
      await submit({ githubRunId: 1n })
      t.match(await submit({ githubRunId: 2n, value: 9 }), {
        written: true,
        verdict: { trusted: false, outcome: 'pass' },
      })
      t.match(await submit({ githubRunId: 3n }), { verdict: { checks: [{ baseline: { n: 1, mean: 1 } }] } })
      t.equal((await rows(opened)).held, 3)
    })

    t.test('a run whose every declaration errored is stored without a value, untrusted', async (t) => {
      const opened = await open(t)
      const submit = submitTo(opened.store)
      t.match(await submit({ githubRunId: 1n, value: 'NaN' }), {
        written: true,
        verdict: { trusted: false, outcome: 'fail' },
      })
      t.match(await rows(opened), { runs: 1, held: 0 })
      t.match(
        await submit({ githubRunId: 2n }),
        { verdict: { checks: [{ status: 'inactive', baseline: { n: 0 } }] } },
        'the next is still a cold start',
      )
    })

    t.test('a test without gates keeps its verdict and writes no run, whatever its cadence', async (t) => {
      const opened = await open(t)
      const answer = await submitTo(opened.store)({ declarations: [], githubRunId: 1n })
      t.match(answer, {
        written: false,
        verdict: { run_id: null, trusted: true, outcome: 'pass', checks: [] },
      })
      t.match(await rows(opened), { runs: 0, verdicts: 1 })
    })

    t.test('a writing submission without any key is warned of', async (t) => {
      const opened = await open(t)
      const submit = submitTo(opened.store)
      const warnings = async (given: Given, options: Partial<SubmitOptions> = {}) =>
        (await submit(given, options)).verdict.warnings.filter(({ message }) =>
          /Idempotency-Key/.test(message),
        ).length
      t.equal(await warnings({}), 1)
      t.equal(await warnings({ githubRunId: 1n }), 0)
      t.equal(await warnings({}, { idempotencyKey: 'k' }), 0)
      t.equal(await warnings({ cadence: 'regular' }), 0)
      t.equal(await warnings({}, { dryRun: true }), 0)
    })

    t.test('without baselines:write a writing cadence is refused, not downgraded', async (t) => {
      const opened = await open(t)
      const submit = submitTo(opened.store)
      const principal: Principal = { ...OPEN_MODE_PRINCIPAL, scopes: new Set(['runs:submit'] as const) }
      for (const cadence of ['nightly', 'weekly'] as const) {
        await t.rejects(submit({ cadence, principal }), {
          code: 'forbidden',
          status: 403,
          message: /cadence=regular/,
        })
      }
      for (const cadence of ['regular', 'release'] as const) t.ok(await submit({ cadence, principal }))
      t.ok(await submit({ cadence: 'nightly', principal }, { dryRun: true }), 'a dry run writes nothing')
      t.equal((await rows(opened)).runs, 0)
      t.ok(
        await submit({
          principal: { ...principal, scopes: new Set(['runs:submit', 'baselines:write'] as const) },
        }),
      )
      t.ok(await submit({ principal: { ...principal, scopes: new Set(['admin'] as const) } }))
    })

    t.test(
      'a commit whose answer was lost is found again: one run, no replay, not judged against itself',
      async (t) => {
        const opened = await open(t)
        await submitTo(opened.store)({ githubRunId: 1n })
        // The first attempt commits; the store then behaves as it does when the connection breaks before the answer.
        const forgetful: MetricHistoryStore = {
          ...storeLike(opened.store),
          write: async (work) => {
            await opened.store.write((writer) => work(writer, 1))
            return opened.store.write((writer) => work(writer, 2))
          },
        }
        for (const githubRunId of [2n, null]) {
          const answer = await submitTo(forgetful)({ githubRunId })
          t.match(answer, { replayed: false, written: true })
          t.ok(answer.verdict.checks[0]!.baseline!.n <= 2)
          t.equal(answer.verdict.evidence.runs.includes(answer.verdict.run_id!), false)
        }
        t.equal((await rows(opened)).runs, 3)
      },
    )

    t.test('a judgement that cannot be kept is told with the refusal', async (t) => {
      const opened = await open(t)
      await submitTo(opened.store)({ githubRunId: 1n })
      const failing = (work: (writer: HistoryWriter) => Promise<unknown>): MetricHistoryStore => ({
        ...storeLike(opened.store),
        write: async (given) => {
          await opened.store.write(async (writer) => {
            await work(writer)
            await given(writer, 1)
            throw new StoreUnavailable('the disk is full')
          })
          throw new Error('unreachable')
        },
      })
      await t.rejects(submitTo(failing(async () => undefined))({ value: 3, githubRunId: 2n }), {
        code: 'unavailable',
        status: 503,
        detail: /disk is full/,
        extensions: {
          trusted: false,
          outcome: 'pass',
          checks: [{ status: 'fail', value: 3, baseline: { n: 1 } }],
        },
      })
      const locked: MetricHistoryStore = {
        ...storeLike(opened.store),
        write: () => Promise.reject(new StoreUnavailable('locked')),
      }
      // The write never began: judged on a read.
      await t.rejects(submitTo(locked)({ value: 3 }), {
        code: 'unavailable',
        status: 503,
        extensions: { checks: [{ status: 'fail' }] },
      })
      t.equal((await rows(opened)).runs, 1)
    })

    t.test('a verdict costs a constant number of queries', async (t) => {
      const opened = await open(t)
      const count = async (coordinates: number) => {
        opened.queries.length = 0
        await submitRun(
          gatehouseOn(opened.store),
          { principal: OPEN_MODE_PRINCIPAL, requestId: 'r' },
          {
            ...submission({ declarations: [{ ...BAND, steps: 'all' }] }),
            record: {
              kind: 'array',
              items: [{ metric: 'm', series: Array.from({ length: coordinates }, (_, step) => [step, 1]) }],
            },
          },
          { dryRun: true, idempotencyKey: null },
        )
        return opened.queries.length
      }
      const few = await count(1)
      t.equal(few, 1, 'all by their copies')
      t.equal(await count(2_000), few)
      for (let id = 1n; id <= 40n; id++) await submitTo(opened.store)({ githubRunId: id })
      const unusual = await count(1)
      t.equal(
        unusual,
        // PostgreSQL first asks as if one question were all.
        name === 'sqlite' ? 3 : 4,
        'where the newest runs hold the metric at none of its steps, rows are looked at too',
      )
      t.equal(await count(2_000), unusual, 'however many coordinates')
    })
  })
})

/** The store's methods without its class, to put another `write` beside them. */
function storeLike(store: MetricHistoryStore): MetricHistoryStore {
  return {
    backend: store.backend,
    read: (work, options) => store.read(work, options),
    write: (work) => store.write(work),
    copySome: () => store.copySome(),
    importRuns: (runs, onProgress) => store.importRuns(runs, onProgress),
    checkReady: () => store.checkReady(),
    prune: (cutoffs) => store.prune(cutoffs),
    pools: () => store.pools(),
    close: () => store.close(),
  }
}
