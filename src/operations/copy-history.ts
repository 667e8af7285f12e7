import type { Gatehouse } from './gatehouse.js'

/**
 * Makes the copies by which verdicts read, for all runs that have none: imported ones, another writer's, those of before
 * there were copies. In batches, beside everything else; stopped at any point, it goes on the next time.
 * @param onProgress told how many runs were copied so far
 * @returns how many runs were copied
 * @throws StoreUnavailable
 */
export async function copyHistory(
  { store, log }: Pick<Gatehouse, 'store' | 'log'>,
  onProgress: (runs: number) => void = () => undefined,
): Promise<number> {
  let runs = 0
  for (let some = await store.copySome(); some > 0; some = await store.copySome()) {
    runs += some
    onProgress(runs)
  }
  if (runs > 0) log.info({ runs }, 'history copied')
  return runs
}
