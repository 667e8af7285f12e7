/**
 * Parallel clients that submit runs to real servers, a ledger of what they were told, and an audit that holds the
 * database to it: nothing that was acknowledged is lost, nothing is there twice or in part.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import type { OpenedStore } from './stores.js'

const STEPS = 20
const TEST_PATH = 'tests/load.py'

/** Longer than any answer may take: a client that waits so long has found a hang. */
const CLIENT_PATIENCE_MS = 60_000

/** How long clients that send again go on after the load has ended. */
const RETRY_PATIENCE_MS = 60_000
const RETRY_PAUSE_MS = 250

export interface Answer {
  /** When it came, of `performance.now()`. */
  readonly at: number
  readonly tookMs: number
  /** Null where the connection ended without an answer. */
  readonly status: number | null
}

/** What was sent, and what was answered. May outlive a server, and be shared by several loads. */
export class Ledger {
  readonly answers: Answer[] = []
  /** Run ids by the number of their submission; more than one id is a fault. */
  readonly acknowledged = new Map<number, Set<string>>()
  /** Answers that no fault excuses. */
  readonly surprises: string[] = []
  #sent = 0

  get sent(): number {
    return this.#sent
  }

  next(): number {
    return ++this.#sent
  }

  /** Sends the submission of this number, which has its `github_run_id` as its key. Never throws. */
  async submit(url: string, number: number): Promise<Answer> {
    const begun = performance.now()
    let status: number | null = null
    try {
      const response = await fetch(`${url}/v1/runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(submission(number)),
        signal: AbortSignal.timeout(CLIENT_PATIENCE_MS),
      })
      const text = await response.text()
      status = response.status
      this.#read(number, status, text, response.headers.get('retry-after'))
    } catch {
      // Refused, reset, cut off in the middle: no answer.
    }
    const at = performance.now()
    const answer = { at, tookMs: at - begun, status }
    this.answers.push(answer)
    return answer
  }

  #read(number: number, status: number, text: string, retryAfter: string | null): void {
    if (status === 201) {
      const runIds = this.acknowledged.get(number) ?? new Set<string>()
      runIds.add((JSON.parse(text) as { run_id: string }).run_id)
      this.acknowledged.set(number, runIds)
    } else if (status !== 503 || !/^[1-9]\d*$/.test(retryAfter ?? '')) {
      this.surprises.push(`${status}, Retry-After ${retryAfter}: ${text.slice(0, 500)}`)
    }
  }

  count(status: number | null): number {
    return this.answers.filter((answer) => answer.status === status).length
  }

  get longestMs(): number {
    return Math.max(0, ...this.answers.map(({ tookMs }) => tookMs))
  }

  /** How long after this moment the first run was acknowledged. */
  recoveryMs(since: number): number {
    return Math.min(
      ...this.answers.filter(({ at, status }) => status === 201 && at > since).map(({ at }) => at - since),
    )
  }

  figures(): string {
    const counts = `${this.count(201)} × 201, ${this.count(503)} × 503, ${this.count(null)} without an answer`
    return `${this.sent} submissions: ${counts}; longest answer ${Math.round(this.longestMs)} ms`
  }
}

export function submission(number: number) {
  return {
    series: { test_path: TEST_PATH, backend: 'cpu', suite: `s${number % 3}` },
    provenance: { commit_sha: number.toString(16).padStart(40, '0'), github_run_id: number },
    cadence: 'nightly',
    declarations: [{ metric_key: 'm', steps: 'all', constraint: { rel_up: 0.5, rel_down: 0.5 } }],
    record: [
      { metric: 'm', series: Array.from({ length: STEPS }, (_, step) => [step, valueOf(number, step)]) },
    ],
  }
}

/** Tells the submission, and is within its band whatever came before. */
function valueOf(number: number, step: number): number {
  return 1 + step + number / 1e6
}

export interface LoadOptions {
  /** Asked in turn, by the number of the submission. */
  readonly urls: readonly string[]
  readonly clients: number
  /** Whether what was not acknowledged is sent again, as a client of a CI job does, until it is. */
  readonly retry?: boolean
  /** Every submission whose number this divides goes to two of the servers at the same moment. */
  readonly duplicateEvery?: number
  /** How many submissions are made at most. */
  readonly total?: number
}

export interface Load {
  /** Ends the load; what is under way is answered, or given up where the server is gone. */
  stop(): Promise<void>
  /** Resolves when it has ended, or when the total is reached. */
  readonly ended: Promise<unknown>
}

export function startLoad(t: Test, ledger: Ledger, options: LoadOptions): Load {
  const { urls, clients, retry = false, duplicateEvery = Infinity, total = Infinity } = options
  let stopped = Infinity
  const urlOf = (turn: number) => urls[turn % urls.length] ?? ''
  const client = async () => {
    while (stopped === Infinity && ledger.sent < total) {
      const number = ledger.next()
      const copies = number % duplicateEvery === 0 ? 2 : 1
      for (let turn = number; ; turn++) {
        await Promise.all(
          Array.from({ length: copies }, (_, copy) => ledger.submit(urlOf(turn + copy), number)),
        )
        if (!retry || ledger.acknowledged.has(number)) break
        if (performance.now() > stopped + RETRY_PATIENCE_MS) break
        await sleep(RETRY_PAUSE_MS)
      }
    }
  }
  const ended = Promise.all(Array.from({ length: clients }, client))
  const stop = async () => {
    stopped = Math.min(stopped, performance.now())
    await ended
  }
  t.teardown(stop)
  return { ended, stop }
}

/** Asks /healthz ten times a second; the answer must come within one. */
export function watchHealth(t: Test, url: string): { stop(): Promise<void> } {
  const times: number[] = []
  const failures: string[] = []
  // The clients work in this process, which may itself be late to see an answer.
  const ownDelay = monitorEventLoopDelay({ resolution: 10 })
  ownDelay.enable()
  let stopped = false
  const watching = (async () => {
    while (!stopped) {
      ownDelay.reset()
      const begun = performance.now()
      try {
        const { status } = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) })
        if (status !== 200) failures.push(String(status))
      } catch (error) {
        failures.push(String(error))
      }
      times.push(performance.now() - begun - ownDelay.max / 1e6)
      await sleep(100)
    }
    ownDelay.disable()
  })()
  t.teardown(() => void (stopped = true))
  return {
    async stop() {
      stopped = true
      await watching
      const longest = Math.round(Math.max(...times))
      t.comment(`/healthz: ${times.length} answers, longest ${longest} ms`)
      t.same(failures, [], '/healthz answers throughout')
      t.ok(longest < 1_000, '/healthz answers within a second')
    },
  }
}

/**
 * Compares the ledger with the rows that there are.
 * @returns how many runs are stored that nobody was told of
 */
export async function audit(t: Test, sql: OpenedStore['sql'], ledger: Ledger): Promise<number> {
  const rows = await sql<
    Record<'github_run_id' | 'held' | 'least' | 'most', number | string> & { run_id: string }
  >(
    `select r.run_id, r.github_run_id, count(v.step) as held, min(v.value) as least, max(v.value) as most
     from runs r left join metric_values v on v.run_id = r.run_id
     where r.test_path = $1 group by r.run_id, r.github_run_id`,
    [TEST_PATH],
  )
  const runs = rows.map(({ run_id: runId, github_run_id, held, least, most }) => ({
    runId,
    number: Number(github_run_id),
    values: [Number(held), Number(least), Number(most)],
  }))
  const verdicts = await sql<{ run_id: string }>('select run_id from verdicts where run_id is not null')
  const keys = await sql<{ verdict_id: string }>('select verdict_id from submission_keys')
  const orphans = await sql('select run_id from metric_values where run_id not in (select run_id from runs)')
  const stored = new Map(runs.map(({ runId, number }) => [runId, number]))

  t.same(ledger.surprises, [], 'only 201 and 503, each 503 with Retry-After')
  t.same(
    [...ledger.acknowledged].filter(([number, ids]) => [...ids].some((id) => stored.get(id) !== number)),
    [],
    `every acknowledged run is there (${ledger.acknowledged.size})`,
  )
  t.same(
    runs.filter(({ number, values }) => {
      const [held, least, most] = values
      return held !== STEPS || least !== valueOf(number, 0) || most !== valueOf(number, STEPS - 1)
    }),
    [],
    'every run is whole',
  )
  t.equal(new Set(runs.map(({ number }) => number)).size, runs.length, 'no submission is there twice')
  t.same(
    [...ledger.acknowledged].filter(([, ids]) => ids.size !== 1),
    [],
    'a repeated submission has the run of the first one',
  )
  t.same(orphans, [], 'no value without its run')
  t.same(
    new Set(verdicts.map(({ run_id }) => run_id)),
    new Set(stored.keys()),
    'each run has its verdict, and each verdict its run',
  )
  t.equal(keys.length, runs.length, 'and its idempotency key')
  const unsaid = runs.filter(({ number }) => !ledger.acknowledged.has(number)).length
  t.comment(`${runs.length} runs are stored, ${unsaid} of them without an acknowledgement`)
  return unsaid
}
