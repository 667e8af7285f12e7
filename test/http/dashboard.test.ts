/** How the page is served: one document for the addresses of all views, and files that never change. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { PAGE_PATHS } from '../../src/http/page-paths.js'
import { openClient } from './support.js'

const ASSETS = fileURLToPath(new URL('../../src/dashboard/assets', import.meta.url))

t.test('every view answers the page, under a policy that lets nothing else in', async (t) => {
  const { call } = await openClient(t)
  for (const path of PAGE_PATHS) {
    const url = `${path.replace(/:\w+/, '%3Cimg%20src=x%3E')}?step=1&step=2&q=%ff&__proto__=%3Cimg%3E`
    const { statusCode, headers, body } = await call(url)
    t.equal(statusCode, 200, path)
    t.match(headers['content-type'], /^text\/html/)
    t.equal(headers['cache-control'], 'no-cache', 'the page names the files of its release')
    t.match(body, /<div id="app"><\/div>/)
    t.notMatch(body, /onerror|<img/, 'nothing of the address is in it')
    const policy = String(headers['content-security-policy'])
    t.match(policy, /default-src 'none'/)
    t.match(policy, /require-trusted-types-for 'script'/)
    t.notMatch(policy, /unsafe|https?:|data:/)
    // What the policy would refuse must not be there: code, styles or files of other hosts.
    t.notMatch(
      body,
      /<script(?![^>]*\ssrc="\/assets\/)|<style|\sstyle=|\son\w+=|(?:src|href)="(?!\/assets\/)/,
    )
  }
})

t.test('a page that has not changed is not sent again', async (t) => {
  const { call } = await openClient(t)
  const { headers } = await call('/')
  const again = await call({ url: '/series', headers: { 'if-none-match': String(headers.etag) } })
  t.equal(again.statusCode, 304)
})

t.test('its files may be kept for ever, and come compressed', async (t) => {
  const { call } = await openClient(t)
  const files = readdirSync(ASSETS)
  t.ok(files.some((file) => file.endsWith('.js')))
  for (const file of files.filter((name) => !/\.(?:br|gz)$/.test(name))) {
    const plain = await call(`/assets/${file}`)
    t.equal(plain.statusCode, 200, file)
    t.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    t.equal(plain.headers['x-content-type-options'], 'nosniff')
    t.match(file, /-[\w-]{8}\.\w+$/, 'its name changes with its content')
    if (!files.includes(`${file}.br`)) continue
    const { headers } = await call({ url: `/assets/${file}`, headers: { 'accept-encoding': 'gzip, br' } })
    t.equal(headers['content-encoding'], 'br')
    t.equal(headers.vary, 'accept-encoding')
    t.equal(headers['content-type'], plain.headers['content-type'])
  }
})

t.test('anything else is told as everywhere', async (t) => {
  const { call } = await openClient(t)
  const paths = [
    '/v1/nothing',
    '/nothing',
    '/runs',
    '/runs/a/b',
    '/assets/none.js',
    '/assets/',
    '/index.html',
  ]
  for (const path of [...paths, '/assets/..%2findex.html', '/assets/%2e%2e/%2e%2e/server.js', '/assets//x']) {
    const { statusCode, headers } = await call(path)
    t.equal(statusCode, 404, path)
    t.equal(headers['content-type'], 'application/problem+json', path)
    t.equal(headers['cache-control'], 'no-store', path)
  }
  t.equal((await call({ method: 'POST', url: '/series' })).statusCode, 405)
})

t.test('the page is small', (t) => {
  const files = readdirSync(ASSETS).filter((name) => name.endsWith('.gz'))
  const bytes = files.reduce((sum, name) => sum + statSync(join(ASSETS, name)).size, 0)
  t.ok(files.length > 1 && bytes < 150_000, `${bytes} bytes of code and styles, compressed by gzip`)
  t.end()
})
