import { readFileSync } from 'node:fs'
import t from 'tap'
import { readConfigFile } from '../src/config-file.js'
import { configWarnings } from '../src/config-warnings.js'
import { VARIABLES } from '../src/config.js'
import { serve, temporaryFolder } from './support/server.js'

const NOTHING = { oidc: [] }

function rulesWith(issuer: string, ...rules: readonly object[]): string[] {
  const file = readConfigFile(JSON.stringify({ oidc: [{ issuer, audience: 'gatehouse', rules }] }))
  if (!file.ok) throw new Error(JSON.stringify(file.faults))
  return configWarnings({}, file.value).map(({ where, message }) => `${where}: ${message}`)
}

t.test('variables that nobody reads', (t) => {
  const cases: ReadonlyArray<readonly [name: string, nearest: string | null]> = [
    ['GATEHOUSE_ADMIN_TOKN', 'GATEHOUSE_ADMIN_TOKEN'],
    ['GATEHOUSE_CONFIG_', 'GATEHOUSE_CONFIG'],
    ['GATEHOUSE_DATABASE_URL', 'DATABASE_URL'],
    ['GATEHOUSE_PORT', 'PORT'],
    ['RATE_LIMITS', 'RATE_LIMIT'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['database_url', 'DATABASE_URL'],
    ['GATEHOUSE_SOMETHING_ELSE', null],
  ]
  for (const [name, nearest] of cases) {
    const [warning, ...more] = configWarnings({ [name]: 'hunter2' }, NOTHING)
    t.equal(warning?.where, name)
    t.match(warning?.message, nearest === null ? /known are HOST, PORT/ : `is ${nearest} meant?`, name)
    t.notMatch(warning?.message, /hunter2/)
    t.same(more, [])
  }
  t.end()
})

t.test('variables that are known, or of others', (t) => {
  const others = {
    HOME: '/root',
    HOSTNAME: 'a',
    PATH: '/bin',
    PORTS: '1',
    DATABASE_HOST: 'db',
    NODE_OPTIONS: '',
    GATEHOUSE_URL: 'http://127.0.0.1:8080',
    GATEHOUSE_SERVICE_HOST: '10.0.0.1',
    GATEHOUSE_PORT: 'tcp://10.0.0.1:8080',
    GATEHOUSE_PORT_8080_TCP_ADDR: '10.0.0.1',
    GATEHOUSE_UNSET: '',
  }
  const known = Object.fromEntries(VARIABLES.map((name) => [name, 'x']))
  t.same(configWarnings({ ...others, ...known }, NOTHING), [])
  const table = readFileSync('README.md', 'utf8')
  for (const name of VARIABLES) t.ok(table.includes(`\`${name}\``), `the README lists ${name}`)
  t.end()
})

t.test('rules that can never match, or reach further than they look', (t) => {
  const GITHUB = 'https://token.actions.githubusercontent.com'
  const claims = { repository: 'acme/rl' }
  const scopes = ['runs:submit']
  const rule = (more: object, rest: object = {}) => ({ claims: { ...claims, ...more }, scopes, ...rest })
  const cases: ReadonlyArray<readonly [warnings: string[], expected: readonly RegExp[]]> = [
    [rulesWith(GITHUB, rule({ ref: 'refs/heads/main' }), rule({})), []],
    [rulesWith(`${GITHUB}/`, rule({})), [/^oidc\[0\]\.issuer: ends with a slash/]],
    [
      rulesWith(GITHUB, rule({ ref: 'refs/heads/*' })),
      [/^oidc\[0\]\.rules\[0\]: the claim ref .*a \* stands/],
    ],
    [
      rulesWith(GITHUB, rule({ repository: 'acme/*' }, { name: 'all' })),
      [/^oidc\[0\]\.rules\[0\] \("all"\): /],
    ],
    [
      rulesWith(GITHUB, rule({ ref: ['refs/heads/a', 'main'] })),
      [/the claim ref is "main", .* refs\/heads\/main/],
    ],
    [
      rulesWith(
        GITHUB,
        rule({ event_name: ['push', 'schedule'] }, { name: 'wide' }),
        rule({ event_name: 'push', ref: 'refs/heads/a' }),
      ),
      [/^oidc\[0\]\.rules\[1\]: never decides: oidc\[0\]\.rules\[0\] \("wide"\) stands before it/],
    ],
    [rulesWith(GITHUB, rule({ event_name: 'push' }), rule({ event_name: ['push', 'schedule'] })), []],
    [
      rulesWith(GITHUB, rule({}, { test_path_prefixes: ['tests/a', 'tests/b/'] })),
      [/the prefix "tests\/a" ends without a slash/],
    ],
  ]
  for (const [warnings, expected] of cases) {
    t.equal(warnings.length, expected.length, warnings.join('\n'))
    for (const [index, pattern] of expected.entries()) t.match(warnings[index], pattern)
  }
  t.end()
})

t.test('a server starts with them, and says them', async (t) => {
  const { log } = await serve(t, {
    DATABASE_URL: `sqlite:${temporaryFolder(t)}/g.db`,
    GATEHOUSE_RATE_LIMIT: 'hunter2',
  })
  t.match(log.join('\n'), /"level":40.*configuration: GATEHOUSE_RATE_LIMIT is not known.*is RATE_LIMIT meant/)
  t.notMatch(log.join('\n'), /hunter2/)
})
