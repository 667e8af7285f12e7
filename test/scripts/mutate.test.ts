import { readFile } from 'node:fs/promises'
import t from 'tap'
import { applyMutant, openWorkshop } from '../../scripts/mutate.js'
import type { Mutant } from '../../scripts/mutants/mutant.js'

const FILE = 'src/charts/numbers.ts'

const mutant = (find: string, replace: string): Mutant => ({
  name: 'a change',
  file: FILE,
  find,
  replace,
  tests: ['test/charts/numbers.test.ts'],
})

t.test('an entry that no longer fits the code is stale', async (t) => {
  t.same(applyMutant(mutant('b', 'x'), 'a b c'), { kind: 'changed', text: 'a x c' })
  t.same(applyMutant(mutant('b', '$&$&'), 'a b c'), { kind: 'changed', text: 'a $&$& c' })
  t.equal(applyMutant(mutant('z', 'x'), 'a b c').kind, 'stale')
  t.equal(applyMutant(mutant('b', 'x'), 'b b').kind, 'stale')
  t.equal(applyMutant(mutant('b', 'b'), 'a b c').kind, 'stale')
  t.equal(applyMutant({ ...mutant('b', 'x'), tests: [] }, 'a b c').kind, 'stale')
})

t.test('a change that matters is noticed, one that does not survives, and neither stays', async (t) => {
  const workshop = await openWorkshop({ root: process.cwd(), timeoutMs: 60_000 })
  t.teardown(() => workshop.remove())
  const built = await readFile('build/src/charts/numbers.js', 'utf8')

  t.match(await workshop.try(mutant('const SIGNIFICANT_DIGITS = 6', 'const SIGNIFICANT_DIGITS = 3')), {
    kind: 'killed',
    by: 'test/charts/numbers.test.ts',
  })
  t.same(await workshop.try(mutant("export const NO_VALUE = '—'", "export const NO_VALUE = ('—')")), {
    kind: 'survived',
  })
  t.match(await workshop.try(mutant('magnitude >= 1e15', 'magnitude >= 1e3')), { kind: 'killed' })
  t.equal(await readFile('build/src/charts/numbers.js', 'utf8'), built, 'the build itself is untouched')
})
