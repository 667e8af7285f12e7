/**
 * `npm run bench [-- --only a,c] [--backend sqlite] [--seconds 10]`: every figure beside its floor or rival in the same
 * run. Prints a table and writes build/bench.json. Timings are noisy: compare ratios within one run.
 */
import { parseArgs } from 'node:util'
import { growth } from './growth.js'
import { history } from './history.js'
import { record } from './record.js'
import { replay } from './replay.js'
import { tableOf, writeJson, type Figure } from './report.js'
import { scale } from './scale.js'
import { BACKENDS, type BackendName } from './targets.js'
import { throughput } from './throughput.js'
import { verdicts } from './verdicts.js'
import { writes } from './writes.js'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    backend: { type: 'string' },
    seconds: { type: 'string', default: '10' },
  },
})
const seconds = Number(options.seconds)
const GROUPS: Readonly<Record<string, (backend: BackendName) => Promise<Figure[]>>> = {
  a: verdicts,
  b: writes,
  c: (backend) => throughput(backend, seconds),
  d: history,
  e: replay,
  f: record,
  g: growth,
  h: (backend) => scale(backend, seconds),
}
const wanted = options.only?.split(',') ?? Object.keys(GROUPS)
const backends = BACKENDS.filter((name) => options.backend === undefined || options.backend === name)

const figures: Figure[] = []
for (const group of wanted) {
  const measure = GROUPS[group]
  if (measure === undefined)
    throw new Error(`there is no group ${group}; there are ${Object.keys(GROUPS).join(', ')}`)
  for (const backend of backends) {
    const found = await measure(backend)
    figures.push(...found)
    console.log(`${tableOf(found)}\n`)
  }
}
writeJson('build/bench.json', figures)
console.log(`${tableOf(figures)}\n\nwritten to build/bench.json`)
