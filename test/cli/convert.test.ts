import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../support/server.js'
import { gatehouse } from './support.js'

const FOLDER = 'test/fixtures/convert'

t.test('data goes to stdout, words go to stderr', async (t) => {
  const csv = [
    '--from',
    'csv',
    '--step-column',
    'step',
    '--value-column',
    'loss',
    '--value-column',
    'learning rate',
  ]
  const wide = await gatehouse(['convert', ...csv, `${FOLDER}/wide.csv`])
  t.match(wide, { code: 0, stderr: 'gatehouse: 1 empty cells hold no value\n' })
  t.match(
    wide.stdout,
    /^\{"metric":"loss","series":\[\[0,2.31\],\[10,2.12\],\[20,"NaN"\],\[30,"Infinity"\]\]\}\n/,
  )
  const piped = await gatehouse(['convert', ...csv, '-'], {
    input: readFileSync(`${FOLDER}/wide.csv`, 'utf8'),
  })
  t.same(piped, wide)
  const tab = await gatehouse(
    ['convert', '--from', 'csv', '--value-column', 'b', '--delimiter', '\\t', '-'],
    {
      input: 'a\tb\n1\t2\n',
    },
  )
  t.equal(tab.stdout, '{"metric":"b","series":[[null,2]]}\n')
})

t.test('what it makes is imported', async (t) => {
  const folder = temporaryFolder(t)
  const output = join(folder, 'runs.ndjson')
  const database = ['--database', `sqlite:${join(folder, 'x.db')}`]
  const convert = (...args: string[]) =>
    gatehouse(['convert', '-o', output, '--test-path', 'bench/all', '--backend', 'linux', ...args])
  const made: string[][] = [
    ['--from', 'github-action-benchmark', `${FOLDER}/data.js`],
    ['--from', 'pytest-benchmark', '--to', 'import', '--suite', 's', `${FOLDER}/pytest-benchmark.json`],
    [
      ...['--from', 'bencher', '--to', 'import', '--suite', 's', '--commit-sha', 'b'.repeat(40)],
      ...['--created-at', '2026-11-01T15:00:00+01:00', `${FOLDER}/bencher.json`],
    ],
    [
      ...[
        '--from',
        'csv',
        '--to',
        'import',
        '--suite',
        's',
        '--time-column',
        'date',
        '--commit-column',
        'sha',
      ],
      ...['--value-column', 'p50_ms', '--value-column', 'p99_ms', `${FOLDER}/history.csv`],
    ],
  ]
  const imported: string[] = []
  for (const args of made) {
    t.match(await convert(...args), { code: 0, stdout: '' })
    imported.push((await gatehouse(['import', output, ...database])).stdout.trim())
  }
  t.same(imported, [
    '{"runs":3,"values":5,"skipped":0}',
    '{"runs":1,"values":2,"skipped":0}',
    '{"runs":1,"values":4,"skipped":0}',
    '{"runs":2,"values":3,"skipped":0}',
  ])
})

t.test('refusals are exit code 2 and say what is missing, where', async (t) => {
  const cases: ReadonlyArray<readonly [args: string[], words: RegExp]> = [
    [
      ['--from', 'hf-trainer', `${FOLDER}/bencher.json`],
      /bencher.json cannot be converted.*\n {2}log_history: is missing/,
    ],
    [
      ['--from', 'github-action-benchmark', `${FOLDER}/data.js`],
      /--test-path: is needed.*\n.*--backend: is needed/,
    ],
    [['--from', 'hf-trainer', '--to', 'import', 'x'], /hf-trainer makes no import\nIt makes: record/],
    [['--from', 'hf-trainer', '--stat', 'min', 'x'], /--stat belongs to --from pytest-benchmark/],
    [['--from', 'csv', '--suite', 's', 'x'], /--suite belongs to an import, and this makes a record/],
    [['--from', 'csv', '--delimiter', '', `${FOLDER}/wide.csv`], /delimiter/i],
    [
      ['--from', 'bencher', '--to', 'import', '--created-at', '2026-02-30T00:00:00Z', 'x'],
      /there is no time/,
    ],
    [['--from', 'csv', 'nowhere.csv'], /there is no file nowhere.csv/],
    [['--from', 'csv', FOLDER], /is a folder/],
  ]
  const ran = await Promise.all(cases.map(([args]) => gatehouse(['convert', ...args])))
  for (const [i, [args, words]] of cases.entries()) {
    t.match(ran[i], { code: 2, stdout: '', stderr: words }, args.join(' '))
  }
})
