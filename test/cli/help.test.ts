import { readFileSync } from 'node:fs'
import t from 'tap'
import { gatehouse } from './support.js'

const COMMANDS = [
  'serve',
  'demo',
  'check-schema',
  'token',
  'export',
  'import',
  'replay',
  'convert',
  'eval',
  'copy-history',
]

t.test('--help lists every command and the exit codes', async (t) => {
  const { code, stdout, stderr } = await gatehouse(['--help'])
  t.equal(code, 0)
  t.equal(stderr, '')
  for (const command of COMMANDS) t.match(stdout, new RegExp(`^ {2}${command} `, 'm'))
  for (const exitCode of [0, 1, 2, 3, 4]) t.match(stdout, new RegExp(`^ {2}${exitCode} {2}\\w`, 'm'))
})

t.test('every command has help with examples', async (t) => {
  const helps = await Promise.all(
    COMMANDS.map(async (command) => ({ command, ...(await gatehouse([command, '--help'])) })),
  )
  for (const { command, code, stdout, stderr } of helps) {
    t.equal(code, 0, command)
    t.equal(stderr, '', command)
    t.match(stdout, new RegExp(`^Usage: gatehouse ${command} `), command)
    t.match(stdout, new RegExp(`\nExamples:\n(.*\n)*.*gatehouse ${command}`), command)
  }
  t.equal(
    (await gatehouse(['help', 'replay'])).stdout,
    helps.find(({ command }) => command === 'replay')!.stdout,
  )
})

t.test('--version', async (t) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  t.same(await gatehouse(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
})

t.test('bad usage is exit code 2, with words on stderr and nothing on stdout', async (t) => {
  const cases: ReadonlyArray<readonly [args: string[], words: RegExp]> = [
    [[], /Usage: gatehouse/],
    [['imprt'], /unknown command 'imprt'\n\(Did you mean import\?\)/],
    [['token', 'create', '--name', 'x'], /required option '-s, --scope <scope>' not specified/],
    [['token', 'create', '--scope', 'admin'], /required option '-n, --name <name>' not specified/],
    [['token', 'create', '--name', 'x', '--scope', 'root'], /There are runs:submit, baselines:write/],
    [['token', 'create', '--name', 'x', '--scope', 'admin', '--expires', '90'], /from 1d to 3650d, as 90d/],
    [['token', 'create', '--name', 'x', '--scope', 'admin', '--expires', '3651d'], /from 1d to 3650d/],
    [['token', 'revoke'], /missing required argument 'token'/],
    [['export', '--outptu', 'x'], /unknown option '--outptu'\n\(Did you mean --output\?\)/],
    [['export', 'x'], /too many arguments/],
    [['import'], /missing required argument 'file'/],
    [['export', '--since', 'yesterday'], /--since .* is invalid. It must be a time with its offset/],
    [['export', '--commit-sha', 'abc1234'], /has 7 digits; send the whole SHA/],
    [['export', '--github-run-id', '9223372036854775808'], /beyond 2\^63-1/],
    [['export', '--pr-number', '0'], /an integer from 1/],
    [['export', '--trusted', 'yes'], /must be true or false/],
    [['convert', 'x'], /required option '--from <format>' not specified/],
    [['convert', '--from', 'tensorboard', 'x'], /Allowed choices are hf-trainer/],
    [['eval', 'import', 'x'], /required option '--from <tool>' not specified/],
    [['eval', 'import', '--from', 'helm', 'x'], /Allowed choices are inspect, lm-eval, promptfoo/],
    [['export', '--database', 'mysql://x'], /--database: must be sqlite:PATH or postgres/],
    [['export', '--config', '/nowhere.json'], /GATEHOUSE_CONFIG: \/nowhere.json cannot be read/],
    [['replay', '--export', '-'], /takes a file, not standard input/],
    [['replay', '--export', 'x', '--database', 'sqlite:x'], /leave one of them out/],
    [['demo', '--database', 'postgres://x@127.0.0.1/y'], /fills an embedded store only/],
  ]
  const ran = await Promise.all(cases.map(([args]) => gatehouse(args)))
  for (const [i, [args, words]] of cases.entries()) {
    const { code, stdout, stderr } = ran[i]!
    t.equal(code, 2, args.join(' '))
    t.equal(stdout, '', args.join(' '))
    t.match(stderr, words, args.join(' '))
  }
})

t.test('a password in DATABASE_URL is never told', async (t) => {
  const env = { DATABASE_URL: 'postgresq://u:secret@h/d' }
  const { code, stderr } = await gatehouse(['export'], { env })
  t.equal(code, 2)
  t.match(stderr, /DATABASE_URL: must be/)
  t.notMatch(stderr, /secret/)
})

t.test('HOST and PORT matter to serve alone', async (t) => {
  const env = { HOST: '0.0.0.0', PORT: 'x', DATABASE_URL: 'sqlite:/nowhere/x.db' }
  t.equal((await gatehouse(['check-schema'], { env })).code, 0)
  const served = await gatehouse(['serve'], { env })
  t.equal(served.code, 2)
  t.match(served.stderr, /PORT: must be an integer/)
})
