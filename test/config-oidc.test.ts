import { readFileSync } from 'node:fs'
import t from 'tap'
import { readConfigFile } from '../src/config-file.js'
import { readOidc } from '../src/config-oidc.js'
import type { Fault } from '../src/gate/outcome.js'

const RULE = { claims: { repository: 'acme/rl' }, scopes: ['runs:submit'] }
const NIGHTLY = {
  name: 'nightly on main',
  claims: { repository: 'acme/rl', event_name: ['schedule', 'workflow_dispatch'], ref: 'refs/heads/main' },
  scopes: ['runs:submit', 'baselines:write'],
  test_path_prefixes: ['tests/rl/', 'tests/e2e'],
}
const ISSUER = {
  issuer: 'https://token.actions.githubusercontent.com',
  audience: 'gatehouse',
  rules: [NIGHTLY, { ...RULE, on_behalf: true }],
}

function faultsOf(value: unknown): Fault[] {
  const faults: Fault[] = []
  readOidc(JSON.parse(JSON.stringify(value)), faults)
  return faults
}

t.test('what the file can say', async (t) => {
  const file = readConfigFile(
    JSON.stringify({
      oidc: [ISSUER, { ...ISSUER, issuer: 'http://127.0.0.1:9/', jwks_uri: 'https://keys.example/?v=1' }],
    }),
  )
  t.ok(file.ok)
  if (!file.ok) return
  t.match(file.value.oidc[1], { issuer: 'http://127.0.0.1:9/', jwksUri: 'https://keys.example/?v=1' })
  t.strictSame(file.value.oidc[0], {
    issuer: 'https://token.actions.githubusercontent.com',
    audience: 'gatehouse',
    jwksUri: null,
    rules: [
      {
        name: 'nightly on main',
        claims: new Map([
          ['repository', ['acme/rl']],
          ['event_name', ['schedule', 'workflow_dispatch']],
          ['ref', ['refs/heads/main']],
        ]),
        scopes: new Set(['runs:submit', 'baselines:write']),
        testPathPrefixes: ['tests/rl/', 'tests/e2e'],
        onBehalf: false,
      },
      {
        name: 'oidc[0].rules[1]',
        claims: new Map([['repository', ['acme/rl']]]),
        scopes: new Set(['runs:submit']),
        testPathPrefixes: null,
        onBehalf: true,
      },
    ],
  })
  t.match(readConfigFile('{}'), { value: { oidc: [] } })
  t.same(faultsOf([]), [], 'no issuers is as good as no key')
})

t.test('what the documentation shows is taken', async (t) => {
  const shown = /```json\n([^]*?)```/.exec(readFileSync('docs/github-oidc.md', 'utf8'))?.[1] ?? ''
  const file = readConfigFile(shown)
  t.match(file, { ok: true }, JSON.stringify(file))
  t.same(file.ok && file.value.oidc[0]?.rules.map(({ name }) => name), [
    'nightly on main',
    'labelled pull requests, once approved',
    'forks',
    'oidc[0].rules[3]',
  ])
})

