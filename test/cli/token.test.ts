import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { TokenDocument } from '../../src/documents/token.js'
import { temporaryFolder } from '../support/server.js'
import { openPostgres } from '../support/stores.js'
import { gatehouse, MAIN } from './support.js'

t.setTimeout(120_000)

async function lifeOf(t: Test, database: string, place: string): Promise<void> {
  const env = { DATABASE_URL: database }
  const token = (...args: string[]) => gatehouse(['token', ...args], { env })
  const first = await token('create', '--name', 'admin', '--scope', 'admin')
  t.equal(first.code, 0, first.stderr)
  t.match(first.stdout, /^gatehouse_[\w-]{43}\n$/, 'the token alone')
  t.match(first.stderr, /token admin .* made: admin; never expires\n.*not shown again.*\nIt is the first/)
  t.ok(first.stderr.includes(`only its hash is stored, in ${place}.\n`), first.stderr)
  t.notMatch(first.stderr, /warning/)
  const second = await token(
    ...['create', '-n', 'ci', '-s', 'runs:submit', '-s', 'baselines:write', '--expires', '90d'],
    ...['--test-path-prefix', 'tests/a/', '--test-path-prefix', 'b'],
  )
  t.match(second.stderr, /runs:submit, baselines:write; confined to tests\/a\/, b; expires 20/)
  t.match(second.stderr, /warning: the prefix "b" ends without a slash, and covers "b-other\/" too/)
  t.notMatch(second.stderr, /gatehouse_[\w-]{43}|It is the first|tests\/a\/" ends/)

  const taken = await token('create', '--name', 'ci', '--scope', 'admin')
  t.match(taken, { code: 2, stdout: '', stderr: /a token named "ci" stands/ })
  const confined = await token('create', '--name', 'x', '--scope', 'admin', '--test-path-prefix', 'a')
  t.match(confined, { code: 2, stdout: '', stderr: /test_path_prefixes: cannot confine/ })

  const list = async () => JSON.parse((await token('list', '--json')).stdout) as TokenDocument[]
  const [ci, admin] = (await list()) as [TokenDocument, TokenDocument]
  t.match(ci, { name: 'ci', test_path_prefixes: ['tests/a/', 'b'], created_by: /^cli:/, revoked_at: null })
  t.equal(Date.parse(ci.expires_at!) - Date.parse(ci.created_at), 90 * 86_400_000)
  const { stdout: table } = await token('list')
  t.match(
    table,
    new RegExp(
      `^TOKEN +NAME +STATE.*\n${ci.token_id} +ci +good +runs:submit,baselines:write +tests/a/,b +20`,
    ),
  )
  for (const secret of [first.stdout.trim(), second.stdout.trim()]) t.notMatch(table, new RegExp(secret))

  t.match(await token('revoke', 'ci'), { code: 0, stdout: '', stderr: `token ci (${ci.token_id}) revoked\n` })
  t.match(await token('revoke', 'ci'), { code: 2, stderr: /no token that stands is named "ci"/ })
  t.match(await token('revoke', ci.token_id), { code: 0, stderr: /was revoked at 20.* already/ })
  t.match(await token('list'), { stdout: new RegExp(`ci +revoked .*\n${admin.token_id} +admin +good `) })
}

t.test('SQLite', async (t) => {
  const path = join(temporaryFolder(t), 'x', 'y.db')
  await lifeOf(t, `sqlite:${path}`, path)
})

t.test('PostgreSQL, under the role of the server', async (t) => {
  const { location } = await openPostgres(t)
  const { host, pathname } = new URL(location)
  await lifeOf(t, location, `${host}${pathname} (PostgreSQL)`)
})

t.test('what is of no use, or leaves nobody in charge, is made and warned of', async (t) => {
  const env = { DATABASE_URL: `sqlite:${join(temporaryFolder(t), 'x.db')}` }
  const first = await gatehouse(['token', 'create', '-n', 'ci', '-s', 'baselines:write'], { env })
  t.match(first, { code: 0, stdout: /^gatehouse_[\w-]{43}\n$/ })
  t.match(first.stderr, /^warning: the scope baselines:write is of no use alone.*runs:submit/m)
  t.match(first.stderr, /^warning: open mode is over, and there is no token with the scope admin/m)
  const second = await gatehouse(['token', 'create', '-n', 'ci2', '-s', 'baselines:write', '-s', 'admin'], {
    env,
  })
  t.match(second, { code: 0 })
  t.notMatch(second.stderr, /warning/)
})

t.test('a fault in what only the server uses keeps nobody from revoking', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'config.json'), '{"cadence": {')
  const env = {
    DATABASE_URL: `sqlite:${join(folder, 'x.db')}`,
    DATABASE_READ_URL: 'nonsense',
    DATABASE_POOL_SIZE: 'many',
    GATEHOUSE_CONFIG: join(folder, 'config.json'),
    RATE_LIMIT: 'fast',
    LOG_LEVEL: 'loud',
    BASELINE_WINDOW: '0',
  }
  for (const args of [['create', '-n', 'ci', '-s', 'admin'], ['list'], ['revoke', 'ci']]) {
    t.match(await gatehouse(['token', ...args], { env }), { code: 0 }, args.join(' '))
  }
  const wrong = await gatehouse(['token', 'list'], { env: { ...env, DATABASE_URL: 'nonsense' } })
  t.match(wrong, { code: 2, stderr: /DATABASE_URL: must be/ })
})

t.test('a shell takes the token as it is', (t) => {
  const script = `TOKEN=$("$0" "$1" token create --name x --scope history:read 2>/dev/null); printf '[%s]' "$TOKEN"`
  const env = { PATH: process.env['PATH'], DATABASE_URL: `sqlite:${join(temporaryFolder(t), 'x.db')}` }
  const { stdout } = spawnSync('sh', ['-c', script, process.execPath, MAIN], { env, encoding: 'utf8' })
  t.match(stdout, /^\[gatehouse_[\w-]{43}\]$/)
  t.end()
})

t.test('no database: list and revoke make none', async (t) => {
  const path = join(temporaryFolder(t), 'x.db')
  for (const args of [['list'], ['revoke', 'x']]) {
    const ran = await gatehouse(['token', ...args, '--database', `sqlite:${path}`])
    t.match(ran, { code: 3, stdout: '', stderr: /there is no database/ })
  }
  t.notOk(existsSync(path))
  const silent = await gatehouse([
    'token',
    'create',
    '-n',
    'x',
    '-s',
    'admin',
    '-d',
    'postgres://x@127.0.0.1:1/y',
  ])
  t.match(silent, { code: 3, stdout: '', stderr: /the store is unavailable/ })
})

t.test("the server's own settings matter to serve alone", async (t) => {
  const env = {
    GATEHOUSE_ADMIN_TOKEN: 'short',
    GATEHOUSE_PUBLIC_READ: 'x',
    DATABASE_URL: `sqlite:${join(temporaryFolder(t), 'x.db')}`,
  }
  t.equal((await gatehouse(['token', 'create', '-n', 'x', '-s', 'admin'], { env })).code, 0)
  const served = await gatehouse(['serve'], { env })
  t.match(served, { code: 2, stderr: /GATEHOUSE_ADMIN_TOKEN: has 5 characters/ })
  t.match(served.stderr, /GATEHOUSE_PUBLIC_READ: must be exactly true or false/)
})
