/**
 * `npm test [-- FILE…]`: runs the built tests under tap and closes with the line `N passed, N failed`. Paths of test
 * sources select some of them. The raw TAP stays in build/test.tap.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createWriteStream, readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { closingLine, reportTap } from './report-tap.js'

const TAP = 'node_modules/.bin/tap'

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
const tap = spawn(process.execPath, [TAP, '--reporter=tap', ...files], {
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
console.log(closingLine(counts))
process.exitCode = counts.failed > 0 ? 1 : 0
