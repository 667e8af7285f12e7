import { EMPTY_CONFIG_FILE } from '../../src/config-file.js'
import { refused } from '../../src/gate/outcome.js'
import type { Gatehouse, Settings } from '../../src/operations/gatehouse.js'
import type { MetricHistoryStore } from '../../src/store/store.js'
import { planRecord } from '../../src/operations/plan-record.js'

/** What operations work with, over a real store; for tests that send their declarations as JSON. */
export function gatehouseOn(store: MetricHistoryStore, settings: Partial<Settings> = {}): Gatehouse {
  return {
    store,
    settings: {
      baselineWindow: 20,
      enforceMinHistory: 10,
      verdictRetentionDays: 90,
      ...EMPTY_CONFIG_FILE,
      ...settings,
    },
    planRecord: (source, declarations) => Promise.resolve(planRecord(source, declarations)),
    readPython: () => Promise.resolve(refused({ where: 'test_file', message: 'no Python here' })),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  }
}
