/** What every backend must do: the comments of `src/store/store.ts`, sentence by sentence. */
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

export function storeContract(backend: Backend): void {
  runContract(backend)
  baselineContract(backend)
  foreignRowsContract(backend)
  listContract(backend)
  seriesContract(backend)
  historyContract(backend)
  exportContract(backend)
  importContract(backend)
  verdictContract(backend)
  idempotencyContract(backend)
  trustContract(backend)
  impactContract(backend)
  concurrencyContract(backend)
  credentialContract(backend)
  evalContract(backend)
  poolContract(backend)
  ladderContract(backend)
  ladderLogContract(backend)
}
