/** A store whose every call is timed: in one place, for both backends. */
import { StoreUnavailable } from './errors.js'
import type {
  HistoryReader,
  HistoryWriter,
  MetricHistoryStore,
  PoolUse,
  PruneCutoffs,
  Readiness,
  ReadOptions,
} from './store.js'
import type { ImportedRun, ImportResult } from './exchange.js'

export type StoreOperation = 'read' | 'write' | 'import' | 'copy' | 'prune' | 'check'
/** `thrown` is what the work given to the store threw: nothing is there, a key is taken. */
export type StoreResult = 'ok' | 'thrown' | 'unavailable'
export type StoreObserver = (operation: StoreOperation, result: StoreResult, seconds: number) => void

/** @param observe told of each call when it ends, with its time in seconds */
export function measureStore(store: MetricHistoryStore, observe: StoreObserver): MetricHistoryStore {
  return new MeasuredStore(store, observe)
}

class MeasuredStore implements MetricHistoryStore {
  readonly backend: MetricHistoryStore['backend']
  readonly #store: MetricHistoryStore
  readonly #observe: StoreObserver

  constructor(store: MetricHistoryStore, observe: StoreObserver) {
    this.backend = store.backend
    this.#store = store
    this.#observe = observe
  }

  read<T>(work: (reader: HistoryReader) => Promise<T>, options?: ReadOptions): Promise<T> {
    return this.#timed('read', () => this.#store.read(work, options))
  }

  write<T>(work: (writer: HistoryWriter, attempt: number) => Promise<T>): Promise<T> {
    return this.#timed('write', () => this.#store.write(work))
  }

  importRuns(runs: AsyncIterable<ImportedRun>, onProgress?: (runs: number) => void): Promise<ImportResult> {
    return this.#timed('import', () => this.#store.importRuns(runs, onProgress))
  }

  copySome(): Promise<number> {
    return this.#timed('copy', () => this.#store.copySome())
  }

  checkReady(): Promise<Readiness> {
    return this.#timed('check', () => this.#store.checkReady())
  }

  prune(cutoffs: PruneCutoffs): Promise<{ keys: number; verdicts: number }> {
    return this.#timed('prune', () => this.#store.prune(cutoffs))
  }

  pools(): readonly PoolUse[] {
    return this.#store.pools()
  }

  close(patienceMs?: number): Promise<void> {
    return this.#store.close(patienceMs)
  }

  async #timed<T>(operation: StoreOperation, call: () => Promise<T>): Promise<T> {
    const begun = performance.now()
    let result: StoreResult = 'ok'
    try {
      return await call()
    } catch (error) {
      result = error instanceof StoreUnavailable ? 'unavailable' : 'thrown'
      throw error
    } finally {
      this.#observe(operation, result, (performance.now() - begun) / 1_000)
    }
  }
}
