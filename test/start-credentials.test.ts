import { pino } from 'pino'
import { Writable } from 'node:stream'
import t from 'tap'
import { Credentials } from '../src/auth/credentials.js'
import { readConfig } from '../src/config.js'
import { tellCredentials } from '../src/start-credentials.js'
import { issueToken } from './http/support.js'
import { openSqlite } from './support/stores.js'

t.test('the credentials that are told are those that there are', async (t) => {
  const { store } = await openSqlite(t)
  const lines: Array<Record<string, unknown>> = []
  const logger = pino(
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>)
        done()
      },
    }),
  )
  const adminToken = 'x'.repeat(32)
  const told = async (env: Record<string, string>) => {
    const config = readConfig(env, () => '')
    if (!config.ok) throw new Error(JSON.stringify(config.faults))
    const settings = { isLoopback: true, adminToken: config.value.adminToken, jobs: null }
    await tellCredentials(config.value, new Credentials(store, settings, logger), false, logger)
    return lines.at(-1)
  }
  t.match(await told({}), { msg: /^open mode: / })
  t.same((await told({ GATEHOUSE_ADMIN_TOKEN: adminToken }))?.['credentials'], ['GATEHOUSE_ADMIN_TOKEN'])
  await issueToken(store)
  t.same((await told({}))?.['credentials'], ['API tokens'])
  await store.close()
  t.match(await told({ GATEHOUSE_ADMIN_TOKEN: adminToken }), {
    credentials: [/cannot be told/, 'GATEHOUSE_ADMIN_TOKEN'],
  })
})
