import t from 'tap'
import { nearestName } from '../src/nearest.js'

t.test('the name that was meant', (t) => {
  const known = ['test_path', 'test_file', 'backend', 'suite', 'ref', 'commit_sha']
  const cases: ReadonlyArray<readonly [string, string | null]> = [
    ['testPath', 'test_path'],
    ['TEST-FILE', 'test_file'],
    ['backnd', 'backend'],
    ['sha', null],
    ['commitsha', 'commit_sha'],
    ['reff', 'ref'],
    ['entirely_else', null],
    ['', null],
    ['x'.repeat(10_000), null],
  ]
  for (const [wrong, expected] of cases) t.equal(nearestName(wrong, known), expected, wrong.slice(0, 30))
  t.end()
})
