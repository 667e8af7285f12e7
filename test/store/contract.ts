/** What every backend must do: the comments of `src/store/store.ts` and of its parts beside it, sentence by sentence. */
import type { BackendName, OpenStore } from '../support/stores.js'
import { baselineContract } from './contract-baselines.js'
import { concurrencyContract } from './contract-concurrency.js'
import { credentialContract } from './contract-credentials.js'
import { evalContract } from './contract-evals.js'
import { exportContract } from './contract-export.js'
import { foreignRowsContract } from './contract-foreign-rows.js'
import { historyContract } from './contract-history.js'
import { idempotencyContract } from './contract-idempotency.js'
import { impactContract } from './contract-impact.js'
import { importContract } from './contract-import.js'
import { ladderLogContract } from './contract-ladder-log.js'
import { ladderContract } from './contract-ladders.js'
import { listContract } from './contract-lists.js'
import { poolContract } from './contract-pools.js'
import { runContract } from './contract-runs.js'
import { seriesContract } from './contract-series.js'
import { trustContract } from './contract-trust.js'
import { verdictContract } from './contract-verdicts.js'

export interface Backend {
  readonly name: BackendName
  readonly open: OpenStore
}

const SUBJECTS: Readonly<Record<string, (backend: Backend) => void>> = {
  run: runContract,
  baseline: baselineContract,
  foreignRows: foreignRowsContract,
  list: listContract,
  series: seriesContract,
  history: historyContract,
  export: exportContract,
  import: importContract,
  verdict: verdictContract,
  idempotency: idempotencyContract,
  trust: trustContract,
  impact: impactContract,
  concurrency: concurrencyContract,
  credential: credentialContract,
  eval: evalContract,
  pool: poolContract,
  ladder: ladderContract,
  ladderLog: ladderLogContract,
}

/**
 * @param subjects those to be tested alone; all where none is named
 * @throws Error where one is no subject
 */
export function storeContract(backend: Backend, subjects: readonly string[] = []): void {
  for (const subject of subjects.length > 0 ? subjects : Object.keys(SUBJECTS)) {
    const contract = SUBJECTS[subject]
    if (contract === undefined) throw new Error(`the store's contract has no subject ${subject}`)
    contract(backend)
  }
}
