/** A SQLite file that is damaged, or another program's. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import BetterSqlite3 from 'better-sqlite3'
import t, { type Test } from 'tap'
import { Ledger } from '../support/load.js'
import { serve, temporaryFolder } from '../support/server.js'

t.setTimeout(120_000)

const SERVER = fileURLToPath(new URL('../../src/server.js', import.meta.url))

/** A file of this program with some runs, as an orderly end leaves it. */
async function filledFile(t: Test): Promise<string> {
  const path = `${temporaryFolder(t)}/g.db`
  const server = await serve(t, { DATABASE_URL: `sqlite:${path}` })
  const ledger = new Ledger()
  for (let i = 0; i < 40; i++) await ledger.submit(server.url, ledger.next())
  t.equal(ledger.count(201), 40)
  t.equal(await server.stop(), 0)
  return path
}

/** The names and hashes of everything beside the file, itself included. */
function contentAround(path: string): Array<[string, string]> {
  const folder = dirname(path)
  return readdirSync(folder).map((name) => {
    const bytes = readFileSync(`${folder}/${name}`)
    return [name, createHash('sha256').update(bytes).digest('hex')]
  })
}

const cases: ReadonlyArray<{
  what: string
  says: RegExp
  leaves?: readonly string[]
  make: (t: Test) => Promise<string> | string
}> = [
  {
    what: 'a text file',
    says: /it is no SQLite database/,
    make: (t) => {
      const path = `${temporaryFolder(t)}/g.db`
      writeFileSync(path, 'title,artist\n'.repeat(1_000))
      return path
    },
  },
  {
    what: "another program's database",
    says: /tables of another program/,
    make: (t) => {
      const path = `${temporaryFolder(t)}/g.db`
      const database = new BetterSqlite3(path)
      database.pragma('journal_mode = wal')
      database.exec("create table songs (title text); insert into songs values ('a')").close()
      return path
    },
  },
  {
    what: 'a file that lost its second half',
    says: /damaged/,
    make: async (t) => {
      const path = await filledFile(t)
      truncateSync(path, Math.floor(readFileSync(path).length / 8_192) * 4_096)
      return path
    },
  },
  {
    what: 'a file whose first page is overwritten behind its header',
    says: /damaged/,
    // SQLite's own, of a file that is this program's by its header.
    leaves: ['g.db-shm', 'g.db-wal'],
    make: async (t) => {
      const path = await filledFile(t)
      const bytes = readFileSync(path)
      writeFileSync(path, bytes.fill(0xa5, 100, 4_096))
      return path
    },
  },
]
for (const { what, says, make, leaves = [] } of cases) {
  t.test(`${what} is refused, and stays as it is to the byte`, async (t) => {
    const path = await make(t)
    const before = contentAround(path)
    const env = { PATH: process.env['PATH'], PORT: '0', DATABASE_URL: `sqlite:${path}` }
    const { status, stdout, stderr } = spawnSync(process.execPath, [SERVER], {
      env,
      encoding: 'utf8',
      timeout: 20_000,
    })
    t.equal(status, 3, `${stdout}${stderr}`)
    t.match(stderr, says)
    t.match(stderr, basename(path), 'the file is named')
    t.same(
      contentAround(path).filter(([name]) => !leaves.includes(name)),
      before,
    )
  })
}

t.test('pages in the middle are overwritten: told, and not made worse', async (t) => {
  const path = await filledFile(t)
  const bytes = readFileSync(path)
  const database = new BetterSqlite3(path, { readonly: true })
  const pages = (name: string) =>
    database.prepare<[string], { pageno: number }>('select pageno from dbstat where name = ?').all(name)
  const damaged = pages('metric_values_coordinate').map(({ pageno }) => pageno)
  database.close()
  for (const page of damaged) bytes.fill(0xa5, (page - 1) * 4_096, page * 4_096)
  writeFileSync(path, bytes)

  const { url, stop } = await serve(t, { DATABASE_URL: `sqlite:${path}` })
  const ledger = new Ledger()
  // Runs that the file does not hold.
  while (ledger.next() < 100);
  for (let i = 0; i < 5; i++) await ledger.submit(url, ledger.next())
  t.equal(ledger.count(503), 5, 'what needs those pages is refused')
  t.same(ledger.surprises, [])
  t.equal((await fetch(`${url}/healthz`)).status, 200)
  t.equal((await fetch(`${url}/v1/runs?limit=1`)).status, 200, 'what does not is answered')
  t.equal(await stop(), 0)
  t.ok(readFileSync(path).equals(bytes), 'nothing was written')
})
