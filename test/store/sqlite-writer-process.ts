/** A process of its own that writes a hundred runs to the file it is given, and says so after each. */
import { openSqliteStore } from '../../src/store/sqlite/open.js'
import { findRun, lossRun } from './fixtures.js'

const [, , path = '', name = ''] = process.argv
const store = await openSqliteStore({ path })
for (let index = 0; index < 100; index++) {
  await store.write(async (writer) => {
    // Reads before it writes, which fails in a deferred transaction.
    await findRun(writer, `r${name}-${index}`)
    await writer.writeRun(lossRun(`r${name}-${index}`, await writer.now(), index))
  })
  process.send?.(index)
}
await store.close()
process.disconnect?.()
