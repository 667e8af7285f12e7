import t from 'tap'
import {
  tokenRequestFaults,
  tokenRequestWarnings,
  type TokenRequest,
} from '../../src/policy/token-request.js'

const KNOWN = ['runs:submit', 'admin']
const GOOD: TokenRequest = {
  name: 'ci',
  scopes: ['runs:submit'],
  testPathPrefixes: null,
  expiresInDays: null,
}
const faults = (fields: Partial<TokenRequest>) =>
  tokenRequestFaults({ ...GOOD, ...fields }, KNOWN).map(({ where }) => where)

t.test('what may be asked for', (t) => {
  for (const fields of [
    {},
    { scopes: KNOWN },
    { testPathPrefixes: ['tests/a/', 'b c'] },
    { expiresInDays: 1 },
    { expiresInDays: 3_650 },
    { name: 'ü'.repeat(128) },
  ]) {
    t.same(faults(fields), [], JSON.stringify(fields))
  }
  t.end()
})

t.test('every fault under its field', (t) => {
  t.same(faults({ name: '' }), ['name'])
  t.same(faults({ name: 'x\0' }), ['name'])
  t.same(faults({ name: 'x '.repeat(65) }), ['name'])
  t.same(faults({ scopes: [] }), ['scopes'])
  t.same(faults({ scopes: ['admin', 'root', 'admin'] }), ['scopes/1', 'scopes/2'])
  t.same(faults({ testPathPrefixes: [] }), ['test_path_prefixes'])
  t.same(faults({ testPathPrefixes: ['', 'a', 'x'.repeat(513), '\ud800'] }), [
    'test_path_prefixes/0',
    'test_path_prefixes/2',
    'test_path_prefixes/3',
  ])
  t.same(faults({ testPathPrefixes: Array<string>(101).fill('a') }), ['test_path_prefixes'])
  t.same(faults({ scopes: ['admin'], testPathPrefixes: ['a'] }), ['test_path_prefixes'])
  for (const expiresInDays of [0, -1, 1.5, NaN, 3_651]) t.same(faults({ expiresInDays }), ['expires_in_days'])
  t.same(faults({ name: '', scopes: [], testPathPrefixes: [], expiresInDays: 0 }).length, 4)
  t.end()
})

t.test('what is odd, and made all the same', (t) => {
  const cases: ReadonlyArray<readonly [Partial<TokenRequest>, readonly RegExp[]]> = [
    [{}, []],
    [{ scopes: ['baselines:write'] }, [/baselines:write is of no use alone/]],
    [{ scopes: ['baselines:write', 'trust:revoke'] }, [/of no use alone/]],
    [{ scopes: ['baselines:write', 'runs:submit'] }, []],
    [{ scopes: ['baselines:write', 'admin'] }, []],
    [{ testPathPrefixes: ['tests/a/', 'tests/b/test_c.py'] }, []],
    [{ testPathPrefixes: ['tests/a'] }, [/"tests\/a" ends without a slash.*is "tests\/a\/" meant/]],
    [{ scopes: ['history:read'], testPathPrefixes: ['a/'] }, [/confine nothing/]],
  ]
  for (const [fields, expected] of cases) {
    const warnings = tokenRequestWarnings({ ...GOOD, ...fields })
    t.equal(warnings.length, expected.length, JSON.stringify(fields))
    for (const [index, pattern] of expected.entries()) t.match(warnings[index], pattern)
  }
  t.end()
})
