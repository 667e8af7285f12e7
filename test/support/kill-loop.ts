import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { audit, Ledger, startLoad } from './load.js'
import { startServer } from './server.js'
import type { OpenedStore } from './stores.js'

const CLIENTS = 6

/** Kills the process under a stream of submissions, again and again, then audits the database. */
export async function killUnderLoad(
  t: Test,
  databaseUrl: string,
  { sql, ownerUrl }: Pick<OpenedStore, 'sql' | 'ownerUrl'>,
  kills: number,
): Promise<void> {
  const ledger = new Ledger()
  let barren = 0
  for (let kill = 1; kill <= kills; kill++) {
    const server = await startServer({ DATABASE_URL: databaseUrl })
    const before = ledger.acknowledged.size
    const load = startLoad(t, ledger, { urls: [server.url], clients: CLIENTS })
    // Once some were answered, at another moment of a transaction each time.
    const wanted = before + 1 + (kill % 7)
    const patience = performance.now() + 20_000
    while (ledger.acknowledged.size < wanted && performance.now() < patience) await sleep(2)
    await sleep((kill * 7) % 40)
    await Promise.all([server.kill(), load.stop()])
    if (ledger.acknowledged.size === before) barren++
  }
  // The last transactions of the dead process may still be ending in PostgreSQL, one way or the other.
  while (ownerUrl !== null && (await isBusy(sql))) await sleep(20)

  t.comment(`${kills} kills; ${ledger.figures()}`)
  t.equal(barren, 0, 'submissions were acknowledged before every kill')
  await audit(t, sql, ledger)
}

/** Told by locks: the owner may not see what the sessions of another role are doing. */
async function isBusy(sql: OpenedStore['sql']): Promise<boolean> {
  const locks = await sql(
    `select 1 from pg_locks
     where pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())`,
  )
  return locks.length > 0
}
