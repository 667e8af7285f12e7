import { join } from 'node:path'
import t from 'tap'
import { startServer, temporaryFolder } from '../support/server.js'

/** A test file from a pull request is hostile input: whatever it does to the parsers, the service goes on. */
t.test('files that break the parsers cost themselves alone', { timeout: 120_000 }, async (t) => {
  const server = await startServer({ DATABASE_URL: `sqlite:${join(temporaryFolder(t), 'gatehouse.db')}` })
  t.teardown(() => server.stop('SIGKILL'))
  const parse = async (source: string) => {
    const form = new FormData()
    form.set('test_file', new Blob([source]), 'test.py')
    const response = await fetch(`${server.url}/v1/declarations/parse`, { method: 'POST', body: form })
    return { status: response.status, text: await response.text() }
  }
  const bombs = [
    `x=${'a.b'.repeat(4_000)}`,
    `x=${'1+'.repeat(10_000)}1`,
    `x${'()'.repeat(120_000)}`,
    `${'not '.repeat(65_000)}x`,
  ]
  const answers = await Promise.all([...bombs, ...bombs].map(parse))
  for (const { status, text } of answers) t.equal(status, 422, text.slice(0, 200))
  t.equal((await fetch(`${server.url}/healthz`)).status, 200)
  t.match(await parse('register_ci_gate(metric_key="train/ppo_kl")\n'), {
    status: 200,
    text: /train\/ppo_kl/,
  })
  t.equal(await server.stop('SIGTERM'), 0, 'and it still ends in order')
})
