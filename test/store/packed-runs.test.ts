import t from 'tap'
import { timestampOf } from '../../src/store/postgres/packed-runs.js'
import { openPostgres } from '../support/stores.js'

t.test('times read as the server writes them', async (t) => {
  const { sql } = await openPostgres(t)
  const rows = await sql<{ micros: string; text: string }>(`
    select ('x' || encode(timestamptz_send(c.time), 'hex'))::bit(64)::bigint::text as micros,
      to_char(c.time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as text
    from unnest(array[
      '0001-01-01 00:00:00+00', '0099-12-31 23:59:59.999999+00', '1969-12-31 23:59:59.999999+00',
      '1970-01-01 00:00:00.000001+00', '1999-12-31 23:59:59.001+00', '2000-01-01 00:00:00+00',
      '2000-02-29 12:00:00.0005+00', '2026-12-01 08:30:01.123456+00', '9999-12-31 23:59:59.999999+00'
    ]::timestamptz[]) as c (time)`)
  for (const { micros, text } of rows) t.equal(timestampOf(BigInt(micros)), text)
  t.equal(rows.length, 9)
})
