import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { audit, Ledger, startLoad, watchHealth, type LoadOptions } from '../support/load.js'
import type { OpenedStore } from '../support/stores.js'

export interface Scene extends LoadOptions {
  readonly sql: OpenedStore['sql']
  /** What no answer may take longer than. */
  readonly longestMs: number
}

/** Runs that are acknowledged before the fault begins, and after it is over. */
const WARM = 20

/** How long after a fault the first runs must be acknowledged again, without a restart of anything. */
const RECOVERY_MS = 20_000

/**
 * Lets `fault` happen to servers under a load of submissions, waits until they work again, and holds them to what
 * must be so whatever happens: bounded answers, /healthz alive, and a database that has what was acknowledged.
 * @param fault resolves when it is over
 */
export async function underLoad(
  t: Test,
  { sql, longestMs, ...options }: Scene,
  fault: (ledger: Ledger) => Promise<void>,
): Promise<Ledger> {
  const ledger = new Ledger()
  const health = options.urls.map((url) => watchHealth(t, url))
  const load = startLoad(t, ledger, options)
  let over: number
  try {
    await until('the load is acknowledged', () => ledger.acknowledged.size >= WARM)
    await fault(ledger)
    over = performance.now()
    const wanted = ledger.count(201) + WARM
    await until('runs are acknowledged again', () => ledger.count(201) >= wanted)
  } catch (error) {
    const told = [ledger.figures(), ...ledger.surprises.slice(0, 3)].join('; ')
    throw new Error(`${(error as Error).message}; ${told}`, { cause: error })
  } finally {
    await load.stop()
  }
  for (const watch of health) await watch.stop()
  t.comment(
    `${ledger.figures()}; first acknowledged ${Math.round(ledger.recoveryMs(over))} ms after the fault`,
  )
  t.ok(ledger.longestMs < longestMs, `every answer came within ${longestMs} ms`)
  if (options.retry) {
    t.equal(ledger.acknowledged.size, ledger.sent, 'whatever was sent was acknowledged in the end')
  }
  await audit(t, sql, ledger)
  return ledger
}

export async function until(what: string, holds: () => boolean, withinMs = RECOVERY_MS): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`)
    await sleep(20)
  }
}
