import { readFileSync } from 'node:fs'
import pg from 'pg'
import t from 'tap'
import { parse } from 'yaml'
import { gatehouse } from '../cli/support.js'
import { needs, unmet } from '../support/requires.js'
import { startServer, temporaryFolder } from '../support/server.js'
import { startPostgres } from '../support/embedded-postgres.js'
import { runStep } from './support.js'

interface Service {
  readonly image?: string
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly environment: Readonly<Record<string, string>>
  readonly entrypoint?: readonly string[]
  readonly command?: readonly string[]
  readonly restart?: string
}

t.test('compose.yaml: the schema service makes what the server needs', { skip: needs('psql') }, async (t) => {
  const { services } = parse(readFileSync('examples/compose.yaml', 'utf8')) as {
    services: Readonly<Record<'postgres' | 'schema' | 'gatehouse', Service>>
  }
  const { schema } = services
  t.equal(schema.restart, 'no')
  t.equal(schema.image, services.postgres.image)
  t.equal(services.gatehouse.depends_on?.['schema']?.condition, 'service_completed_successfully')

  const postgres = await startPostgres()
  t.teardown(() => postgres.stop())
  const sql = async (...statements: string[]) => {
    const client = new pg.Client(postgres.adminUrl)
    await client.connect()
    let rows = 0
    for (const statement of statements) rows += (await client.query(statement)).rowCount ?? 0
    await client.end()
    return rows
  }
  // A given server may be somebody's.
  if ((await sql("select from pg_database where datname = 'gatehouse'")) > 0) {
    return t.pass(unmet('the server has a database gatehouse already') || 'none')
  }
  t.teardown(() =>
    sql('drop database if exists gatehouse with (force)', 'drop role if exists gatehouse_server'),
  )
  const admin = new URL(postgres.adminUrl)
  const given = {
    PGHOST: admin.hostname,
    PGPORT: admin.port,
    PGUSER: admin.username,
    PGPASSWORD: admin.password,
    GATEHOUSE_DB_PASSWORD: 'Secret1',
    MIGRATIONS: `${process.cwd()}/migrations-external`,
  }
  for (const name of Object.keys(schema.environment)) t.ok(name in given, name)
  const [program, ...flags] = schema.entrypoint as [string, ...string[]]
  // Compose reads $$ as a dollar.
  const script = schema.command![0]!.replaceAll('$$', '$')
  for (const time of ['first', 'second']) {
    const { code, log } = await runStep([program, ...flags], script, { cwd: temporaryFolder(t), env: given })
    t.equal(code, 0, `${time} time: ${log}`)
  }
  const secrets: Record<string, string> = {
    GATEHOUSE_DB_PASSWORD: 'Secret1',
    GATEHOUSE_ADMIN_TOKEN: 'x'.repeat(32),
  }
  const env = Object.fromEntries(
    Object.entries(services.gatehouse.environment).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+):\?[^}]*\}/g, (_match, secret: string) => secrets[secret] ?? 'none'),
    ]),
  )
  const url = env['DATABASE_URL']!.replace('postgres:5432', admin.host)
  t.same(await gatehouse(['check-schema'], { env: { DATABASE_URL: url } }), {
    code: 0,
    stdout: 'ready\n',
    stderr: '',
  })
  // As in the container: reached by others, and with the first token from the environment.
  const server = await startServer({ ...env, DATABASE_URL: url })
  const { port } = new URL(server.url)
  const whoami = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${port}/v1/whoami`, { headers })
  t.equal((await whoami({})).status, 401)
  const known = await whoami({ authorization: `Bearer ${secrets['GATEHOUSE_ADMIN_TOKEN']}` })
  t.match(await known.json(), { actor: 'admin-token' })
  t.equal(await server.stop(), 0)
})
