import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { VerdictDocument } from '../documents/verdict.js'
import type { StoreObserver } from '../store/measured-store.js'
import type { MetricHistoryStore } from '../store/store.js'
import { VERSION } from '../version.js'

/** Why a request was turned away although there is nothing wrong with it. */
const REFUSAL_REASONS = [
  'rate_limit',
  'event_loop_delay',
  'heap',
  'pool_queue',
  'bytes_in_flight',
  'work_queue',
] as const
export type RefusalReason = (typeof REFUSAL_REASONS)[number]

const OUTCOMES = ['pass', 'fail'] as const
const STATUSES = ['pass', 'fail', 'error', 'inactive'] as const

const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const STORE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15]

/**
 * What the service counts, for Prometheus. Labels take few values whatever clients send: routes are templates, and
 * no name of a test, a metric or a credential is one.
 */
export class Metrics {
  /** Of this app alone: tests build many in one process. */
  readonly #registry = new Registry()
  readonly contentType = this.#registry.contentType
  readonly #requests: Histogram<'method' | 'route' | 'status'>
  readonly #verdicts: Counter<'outcome'>
  readonly #checks: Counter<'status'>
  readonly #store: Histogram<'operation' | 'result'>
  readonly #refused: Counter<'reason'>

  constructor() {
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    this.#requests = new Histogram({
      name: 'gatehouse_http_request_duration_seconds',
      help: 'From the head of a request to the end of its answer, by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    })
    this.#verdicts = new Counter({
      name: 'gatehouse_verdicts_total',
      help: 'Verdicts that were kept, by outcome',
      labelNames: ['outcome'],
      registers,
    })
    this.#checks = new Counter({
      name: 'gatehouse_checks_total',
      help: 'Checks of these verdicts, by status',
      labelNames: ['status'],
      registers,
    })
    this.#store = new Histogram({
      name: 'gatehouse_store_duration_seconds',
      help: 'Transactions from the asking to the end, with waiting and trying again',
      labelNames: ['operation', 'result'],
      buckets: STORE_BUCKETS,
      registers,
    })
    this.#refused = new Counter({
      name: 'gatehouse_requests_refused_total',
      help: 'Requests turned away by the rate limit or under overload',
      labelNames: ['reason'],
      registers,
    })
    // A series that begins with its first event has no increase() over it: the first refusal would raise no alert.
    for (const outcome of OUTCOMES) this.#verdicts.inc({ outcome }, 0)
    for (const status of STATUSES) this.#checks.inc({ status }, 0)
    for (const reason of REFUSAL_REASONS) this.#refused.inc({ reason }, 0)
  }

  /**
   * What is asked for when the metrics are read.
   * @param bytesInFlight what requests hold at that moment
   */
  observe(store: Pick<MetricHistoryStore, 'backend' | 'pools'>, bytesInFlight: () => number): void {
    const registers = [this.#registry]
    new Gauge({
      name: 'gatehouse_bytes_in_flight',
      help: 'Request bodies and answers that are held in memory',
      registers,
      collect() {
        this.set(bytesInFlight())
      },
    })
    new Gauge({
      name: 'gatehouse_build_info',
      help: 'Always 1',
      labelNames: ['version', 'node', 'store'],
      registers,
    }).set({ version: VERSION, node: process.version, store: store.backend }, 1)
    this.#gaugePools(store)
  }

  /** Everything, in the text form. */
  async text(): Promise<string> {
    // The library writes `Nan`, which the format does not know; a mean of no samples is one.
    return (await this.#registry.metrics()).replace(/ Nan$/gm, ' NaN')
  }

  /** @param route the template; null where no route was met */
  request(method: string, route: string | null, status: number | 'aborted', seconds: number): void {
    const labels = route === null ? { method: '', route: 'none', status } : { method, route, status }
    this.#requests.observe(labels, seconds)
  }

  verdict({ outcome, counts }: VerdictDocument): void {
    this.#verdicts.inc({ outcome })
    for (const status of STATUSES) {
      this.#checks.inc({ status }, counts[status])
    }
  }

  readonly storeCall: StoreObserver = (operation, result, seconds) => {
    this.#store.observe({ operation, result }, seconds)
  }

  refused(reason: RefusalReason): void {
    this.#refused.inc({ reason })
  }

  #gaugePools(store: Pick<MetricHistoryStore, 'pools'>): void {
    const registers = [this.#registry]
    const gauge = (name: string, help: string, figure: 'size' | 'idle' | 'waiting') =>
      new Gauge({
        name: `gatehouse_store_pool_${name}`,
        help,
        labelNames: ['pool'],
        registers,
        collect() {
          for (const pool of store.pools()) this.set({ pool: pool.name }, pool[figure])
        },
      })
    gauge('size', 'Connections to the database that are open', 'size')
    gauge('idle', 'Those of them that nobody uses', 'idle')
    gauge('waiting', 'Transactions that wait for one', 'waiting')
  }
}
