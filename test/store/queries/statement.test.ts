import { sql } from 'kysely'
import t from 'tap'
import { statement } from '../../../src/store/queries/statement.js'
import type { Database } from '../../../src/store/queries/dialect.js'
import { connect } from '../../../src/store/sqlite/connection.js'
import { temporaryFolder } from '../../support/server.js'

function open(t: { teardown(work: () => void): unknown }): { db: Database; told: string[] } {
  const told: string[] = []
  const { db, close } = connect(`${temporaryFolder(t)}/s.db`, 'begin', { onQuery: (text) => told.push(text) })
  t.teardown(() => void close())
  return { db, told }
}

t.test('a statement is made once, and each value is bound where it stands', async (t) => {
  let made = 0
  const { db, told } = open(t)
  const ask = statement((_db, { a, b }: { a: number; b: string }) => {
    made++
    return sql<{ x: number; y: string; z: number }>`select ${a} as x, ${b} as y, ${a} + 1 as z`
  })
  t.same(await ask(db, { a: 1, b: 'one' }), [{ x: 1, y: 'one', z: 2 }])
  t.same(await ask(db, { b: 'two', a: 2 }), [{ x: 2, y: 'two', z: 3 }])
  t.equal(made, 1)
  t.equal(new Set(told).size, 1)
})

t.test('a value that would never change again is refused', async (t) => {
  const { db } = open(t)
  const frozen = statement((_db, { a }: { a: number }) => sql`select ${a}, ${new Date(0).toISOString()}`)
  await t.rejects(frozen(db, { a: 1 }), /made once holds the parameter 1970/)
})
