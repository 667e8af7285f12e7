/**
 * `npm run mutants [-- WORD]`: makes one small change at a time in a copy of the build and expects the named tests to
 * turn red. Ends with 1 when a change goes unnoticed, or when an entry no longer fits the code. WORD selects the
 * entries whose name or file holds it.
 */
import { availableParallelism } from 'node:os'
import { openWorkshop, passes, type MutantResult } from './mutate.js'
import { mutants } from './mutants/all.js'
import type { Mutant } from './mutants/mutant.js'

const TIMEOUT_MS = 60_000
const WORKERS = Math.min(2, availableParallelism())

const started = performance.now()
const word = process.argv[2] ?? ''
const selected = mutants.filter(({ name, file }) => name.includes(word) || file.includes(word))
const workshops = await Promise.all(
  Array.from({ length: WORKERS }, () => openWorkshop({ root: process.cwd(), timeoutMs: TIMEOUT_MS })),
)
try {
  const red = await failingTests(selected)
  const results = await inParallel(selected, async (mutant, worker): Promise<MutantResult> => {
    const broken = mutant.tests.find((test) => red.has(test))
    if (broken !== undefined) return { kind: 'stale', reason: `${broken} fails without any change` }
    return workshops[worker]!.try(mutant)
  })
  const bad = results.filter(({ result }) => result.kind !== 'killed')
  for (const { mutant, result } of bad) {
    console.log(
      `${result.kind.toUpperCase()} ${mutant.file}: ${mutant.name}${'reason' in result ? ` (${result.reason})` : ''}`,
    )
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  console.log(`${selected.length - bad.length} of ${selected.length} mutants noticed in ${seconds} s`)
  process.exitCode = bad.length > 0 || selected.length === 0 ? 1 : 0
} finally {
  await Promise.all(workshops.map((workshop) => workshop.remove()))
}

/** A test that is red anyway would "notice" everything. */
async function failingTests(of: readonly Mutant[]): Promise<Set<string>> {
  const tests = [...new Set(of.flatMap((mutant) => mutant.tests))]
  const red = new Set<string>()
  await inParallel(tests, async (test) => {
    if (!(await passes(test, process.cwd(), TIMEOUT_MS))) red.add(test)
  })
  return red
}

async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T, worker: number) => Promise<R>,
): Promise<Array<{ mutant: T; result: R }>> {
  const results: Array<{ mutant: T; result: R }> = []
  let next = 0
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      while (next < items.length) {
        const index = next++
        const mutant = items[index]!
        results[index] = { mutant, result: await work(mutant, worker) }
      }
    }),
  )
  return results
}
