/** The disk under a SQLite file is full, for a while. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import t, { type Test } from 'tap'
import { needs, unmet } from '../support/requires.js'
import { serve, temporaryFolder, type Server } from '../support/server.js'
import { underLoad, until } from './under-load.js'

t.setTimeout(120_000)

async function fillUp(t: Test, path: string, server: Server, fill: () => void, free: () => void) {
  const reader = new BetterSqlite3(path, { readonly: true })
  t.teardown(() => void reader.close())
  const sql = <Row>(text: string, parameters: readonly unknown[] = []) =>
    Promise.resolve(reader.prepare(text.replace(/\$\d/g, '?')).all(...parameters) as Row[])
  const scene = { urls: [server.url], sql, clients: 10, retry: true, longestMs: 10_000 }
  const ledger = await underLoad(t, scene, async (ledger) => {
    fill()
    await until('submissions are refused', () => ledger.count(503) > 20)
    const stored = ledger.count(201)
    const list = await fetch(`${server.url}/v1/runs?limit=3`)
    t.equal(list.status, 200, 'what is stored can be read')
    t.equal((await fetch(`${server.url}/readyz`)).status, 200)
    await sleep(500)
    t.comment(`${stored} were acknowledged before the disk was full`)
    free()
  })
  t.equal(ledger.count(null), 0, 'no request was left without an answer')
  t.equal(reader.pragma('integrity_check', { simple: true }), 'ok', 'the file is sound')
}

function mountSmall(folder: string): string | false {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder], {
    encoding: 'utf8',
  })
  return status === 0 ? false : `needs to mount a tmpfs: ${stderr.trim()}`
}

// Rootless containers may not mount. The other limit, below, is as real, and there everywhere.
const disk = temporaryFolder(t)
const refusal = mountSmall(disk)

t.test('a small disk that fills up', { skip: refusal }, async (t) => {
  const folder = disk
  t.teardown(() => void spawnSync('umount', ['--lazy', folder]))
  const path = `${folder}/g.db`
  const server = await serve(t, { DATABASE_URL: `sqlite:${path}` })
  const ballast = `${folder}/ballast`
  await fillUp(
    t,
    path,
    server,
    () => {
      // To the last byte, while the server writes as well.
      try {
        for (;;) appendFileSync(ballast, Buffer.alloc(16_384))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    () => rmSync(ballast),
  )
  t.match(server.log.join('\n'), /the disk is full/)
})

t.test('a file that may not grow', { skip: needs('prlimit') }, async (t) => {
  const path = `${temporaryFolder(t)}/g.db`
  const server = await serve(t, { DATABASE_URL: `sqlite:${path}` })
  const limit = (bytes: string) => {
    const { status, stderr } = spawnSync('prlimit', [`--pid=${server.process.pid}`, `--fsize=${bytes}:`])
    if (status !== 0) throw new Error(unmet(String(stderr)))
  }
  await fillUp(
    t,
    path,
    server,
    () => limit('200000'),
    () => limit('unlimited'),
  )
})
