import { readFileSync } from 'node:fs'
import t from 'tap'
import { isLoopbackHost, openModeRefusal, PROXY_HEADERS } from '../../src/auth/open-mode.js'

t.test('who is answered without credentials', (t) => {
  const plain = {
    httpVersion: '1.1',
    host: 'localhost:8080',
    origin: undefined,
    secFetchSite: undefined,
    headerNames: ['host', 'accept'],
  }
  const answered: ReadonlyArray<Partial<typeof plain> | object> = [
    {},
    { host: 'localhost' },
    { host: 'LOCALHOST:1' },
    { host: '127.0.0.1:8080' },
    { host: '[::1]:8080' },
    { origin: 'http://localhost:8080' },
    { origin: 'HTTP://LocalHost:8080' },
    { secFetchSite: 'same-origin' },
    { secFetchSite: 'none' },
    { headerNames: ['host', 'x-forward', 'forward'] },
  ]
  for (const change of answered)
    t.equal(openModeRefusal({ ...plain, ...change }), null, JSON.stringify(change))

  const refused: ReadonlyArray<readonly [object, RegExp]> = [
    [{ host: undefined }, /Host/],
    [{ host: '' }, /Host/],
    [{ host: 'gatehouse.example' }, /Host/],
    [{ host: 'localhost.evil.example' }, /Host/],
    [{ host: 'localhost.' }, /Host/],
    [{ host: '127.0.0.1.evil.example' }, /Host/],
    [{ host: '127.0.0.2' }, /Host/],
    [{ host: 'user@localhost' }, /Host/],
    [{ host: 'localhost:8080, evil' }, /Host/],
    [{ host: '[::1%lo]' }, /Host/],
    [{ host: '0.0.0.0:8080' }, /Host/],
    [{ origin: 'https://evil.example' }, /origin/],
    [{ origin: 'null' }, /origin/],
    [{ origin: '' }, /origin/],
    [{ origin: 'http://localhost:3000' }, /origin/],
    [{ origin: 'http://127.0.0.1:8080' }, /origin/],
    [{ secFetchSite: 'cross-site' }, /cross-site/],
    [{ secFetchSite: ' Cross-Site ' }, /cross-site/],
    [{ secFetchSite: 'same-origin, cross-site' }, /cross-site/],
    [{ httpVersion: '1.0' }, /HTTP\/1\.0 .* needs a credential/],
    [{ httpVersion: '1.0', host: undefined }, /HTTP\/1\.0/],
    ...['via', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip'].map(
      (name) => [{ headerNames: ['host', name] }, new RegExp(`carries ${name}; .* a credential`)] as const,
    ),
    [{ headerNames: ['x-forwarded'] }, /x-forwarded/],
    [{ headerNames: ['forwarded'] }, /forwarded/],
    [{ headerNames: ['x-forwarded-for'] }, /x-forwarded-for/],
    [{ headerNames: ['x-forwarded-anything'] }, /x-forwarded-anything/],
  ]
  for (const [change, reason] of refused) {
    t.match(openModeRefusal({ ...plain, ...change }), reason, JSON.stringify(change))
  }
  t.end()
})

t.test('SECURITY.md names what a proxy is known by', (t) => {
  const text = readFileSync('SECURITY.md', 'utf8').toLowerCase()
  for (const name of PROXY_HEADERS) t.ok(text.includes(`\`${name}\``), name)
  t.end()
})

t.test('addresses that nobody else reaches', (t) => {
  for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) t.ok(isLoopbackHost(host), host)
  for (const host of [
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '127.0.0.1.example',
    '127.0.0',
    'example',
    '',
    '127.0.0.01',
  ]) {
    t.notOk(isLoopbackHost(host), host)
  }
  t.end()
})
