import t from 'tap'
import {
  type Claims,
  type ClaimValue,
  grantFor,
  type OidcRule,
  ruleFaults,
} from '../../src/policy/oidc-rules.js'
import { type Scope, SCOPES } from '../../src/policy/scopes.js'

function rule(
  claims: Readonly<Record<string, ClaimValue | readonly ClaimValue[]>>,
  scopes: readonly Scope[] = ['runs:submit'],
  more: Partial<OidcRule> = {},
): OidcRule {
  const listed = Object.entries(claims).map(([name, value]): [string, readonly ClaimValue[]] => [
    name,
    Array.isArray(value) ? (value as readonly ClaimValue[]) : [value as ClaimValue],
  ])
  return {
    name: 'rule',
    claims: new Map(listed),
    scopes: new Set(scopes),
    testPathPrefixes: null,
    onBehalf: false,
    ...more,
  }
}

const NIGHTLY = { repository: 'acme/rl', event_name: 'schedule', ref: 'refs/heads/main' }

t.test('claims match to the letter, or by a list; never by pattern', async (t) => {
  const cases: ReadonlyArray<readonly [claims: Claims, matches: boolean]> = [
    [NIGHTLY, true],
    [{ ...NIGHTLY, event_name: 'workflow_dispatch' }, true],
    [{ ...NIGHTLY, more: 'x' }, true],
    [{ ...NIGHTLY, event_name: 'push' }, false],
    [{ ...NIGHTLY, event_name: ['schedule', 'workflow_dispatch'] }, false],
    [{ ...NIGHTLY, event_name: ['schedule'] }, false],
    [{ ...NIGHTLY, repository: 'Acme/rl' }, false],
    [{ ...NIGHTLY, repository: 'acme/rl2' }, false],
    [{ ...NIGHTLY, repository: 'x/acme/rl' }, false],
    [{ ...NIGHTLY, ref: 'refs/heads/main ' }, false],
    [{ ...NIGHTLY, ref: undefined }, false],
    [{ ...NIGHTLY, ref: null }, false],
    [{ repository: 'acme/rl', event_name: 'schedule' }, false],
    [Object.create(NIGHTLY) as Claims, false],
    [{}, false],
  ]
  const rules = [rule({ ...NIGHTLY, event_name: ['schedule', 'workflow_dispatch'] })]
  for (const [claims, matches] of cases)
    t.equal(grantFor(rules, claims) !== null, matches, JSON.stringify(claims))

  const pattern = [rule({ repository: ['acme/*', '.*'] })]
  t.equal(grantFor(pattern, NIGHTLY), null)
  t.ok(grantFor(pattern, { repository: 'acme/*' }), 'a star is a star')

  const typed = [rule({ repository: 'acme/rl', count: [1, 2], flag: true })]
  t.ok(grantFor(typed, { repository: 'acme/rl', count: 2, flag: true }))
  for (const other of [{ count: '2' }, { count: 3 }, { flag: 'true' }, { flag: 1 }, { flag: false }])
    t.equal(grantFor(typed, { repository: 'acme/rl', count: 2, flag: true, ...other }), null)
  t.equal(grantFor([rule({ toString: 'x', repository: 'acme/rl' })], { repository: 'acme/rl' }), null)
})

t.test('the first rule that matches decides', async (t) => {
  const rules = [
    rule(NIGHTLY, ['runs:submit', 'baselines:write'], { name: 'a', testPathPrefixes: ['tests/'] }),
    rule({ repository: 'acme/rl', event_name: 'workflow_run' }, ['runs:submit'], {
      name: 'b',
      onBehalf: true,
    }),
    rule({ repository: 'acme/rl' }, ['runs:submit'], { name: 'c' }),
    rule({ repository: 'acme/rl' }, ['admin'], { name: 'd' }),
  ]
  t.strictSame(grantFor(rules, NIGHTLY), {
    name: 'a',
    scopes: new Set(['runs:submit', 'baselines:write']),
    testPathPrefixes: ['tests/'],
    onBehalf: false,
  })
  t.match(grantFor(rules, { ...NIGHTLY, event_name: 'workflow_run' }), { name: 'b', onBehalf: true })
  t.match(grantFor(rules, { ...NIGHTLY, event_name: 'push' }), {
    name: 'c',
    scopes: new Set(['runs:submit']),
  })
  t.equal(grantFor(rules, { ...NIGHTLY, repository: 'evil/rl' }), null)
  t.equal(grantFor([], NIGHTLY), null)
})

