/** Whether anything secret stands in what a test run logged. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the secrets that tests make up begin with; nothing else may. */
export const SECRET_MARK = 'unspeakable-'

/** Where the servers of a test run leave their output; test/support/server.ts writes it. */
export const LOG_FOLDER_VARIABLE = 'GATEHOUSE_TEST_LOGS'

const SECRETS: ReadonlyArray<readonly [what: string, pattern: RegExp]> = [
  ['a made-up secret', new RegExp(SECRET_MARK, 'i')],
  // 32 bytes in base64url.
  ['an API token', /gatehouse_[A-Za-z0-9_-]{43}/],
  ['a JSON web token', /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\./],
  ['a credential of the Authorization header', /\b(?:bearer|basic) +(?!realm=)[A-Za-z0-9+/=._~-]{12,}/i],
  ['a password in a database URL', /postgres(?:ql)?:\/\/[^\s:@/]+:[^\s@/]+@/],
]

export interface Leak {
  readonly what: string
  /** The line with the secret cut out, so that the report is not the next leak. */
  readonly line: string
}

/** Every line of a text that holds a secret. */
export function findSecrets(text: string): Leak[] {
  return text.split('\n').flatMap((line) =>
    SECRETS.flatMap(([what, pattern]) => {
      const match = pattern.exec(line)
      return match ? [{ what, line: `${line.slice(0, match.index)}[…]`.slice(-200) }] : []
    }),
  )
}

/** Reads every file of a folder of logs. */
export function findLeaks(folder: string): { files: number; leaks: Array<Leak & { file: string }> } {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const leaks = files.flatMap((file) =>
    findSecrets(readFileSync(join(folder, file), 'utf8')).map((leak) => ({ file, ...leak })),
  )
  return { files: files.length, leaks }
}
