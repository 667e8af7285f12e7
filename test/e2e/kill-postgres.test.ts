import t from 'tap'
import { killUnderLoad } from '../support/kill-loop.js'
import { openPostgres } from '../support/stores.js'

t.setTimeout(600_000)

t.test('fifty kills on PostgreSQL', { timeout: 600_000 }, async (t) => {
  const opened = await openPostgres(t)
  await killUnderLoad(t, opened.location, opened, 50)
})
