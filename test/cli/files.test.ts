import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { writeOutput } from '../../src/cli/files.js'
import { temporaryFolder } from '../support/server.js'

const FILES = fileURLToPath(new URL('../../src/cli/files.js', import.meta.url))

function terminal() {
  return { env: {}, stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
}

async function* pieces(...items: ReadonlyArray<string | Error>): AsyncGenerator<string> {
  for (const item of items) {
    if (item instanceof Error) throw item
    yield item
  }
}

t.test('a file is replaced when the new one is whole, and not before', async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'out')
  writeFileSync(path, 'old')
  await t.rejects(writeOutput(terminal(), path, pieces('new', new Error('lost'))), { message: 'lost' })
  t.equal(readFileSync(path, 'utf8'), 'old')
  t.same(readdirSync(folder), ['out'])
  await writeOutput(terminal(), path, pieces('n', 'ew'))
  t.equal(readFileSync(path, 'utf8'), 'new')
  t.same(readdirSync(folder), ['out'])
})

t.test('a pipe is written to, and not replaced by a file', async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'pipe')
  spawnSync('mkfifo', [path])
  const reader = spawn('cat', [path])
  await Promise.all([
    writeOutput(terminal(), path, pieces('n', 'ew')),
    text(reader.stdout).then((read) => t.equal(read, 'new')),
  ])
  t.ok(statSync(path).isFIFO())
  t.same(readdirSync(folder), ['pipe'])
})

t.test('a link goes on pointing to its file', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'file'), 'old')
  symlinkSync('file', join(folder, 'link'))
  await writeOutput(terminal(), join(folder, 'link'), pieces('new'))
  t.ok(lstatSync(join(folder, 'link')).isSymbolicLink())
  t.equal(readFileSync(join(folder, 'file'), 'utf8'), 'new')
})

t.test('where nothing can be written, the message names the place that was given', async (t) => {
  const folder = temporaryFolder(t)
  await t.rejects(writeOutput(terminal(), join(folder, 'no/such'), pieces('x')), {
    message: `${join(folder, 'no/such')} cannot be written: there is no such folder`,
  })
  await t.rejects(writeOutput(terminal(), folder, pieces('x')), { message: /is a folder/ })
  t.same(readdirSync(folder), [])
})

t.test('- is standard output, at the pace of its reader', async (t) => {
  const told = terminal()
  const big = 'x'.repeat(1 << 20)
  const written = writeOutput(told, '-', pieces(big, big)).then(() => told.stdout.end())
  t.equal((await text(told.stdout)).length, 2 * big.length)
  await written
})

t.test('interrupted, nothing is left behind', async (t) => {
  const folder = temporaryFolder(t)
  const script = `
    import { writeOutput } from ${JSON.stringify(FILES)}
    async function* slow() {
      yield 'half'
      console.log('begun')
      await new Promise((resolve) => setTimeout(resolve, 30_000))
    }
    await writeOutput(process, 'out', slow())`
  const cases = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const
  for (const [signal, code] of cases) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: folder })
    await once(child.stdout, 'data')
    while (readdirSync(folder).length === 0) await sleep(10)
    child.kill(signal)
    t.same((await once(child, 'exit'))[0], code)
    t.same(readdirSync(folder), [])
  }
})
