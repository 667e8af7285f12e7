/**
 * The floor: a Fastify route that parses the same JSON body and answers with a document of the same size, and one that
 * also commits a row of that size before it answers. A process of its own, started by `bare.ts`.
 *
 * BARE_ANSWER names a file that holds the document; BARE_DATABASE_URL is as DATABASE_URL.
 */
import { readFileSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import Fastify from 'fastify'
import pg from 'pg'

const answer: unknown = JSON.parse(readFileSync(process.env['BARE_ANSWER']!, 'utf8'))
const commit = await committer(process.env['BARE_DATABASE_URL']!)

const app = Fastify({ logger: false, bodyLimit: 256 * 1_048_576 })
app.setReplySerializer((payload) => JSON.stringify(payload))
app.post('/bare', () => answer)
app.post('/durable', async () => {
  await commit(JSON.stringify(answer))
  return answer
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`listening at ${url}\n`)

async function committer(url: string): Promise<(document: string) => Promise<void>> {
  const id = () => `${process.hrtime.bigint()}`
  if (url.startsWith('sqlite:')) {
    const handle = new BetterSqlite3(`${url.slice('sqlite:'.length)}-bare`)
    handle.pragma('journal_mode = wal')
    handle.pragma('synchronous = full')
    handle.exec('create table if not exists bare (id text primary key, document text not null)')
    const insert = handle.prepare('insert into bare (id, document) values (?, ?)')
    return (document) => {
      insert.run(id(), document)
      return Promise.resolve()
    }
  }
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  await pool.query('select 1')
  return async (document) => {
    await pool.query({
      name: 'bare',
      text: 'insert into bare (id, document) values ($1, $2)',
      values: [id(), document],
    })
  }
}
