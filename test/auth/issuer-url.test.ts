import t from 'tap'
import { discoveredKeysUrl, issuerUrlFault, keysUrlFault } from '../../src/auth/issuer-url.js'

t.test('addresses that can be trusted', async (t) => {
  const good = [
    'https://token.actions.githubusercontent.com',
    'https://ghe.example/_services/token',
    'http://127.0.0.1:8080',
    'http://localhost:1/x/',
    'http://[::1]:9000',
  ]
  for (const url of good) for (const fault of [issuerUrlFault, keysUrlFault]) t.equal(fault(url), null, url)
  t.equal(keysUrlFault('https://ghe.example/keys?version=2'), null)
})

t.test('and those that cannot', async (t) => {
  const bad: ReadonlyArray<readonly [url: string, fault: RegExp]> = [
    ['', /must be a URL/],
    ['token.actions.githubusercontent.com', /must be a URL/],
    ['http://token.actions.githubusercontent.com', /https:\/\//],
    ['http://127.0.0.1.evil.example', /https:\/\//],
    ['http://localhost.evil.example', /https:\/\//],
    ['http://10.0.0.1', /https:\/\//],
    ['ftp://127.0.0.1', /https:\/\//],
    ['https://user:secret@issuer.example', /password/],
    [`https://issuer.example/${'x'.repeat(1_024)}`, /must be a URL/],
  ]
  for (const [url, message] of bad) {
    for (const fault of [issuerUrlFault, keysUrlFault]) t.match(fault(url), message, url)
    t.notMatch(issuerUrlFault(url), /secret/)
  }
  for (const url of ['https://issuer.example?x=1', 'https://issuer.example#', 'https://issuer.example/?'])
    t.match(issuerUrlFault(url), /query nor fragment/, url)
})

t.test('discovery does not lead from https to plain http, nor to another issuer', async (t) => {
  const issuer = 'https://issuer.example/x'
  const local = 'http://127.0.0.1:9/keys'
  const elsewhere = 'https://keys.example/keys'
  t.equal(discoveredKeysUrl({ issuer, jwks_uri: elsewhere }, issuer), elsewhere)
  t.throws(() => discoveredKeysUrl({ issuer, jwks_uri: local }, issuer), /from https to plain http/)
  t.equal(discoveredKeysUrl({ issuer: 'http://[::1]:1', jwks_uri: local }, 'http://[::1]:1'), local)
  t.throws(() => discoveredKeysUrl({ issuer: `${issuer}/`, jwks_uri: elsewhere }, issuer), /another issuer/)
})
