import { createServer } from 'node:net'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { gatehouse } from './cli/support.js'
import { startServer, temporaryFolder } from './support/server.js'

// Starts many processes; slow on a busy machine.
t.setTimeout(180_000)

t.test('what a person can mend is told in one line, and nothing is touched', async (t) => {
  const folder = temporaryFolder(t)
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as { port: number }
  const foreign = join(folder, 'README.md')
  writeFileSync(foreign, '# not a database, but long enough to be looked at\n'.repeat(50))
  const before = readFileSync(foreign)
  const database = `sqlite:${join(folder, 'gatehouse.db')}`
  const cases: Array<[name: string, env: Record<string, string>, line: RegExp, exitCode?: number]> = [
    [
      'a port that is taken',
      { PORT: String(port), DATABASE_URL: database },
      new RegExp(`^gatehouse: PORT: ${port} is taken`, 'm'),
    ],
    [
      'a file that is no database',
      { DATABASE_URL: `sqlite:${foreign}` },
      /^gatehouse: DATABASE_URL: .*README\.md/m,
      3,
    ],
    [
      'a file that is no database, by a roundabout path',
      { DATABASE_URL: `sqlite:${folder}/../${basename(folder)}/README.md` },
      /^gatehouse: DATABASE_URL: .*README\.md/m,
      3,
    ],
    [
      'a file where a folder should be',
      { DATABASE_URL: `sqlite:${foreign}/x/y.db` },
      /^gatehouse: DATABASE_URL: .*README\.md is no folder$/m,
      3,
    ],
    [
      'a folder that nobody can make',
      { DATABASE_URL: 'sqlite:/proc/nope/x.db' },
      /^gatehouse: DATABASE_URL: .*ENOENT.*\/proc\/nope/m,
      3,
    ],
    [
      'a scheme in capitals',
      { DATABASE_URL: 'SQLITE:/proc/nope/x.db' },
      /^gatehouse: DATABASE_URL: .*the scheme in small letters, as sqlite:\/proc\/nope\/x\.db$/m,
    ],
    [
      'a path without its scheme',
      { DATABASE_URL: 'data/gatehouse.db' },
      /^gatehouse: DATABASE_URL: .*write sqlite:data\/gatehouse\.db$/m,
    ],
    [
      'a host that others reach',
      { HOST: '192.0.2.1', DATABASE_URL: database },
      /^gatehouse: HOST: .*no credential is configured/m,
    ],
    [
      'a host that is elsewhere',
      { HOST: '192.0.2.1', DATABASE_URL: database, GATEHOUSE_ADMIN_TOKEN: 'x'.repeat(32) },
      /^gatehouse: HOST: 192.0.2.1 is no address of this machine/m,
    ],
  ]
  for (const [name, env, line, exitCode = 2] of cases) {
    const message = await startServer(env).then(
      async (server) => {
        await server.stop()
        return 'it started'
      },
      (error: unknown) => (error as Error).message,
    )
    t.match(message, line, name)
    t.match(message, new RegExp(`^the server ended with ${exitCode}:\n[^\n]*$`), 'one line')
  }
  t.same(readFileSync(foreign), before)
})

t.test('`gatehouse serve` ends with the same words and exit code', async (t) => {
  for (const env of [
    { HOST: '192.0.2.1', DATABASE_URL: `sqlite:${temporaryFolder(t)}/g.db` },
    { DATABASE_URL: 'sqlite:/proc/nope/x.db' },
  ]) {
    const served = await gatehouse(['serve'], { env: { PORT: '0', ...env } })
    const started = await startServer(env).catch((error: unknown) => (error as Error).message)
    t.equal(started, `the server ended with ${served.code}:\n${served.stderr.trim()}`)
  }
})

t.test('a database that is not there yet keeps nothing from starting, and is told', async (t) => {
  const server = await startServer({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' })
  t.teardown(() => server.stop())
  t.ok(server.log.some((line) => /not ready/.test(line)) || (await warned(server.log)))
  t.equal((await fetch(`${server.url}/healthz`)).status, 200)
  t.equal((await fetch(`${server.url}/readyz`)).status, 503)
})

async function warned(log: readonly string[]): Promise<boolean> {
  for (let i = 0; i < 100; i++) {
    if (log.some((line) => /the store is not ready/.test(line))) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}
