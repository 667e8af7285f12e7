import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { findLeaks, findSecrets, SECRET_MARK } from '../../scripts/leaked-secrets.js'
import { temporaryFolder } from '../support/server.js'

const token = `gatehouse_${'Ab-_'.repeat(11).slice(0, 43)}`

t.test('a secret is found, told by its kind, and not repeated', (t) => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    [`{"url":"/v1/runs?x=${SECRET_MARK}7f"}`, 'a made-up secret'],
    [`token ${token} was made`, 'an API token'],
    [`x eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln`, 'a JSON web token'],
    ['"authorization":"Bearer abcdefghijklmnop"', 'a credential of the Authorization header'],
    ['connecting to postgres://gatehouse:hunter2@db/gatehouse', 'a password in a database URL'],
  ]
  for (const [line, what] of cases) {
    const [leak] = findSecrets(`{"level":30}\n${line}\n`)
    t.equal(leak?.what, what)
    t.notMatch(leak?.line, /7f|Ab-_|eyJ|abcdefgh|hunter2/)
  }
  t.end()
})

t.test('what a log usually holds is none', (t) => {
  const lines = [
    '{"level":30,"request_id":"01936f0c-0000-7000-8000-000000000000","method":"POST","route":"/v1/runs","status":201}',
    'www-authenticate: Bearer realm="gatehouse"',
    'the Authorization header holds no token: is the secret unset?',
    '"authorization":"[redacted]"',
    'DATABASE_URL: must be sqlite:PATH or postgres://USER@HOST/DATABASE',
    'gatehouse_app, gatehouse_migrations',
  ]
  t.same(findSecrets(lines.join('\n')), [])
  t.end()
})

t.test('a folder of logs', (t) => {
  const folder = temporaryFolder(t)
  t.same(findLeaks(join(folder, 'none')), { files: 0, leaks: [] })
  writeFileSync(join(folder, 'a.log'), 'fine\n')
  writeFileSync(join(folder, 'b.log'), `fine\n${token}\n`)
  t.same(findLeaks(folder), { files: 2, leaks: [{ file: 'b.log', what: 'an API token', line: '[…]' }] })
  t.end()
})
