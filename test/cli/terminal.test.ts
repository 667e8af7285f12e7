import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { startProgress } from '../../src/cli/progress.js'
import { printable, say, type Terminal } from '../../src/cli/terminal.js'
import { needs } from '../support/requires.js'
import { temporaryFolder } from '../support/server.js'
import { MAIN, plainRuns } from './support.js'

function terminal(isTTY: boolean): { terminal: Terminal; words: () => Promise<string> } {
  const stderr = Object.assign(new PassThrough(), { isTTY })
  return {
    terminal: { env: {}, stdin: new PassThrough(), stdout: new PassThrough(), stderr },
    words: () => {
      stderr.end()
      return text(stderr)
    },
  }
}

t.test('what a file says cannot drive the terminal', async (t) => {
  t.equal(printable('a\u001b[31mred\u0007\tä\u009b'), 'a\\u001b[31mred\\u0007\tä\\u009b')
  const { terminal: told, words } = terminal(false)
  say(told, 'one\u001b', 'two')
  t.equal(await words(), 'one\\u001b\ntwo\n')
})

t.test('a reader of the words that has gone changes no exit code', (t) => {
  const command = `"${process.execPath}" "${MAIN}" import /nowhere 2>&1 >/dev/null`
  const { stdout } = spawnSync('sh', ['-c', `{ { ${command}; echo $? >&3; } | :; } 3>&1`], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  })
  t.equal(stdout, '2\n')
  t.end()
})

t.test(
  'an output that cannot be written is told',
  { skip: existsSync('/dev/full') ? false : 'no /dev/full' },
  (t) => {
    const { status, stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${MAIN}" --help >/dev/full`], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    })
    t.equal(status, 2)
    t.match(stderr, /^gatehouse: .*no space left/i)
    t.end()
  },
)

t.test('progress is for terminals', async (t) => {
  const log = terminal(false)
  const silent = startProgress(log.terminal, 'read', 100, 'runs')
  silent.update(50, 3)
  silent.stop()
  t.equal(await log.words(), '')
})

t.test('on a terminal, import and export draw', { skip: needs('script') }, (t) => {
  const folder = temporaryFolder(t)
  const many = plainRuns(Array.from({ length: 3_000 }, () => 1))
  writeFileSync(join(folder, 'runs.ndjson'), many)
  const shell = (args: string) =>
    spawnSync(
      'script',
      ['-qec', `"${process.execPath}" "${MAIN}" ${args} --database sqlite:x.db`, '/dev/null'],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], TERM: 'xterm' },
      },
    ).stdout
  const imported = shell('import runs.ndjson')
  t.match(imported, /read .*[█░].* %/)
  t.match(imported, /\{"runs":3000,"values":3000,"skipped":0\}/)
  t.match(shell('export -o out.ndjson'), /exported 0 runs/)
  t.end()
})
