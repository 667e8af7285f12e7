/** A process of its own that imports many runs into the file it is given, and tells how many were taken so far. */
import { openSqliteStore } from '../../src/store/sqlite/open.js'
import { at, imported, value } from './fixtures.js'

const [, , path = '', count = ''] = process.argv
const store = await openSqliteStore({ path })
async function* runs() {
  for (let index = 0; index < Number(count); index++) {
    const values = Array.from({ length: 50 }, (_none, step) => value('m', step, index + step))
    yield Promise.resolve(imported(`r${index}`, { createdAt: at(index), cadence: 'nightly', values }))
  }
}
const result = await store.importRuns(runs(), (taken) => process.send?.({ taken }))
process.send?.({ result })
await store.close()
process.disconnect?.()