t.test('whatever a rule says: who may never write', async (t) => {
  const careless = (more: Partial<OidcRule> = {}) => [rule({ repository: 'acme/rl' }, SCOPES, more)]
  const guarded = [rule({ repository: 'acme/rl', environment: 'nightly' }, SCOPES)]
  const claims = { ...NIGHTLY, environment: 'nightly' }
  const writes = (rules: readonly OidcRule[], event: string) => {
    const scopes = grantFor(rules, { ...claims, event_name: event })?.scopes ?? new Set<Scope>()
    t.equal(scopes.has('admin'), scopes.has('baselines:write'))
    t.ok(scopes.has('runs:submit'), 'the rest is kept')
    return scopes.has('baselines:write')
  }
  for (const event of ['schedule', 'push', 'workflow_dispatch']) t.ok(writes(careless(), event), event)
  for (const event of ['pull_request', 'pull_request_review', 'pull_request_target'])
    t.notOk(writes(careless(), event), event)
  t.ok(writes(guarded, 'pull_request'))
  t.notOk(writes(guarded, 'pull_request_target'))
  t.notOk(writes(careless({ onBehalf: true }), 'schedule'))
})

t.test('rules that must not be', async (t) => {
  const W: readonly Scope[] = ['baselines:write']
  const cases: ReadonlyArray<
    readonly [what: string, rule: OidcRule, faults: ReadonlyArray<[string, RegExp]>]
  > = [
    ['a nightly on main', rule(NIGHTLY, W), []],
    [
      'an environment in place of a ref',
      rule({ repository_id: '1', event_name: 'push', environment: 'x' }, W),
      [],
    ],
    ['a reading rule by its owner', rule({ repository_owner: 'acme' }, ['history:read']), []],
    ['on behalf, judged only', rule({ repository: 'a/b' }, ['runs:submit'], { onBehalf: true }), []],
    ['pull_request_target may be judged', rule({ repository: 'a/b', event_name: 'pull_request_target' }), []],
    [
      'a pull request behind an environment',
      rule({ ...NIGHTLY, event_name: 'pull_request', environment: 'x' }, W),
      [],
    ],
    ["nobody's", rule({ event_name: 'push' }), [['claims', /must name one of repository/]]],
    [
      'a workflow that anyone may call',
      rule({ job_workflow_ref: 'a/b/c@d' }),
      [['claims', /one of repository/]],
    ],
    ['an id as a number', rule({ repository_id: 12 }), [['claims/repository_id', /write "12"/]]],
    [
      'a truth value',
      rule({ repository: 'a/b', ref_protected: [true] }),
      [['claims/ref_protected', /write "true"/]],
    ],
    ['writing without an event', rule({ repository: 'a/b', ref: 'x' }, W), [['claims', /event_name/]]],
    [
      'writing from anywhere',
      rule({ repository: 'a/b', event_name: 'push' }, W),
      [['claims', /ref or environment/]],
    ],
    [
      'writing, and nothing said',
      rule({ repository: 'a/b' }, W),
      [
        ['claims', /event_name/],
        ['claims', /ref or environment/],
      ],
    ],
    [
      'admin is writing',
      rule({ repository: 'a/b', event_name: 'push' }, ['admin']),
      [['claims', /grants admin/]],
    ],
    [
      'pull_request_target',
      rule({ ...NIGHTLY, event_name: ['schedule', 'pull_request_target'], environment: 'x' }, W),
      [['claims/event_name', /never gets baselines:write/]],
    ],
    [
      'a pull request by its ref',
      rule({ ...NIGHTLY, event_name: ['schedule', 'pull_request'] }, W),
      [['claims', /must name environment .* "pull_request"/]],
    ],
    [
      'a review of a pull request',
      rule({ ...NIGHTLY, event_name: 'pull_request_review' }, W),
      [['claims', /must name environment/]],
    ],
    ['on behalf, written', rule(NIGHTLY, W, { onBehalf: true }), [['scopes', /never written/]]],
    ['on behalf, admin', rule(NIGHTLY, ['admin'], { onBehalf: true }), [['scopes', /grants admin/]]],
  ]
  for (const [what, tried, expected] of cases) {
    const faults = ruleFaults(tried)
    t.match(
      faults,
      expected.map(([where, message]) => ({ where, message })),
      what,
    )
    t.equal(faults.length, expected.length, what)
  }
})
