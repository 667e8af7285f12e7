/**
 * `npm test [-- FILE…]`: runs the built tests under tap and closes with the line `N passed, N failed`. Paths of test
 * sources select some of them. The raw TAP stays in build/test.tap, and what the servers of the tests logged in
 * build/test-logs: a secret in there fails the run.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createWriteStream, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { findLeaks, LOG_FOLDER_VARIABLE } from './leaked-secrets.js'
import { closingLine, reportTap } from './report-tap.js'

const TAP = 'node_modules/.bin/tap'
const LOGS = resolve('build/test-logs')

// tap builds its class for the plugins of .taprc by itself, but only after its first run, which would load the
// TypeScript plugin for every file: some seconds each on a fresh clone.
if (
  readFileSync('node_modules/@tapjs/test/test-built/dist/esm/index.js', 'utf8').includes('@tapjs/typescript')
) {
  spawnSync(process.execPath, [TAP, 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
}

const files = process.argv
  .slice(2)
  .map((file) => `build/${file.replace(/^build\//, '').replace(/\.ts$/, '.js')}`)
rmSync(LOGS, { recursive: true, force: true })
const tap = spawn(process.execPath, [TAP, '--reporter=tap', ...files], {
  env: { ...process.env, [LOG_FOLDER_VARIABLE]: LOGS },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const exit = new Promise<number>((resolve, reject) => {
  tap.on('error', reject)
  tap.on('close', (code) => resolve(code ?? 1))
})

const output = new PassThrough()
tap.stdout.pipe(createWriteStream('build/test.tap'))
tap.stdout.pipe(output)
const counts = await reportTap(output, (line) => console.log(line))
const code = await exit
if (code !== 0 && counts.failed === 0) {
  counts.failed = 1
  console.log(`tap ended with exit code ${code} although no test failed`)
}
const logged = findLeaks(LOGS)
for (const { file, what, line } of logged.leaks.slice(0, 20)) console.log(`FAIL  ${what} in ${file}: ${line}`)
counts.failed += logged.leaks.length
if (files.length === 0 && logged.files === 0) {
  counts.failed++
  console.log('FAIL  no server left a log to look for secrets in')
}
console.log(closingLine(counts))
process.exitCode = counts.failed > 0 ? 1 : 0
