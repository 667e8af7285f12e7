import t from 'tap'
import { killUnderLoad } from '../support/kill-loop.js'
import { openSqlite } from '../support/stores.js'

t.setTimeout(600_000)

t.test('fifty kills on SQLite', { timeout: 600_000 }, async (t) => {
  const opened = await openSqlite(t)
  await killUnderLoad(t, `sqlite:${opened.location}`, opened, 50)
})
