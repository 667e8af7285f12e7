import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startServer, temporaryFolder } from '../support/server.js'

/** The README's quick start prints what the README says. */
const SECTION = /<!-- quick start:.*?-->(.*)<!-- end of the quick start -->/s
const BLOCK = /```sh\n(.*?)```\n\n```text\n(.*?)```/gs

/** Ids are another each time. */
function masked(text: string): string {
  return text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>').trim()
}

t.test('the quick start', async (t) => {
  const server = await startServer({ DATABASE_URL: `sqlite:${join(temporaryFolder(t), 'gatehouse.db')}` })
  t.teardown(() => server.stop())
  const section = SECTION.exec(readFileSync('README.md', 'utf8'))![1]!
  const blocks = [...section.matchAll(BLOCK)].map(([, commands, output]) => ({
    commands: commands!,
    output: output!,
  }))
  t.ok(blocks.length >= 4)
  // One shell for all, as the reader has; the mark tells where the output of each block ends.
  const script = blocks.map(({ commands }) => `${commands}\necho '=== end of block'\n`).join('')
  const printed = await new Promise<string>((resolve) => {
    const text = `exec 2>&1\n${script.replaceAll('http://127.0.0.1:8080', server.url)}`
    execFile('bash', ['-c', text], { timeout: 60_000 }, (_error, stdout) => resolve(stdout))
  })
  const outputs = printed.split('=== end of block\n')
  for (const [i, { output }] of blocks.entries())
    t.equal(masked(outputs[i] ?? ''), masked(output), `block ${i + 1}`)
})
