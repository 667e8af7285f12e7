import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Whether a test must be skipped because a program is not installed: false, or the reason to print. For tap's
 * `skip` option: `t.test('…', { skip: needs('python3') }, …)`.
 *
 * `GATEHOUSE_REQUIRE_ALL=1` (as CI sets it) makes a missing program a failure, so that a suite cannot shrink there
 * without anybody noticing.
 * @param program a command on the PATH, or an absolute path
 */
export function needs(program: string): string | false {
  if (isInstalled(program)) return false
  return unmet(`needs ${program}`)
}

/** The same for any other condition, which the caller has found unmet: a skip message, or a failure in CI. */
export function unmet(reason: string): string {
  if (process.env.GATEHOUSE_REQUIRE_ALL === '1')
    throw new Error(`${reason}, and GATEHOUSE_REQUIRE_ALL=1 allows no skip`)
  return reason
}

function isInstalled(program: string): boolean {
  if (program.startsWith('/')) return existsSync(program)
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program], { stdio: 'ignore' }).status === 0
}
