import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { temporaryFolder } from '../support/server.js'
import { gatehouse, MAIN } from './support.js'

t.test('serves until it is told to stop; a second one is told what holds the port', async (t) => {
  const database = `sqlite:${join(temporaryFolder(t), 'x.db')}`
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', '--database', database], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit') as Promise<[number | null]>
  const url = await new Promise<string>((resolve) => {
    // Read to the end: whoever serves must be able to log.
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /listening at (http:\/\/[^\s"]+)/i.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  t.equal((await fetch(`${url}/healthz`)).status, 200)
  const second = await gatehouse(['serve', '--database', database, '--port', new URL(url).port])
  t.match(second, { code: 2, stderr: /something listens at 127.0.0.1:\d+ already\n.*--port/ })
  child.kill('SIGTERM')
  t.equal((await exited)[0], 0)
})
