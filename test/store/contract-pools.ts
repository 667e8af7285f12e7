import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Backend } from './contract.js'

/** How busy the connections are. */
export function poolContract({ name, open }: Backend): void {
  t.test(
    `${name}: pools tell how many transactions use a connection, and how many wait for one`,
    async (t) => {
      const { store } = await open(t, { poolSize: 2 })
      const waiting = () => store.pools().reduce((sum, pool) => sum + pool.waiting, 0)
      const lent = () => store.pools().reduce((sum, pool) => sum + pool.size - pool.idle, 0)
      t.equal(waiting(), 0)
      let finish = () => {}
      const finished = new Promise<void>((resolve) => (finish = resolve))
      let begun = 0
      const writes = Array.from({ length: 6 }, () =>
        store.write(async () => {
          begun++
          await finished
        }),
      )
      while (begun === 0 || begun + waiting() < 6) await sleep(5)
      t.equal(lent(), begun)
      t.equal(waiting(), 6 - begun)
      const [busy] = store.pools().filter((pool) => pool.waiting > 0)
      t.match(busy, { name: /^(writer|primary)$/, gate: true, idle: 0, size: begun })
      finish()
      await Promise.all(writes)
      t.equal(waiting(), 0)
      t.equal(lent(), 0)
      t.equal(new Set(store.pools().map((pool) => pool.name)).size, store.pools().length, 'each has its name')
      t.ok(store.pools().some((pool) => !pool.gate))
    },
  )
}
