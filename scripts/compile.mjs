/**
 * `npm run compile`: src, test and scripts into build/, by tsc, and the dashboard's page by Vite. Before a build there
 * is nothing else to run, so this one file is JavaScript.
 *
 * tsc removes nothing: a deleted test would run on for ever, so what has no source goes. And it trusts its notes: an
 * output that went missing comes back only when the notes go too.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

const ROOTS = ['src', 'test', 'scripts', 'examples', 'bench']
const OUT = 'build'
/** Not tsc's: the page's sources, and what Vite makes of them. */
const PAGE = join('src', 'dashboard')
/** What the page consists of, beside PAGE. */
const PAGE_PARTS = [join('src', 'charts'), join('src', 'http', 'page-paths.ts'), 'package-lock.json']

function filesUnder(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

const isPage = (file) => file.startsWith(PAGE)
const sources = ROOTS.flatMap(filesUnder).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !isPage(file),
)
const expected = new Set(sources.map((file) => join(OUT, file.replace(/\.ts$/, '.js'))))

for (const root of ROOTS) {
  for (const file of filesUnder(join(OUT, root))) {
    if (isPage(relative(OUT, file))) continue
    if (/\.js(\.map)?$/.test(file) && !expected.has(file.replace(/\.map$/, ''))) rmSync(file)
  }
}
const notes = join(OUT, '.tsbuildinfo')
if (existsSync(notes) && [...expected].some((file) => !existsSync(file))) {
  // New sources look the same as lost outputs; a whole build costs some seconds.
  rmSync(notes)
}

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** Vite keeps no notes; it is asked only where something of the page is newer than what it made. */
function isPageStale() {
  const made = join(OUT, PAGE, 'index.html')
  if (!existsSync(made)) return true
  const { mtimeMs } = statSync(made)
  const parts = [PAGE, ...PAGE_PARTS].filter(existsSync)
  const files = parts.flatMap((part) => (statSync(part).isDirectory() ? filesUnder(part) : [part]))
  return files.some((file) => statSync(file).mtimeMs > mtimeMs)
}

run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json')
if (isPageStale()) {
  const outDir = join('..', '..', OUT, PAGE)
  run('node_modules/vite/bin/vite.js', 'build', '--config', join(PAGE, 'vite.config.mjs'), '--outDir', outDir)
}