t.test('each fault under its place', async (t) => {
  const withIssuer = (members: object) => [{ ...ISSUER, ...members }]
  const withRule = (members: object) => withIssuer({ rules: [RULE, { ...RULE, ...members }] })
  const at = 'oidc[0].rules[1]'
  const cases: ReadonlyArray<readonly [value: unknown, where: string, message: RegExp]> = [
    [{}, 'oidc', /must be a list/],
    [['x'], 'oidc[0]', /must be an object with issuer/],
    [
      withIssuer({ jwks_url: 'x' }),
      'oidc[0].jwks_url',
      /not known; known are issuer, audience, jwks_uri, rules/,
    ],
    [withIssuer({ issuer: undefined }), 'oidc[0].issuer', /must be a text/],
    [withIssuer({ issuer: 'http://issuer.example' }), 'oidc[0].issuer', /https/],
    [withIssuer({ issuer: 'github' }), 'oidc[0].issuer', /must be a URL/],
    [withIssuer({ jwks_uri: 'http://keys.example' }), 'oidc[0].jwks_uri', /https/],
    [withIssuer({ jwks_uri: null }), 'oidc[0].jwks_uri', /must be a text/],
    [withIssuer({ audience: '' }), 'oidc[0].audience', /is empty/],
    [withIssuer({ audience: ['a'] }), 'oidc[0].audience', /must be a text/],
    [withIssuer({ audience: undefined }), 'oidc[0].audience', /must be a text/],
    [withIssuer({ rules: [] }), 'oidc[0].rules', /at least one rule/],
    [withIssuer({ rules: RULE }), 'oidc[0].rules', /at least one rule/],
    [[ISSUER, ISSUER], 'oidc[1].issuer', /stands in oidc\[0\] already/],
    [withRule({ scope: ['admin'] }), `${at}.scope`, /not known; known are name, claims, scopes/],
    [withIssuer({ rules: [RULE, null] }), at, /must be an object/],
    [withRule({ name: '' }), `${at}.name`, /is empty/],
    [withRule({ claims: {} }), `${at}.claims`, /must be an object from claim/],
    [withRule({ claims: [['repository', 'x']] }), `${at}.claims`, /must be an object from claim/],
    [withRule({ claims: { ...RULE.claims, ref: null } }), `${at}.claims.ref`, /must be a text, a number/],
    [withRule({ claims: { ...RULE.claims, ref: [] } }), `${at}.claims.ref`, /or a list of them/],
    [withRule({ claims: { ...RULE.claims, ref: '' } }), `${at}.claims.ref`, /must be a text/],
    [
      withRule({ claims: { ...RULE.claims, ref: ['x', { pattern: '*' }] } }),
      `${at}.claims.ref`,
      /must be a text/,
    ],
    [withRule({ claims: { ...RULE.claims, x: 2 ** 60 } }), `${at}.claims.x`, /a number/],
    [withRule({ claims: { event_name: 'push' } }), `${at}.claims`, /must name one of repository/],
    [withRule({ scopes: [] }), `${at}.scopes`, /must be a list of scopes: runs:submit/],
    [withRule({ scopes: 'runs:submit' }), `${at}.scopes`, /must be a list/],
    [withRule({ scopes: ['runs:submit', 'runs:write'] }), `${at}.scopes[1]`, /must be one of runs:submit/],
    [withRule({ test_path_prefixes: [] }), `${at}.test_path_prefixes`, /must be a list of beginnings/],
    [withRule({ test_path_prefixes: 'tests/' }), `${at}.test_path_prefixes`, /must be a list/],
    [withRule({ test_path_prefixes: ['a', ''] }), `${at}.test_path_prefixes[1]`, /is empty/],
    [withRule({ test_path_prefixes: [1] }), `${at}.test_path_prefixes[0]`, /must be a text/],
    [withRule({ on_behalf: 'true' }), `${at}.on_behalf`, /must be true or false/],
    [withRule({ ...NIGHTLY, on_behalf: true }), `${at}.scopes ("nightly on main")`, /never written/],
    [
      withRule({ ...NIGHTLY, claims: { ...NIGHTLY.claims, event_name: 'pull_request_target' } }),
      `${at}.claims.event_name ("nightly on main")`,
      /never gets baselines:write/,
    ],
  ]
  for (const [value, where, message] of cases) {
    const faults = faultsOf(value)
    t.match(faults, [{ where, message }], `${where} ${String(message)}`)
    t.equal(faults.length, 1, where)
  }
})

t.test('all faults at once, with those of the rest of the file', async (t) => {
  const rules = [{ claims: {}, scopes: [], on_behalf: 1 }, RULE, { claims: { ref: 'x' }, scopes: ['admin'] }]
  const file = readConfigFile(JSON.stringify({ x: 1, oidc: [{ issuer: 'x', audience: '', rules, more: 1 }] }))
  t.same(file.ok ? [] : file.faults.map(({ where }) => where), [
    'x',
    'oidc[0].more',
    'oidc[0].issuer',
    'oidc[0].audience',
    'oidc[0].rules[0].on_behalf',
    'oidc[0].rules[0].claims',
    'oidc[0].rules[0].scopes',
    'oidc[0].rules[2].claims',
    'oidc[0].rules[2].claims',
  ])
  const twice = `{"oidc": [{"issuer": "https://x.example", "audience": "a", "rules": [{"claims": {"repository": "a/b", "ref": "x", "ref": "y"}, "scopes": ["admin"]}]}]}`
  t.match(readConfigFile(twice), {
    ok: false,
    faults: [{ where: 'oidc[0].rules[0].claims.ref', message: /twice/ }],
  })
})
