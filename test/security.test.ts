/** The threat model names the test behind each of its lines; a test that is renamed or taken away is found out. */
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'

const LINE = /^\| (Can|Cannot) \| [^|]+ \| `(test\/[\w./-]+\.ts)`: ([^|]+) \|$/

const rows = readFileSync('SECURITY.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\| (?:\| What|---)/.test(line))

t.test('each line of the threat model is backed by a test that there is', async (t) => {
  t.ok(rows.length > 40)
  for (const row of rows) {
    const [, , file = '', title = ''] = LINE.exec(row) ?? []
    t.ok(existsSync(file), `names a file: ${row.slice(0, 100)}`)
    if (existsSync(file)) t.ok(titlesOf(file).has(title), `${file} has: ${title}`)
  }
})

t.test('what is no title is told', async (t) => {
  const titles = titlesOf('test/security.test.ts')
  t.ok(titles.has('what is no title is told'))
  t.notOk(titles.has('what is no title'))
})

/** The titles of the tests in a file; of one that stands for every backend, without the backend's name. */
function titlesOf(file: string): ReadonlySet<string> {
  const text = readFileSync(file, 'utf8')
  return new Set(
    [...text.matchAll(/\btest\(\s*(['"`])(?:\$\{name\}: )?((?:(?!\1).)+)\1/g)].map(
      ([, , title = '']) => title,
    ),
  )
}
