import { chartMutants } from './charts.js'
import { evalMutants } from './evals.js'
import { gateMutants } from './gate.js'
import type { Mutant } from './mutant.js'
import { historyMutants } from './history.js'
import { ladderMutants } from './ladders.js'
import { operationMutants } from './operations.js'
import { policyMutants } from './policy.js'
import { promotionMutants } from './promotion.js'
import { promotionStatisticsMutants } from './promotion-statistics.js'
import { pythonMutants } from './python.js'
import { storeMutants } from './store.js'

/** The committed list, by the folder that is changed. */
export const mutants: readonly Mutant[] = [
  ...gateMutants,
  ...pythonMutants,
  ...policyMutants,
  ...storeMutants,
  ...historyMutants,
  ...operationMutants,
  ...evalMutants,
  ...promotionMutants,
  ...promotionStatisticsMutants,
  ...ladderMutants,
  ...chartMutants,
]
