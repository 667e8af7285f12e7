/**
 * `npm run compile`: src, test and scripts into build/, by tsc alone. Before a build there is nothing else to run, so
 * this one file is JavaScript.
 *
 * tsc removes nothing: a deleted test would run on for ever, so what has no source goes. And it trusts its notes: an
 * output that went missing comes back only when the notes go too.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const ROOTS = ['src', 'test', 'scripts', 'examples', 'bench']
const OUT = 'build'

function filesUnder(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

const sources = ROOTS.flatMap(filesUnder).filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
const expected = new Set(sources.map((file) => join(OUT, file.replace(/\.ts$/, '.js'))))

for (const root of ROOTS) {
  for (const file of filesUnder(join(OUT, root))) {
    if (/\.js(\.map)?$/.test(file) && !expected.has(file.replace(/\.map$/, ''))) rmSync(file)
  }
}
const notes = join(OUT, '.tsbuildinfo')
if (existsSync(notes) && [...expected].some((file) => !existsSync(file))) {
  // New sources look the same as lost outputs; a whole build costs some seconds.
  rmSync(notes)
}

const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], {
  stdio: 'inherit',
})
process.exit(status ?? 1)
