/** Starts the bare server beside a database. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Database } from '../targets.js'

const SERVER = fileURLToPath(new URL('./bare-server.js', import.meta.url))

/**
 * Runs `work` beside a bare server that answers with the given document.
 * @param work given the address of the server, whose routes are `/bare` and `/durable`
 */
export async function withBare<T>(
  database: Database,
  answer: Buffer,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (database.backend === 'postgres') {
    await database.execute(
      'create table if not exists bare (id text primary key, document text not null); grant select, insert on bare to public',
    )
  }
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bare-'))
  const file = join(folder, 'answer.json')
  writeFileSync(file, answer)
  const child = spawn(process.execPath, [SERVER], {
    env: { PATH: process.env['PATH'], BARE_ANSWER: file, BARE_DATABASE_URL: database.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const lines = createInterface({ input: child.stdout })
    const [line] = (await Promise.race([
      once(lines, 'line'),
      once(child, 'exit').then(() => {
        throw new Error('the bare server ended')
      }),
    ])) as [string]
    return await work(line.replace('listening at ', ''))
  } finally {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}
