import type { Fault } from '../gate/outcome.js'
import { MAX_TEST_PATH } from '../gate/identity.js'
import { keyFault, shown, textFault } from '../gate/text.js'
import { prefixWarning } from './confinement.js'

export const MAX_TOKEN_NAME = 128
export const MAX_TOKEN_PREFIXES = 100
/** Ten years: whoever wants longer means a token without an end. */
export const MAX_TOKEN_DAYS = 3_650

/** What is asked for a new token. */
export interface TokenRequest {
  readonly name: string
  readonly scopes: readonly string[]
  /** null where the token shall not be confined. */
  readonly testPathPrefixes: readonly string[] | null
  /** null where it shall never expire. */
  readonly expiresInDays: number | null
}

/**
 * Why such a token cannot be made, each fault under its field on the wire.
 * @param known the scopes that there are
 */
export function tokenRequestFaults(request: TokenRequest, known: readonly string[]): Fault[] {
  const { name, scopes, testPathPrefixes, expiresInDays } = request
  const faults: Fault[] = []
  const add = (where: string, message: string | null) => {
    if (message !== null) faults.push({ where, message })
  }
  add('name', keyFault(name, MAX_TOKEN_NAME))
  if (scopes.length === 0) add('scopes', `is empty; name what the token may do: ${known.join(', ')}`)
  for (const [index, scope] of scopes.entries()) {
    if (!known.includes(scope))
      add(`scopes/${index}`, `is ${shown(scope)}, no scope; there are ${known.join(', ')}`)
    else if (scopes.indexOf(scope) < index) add(`scopes/${index}`, `is named twice`)
  }
  if (testPathPrefixes !== null) {
    if (testPathPrefixes.length === 0) {
      add(
        'test_path_prefixes',
        'is an empty list, and would let the token touch nothing; leave it out, or fill it',
      )
    } else if (scopes.includes('admin')) {
      add('test_path_prefixes', 'cannot confine the scope admin, which could make itself another token')
    }
    if (testPathPrefixes.length > MAX_TOKEN_PREFIXES) {
      add('test_path_prefixes', `has more than ${MAX_TOKEN_PREFIXES} entries`)
    }
    for (const [index, prefix] of testPathPrefixes.entries()) {
      add(`test_path_prefixes/${index}`, prefixFault(prefix))
    }
  }
  if (
    expiresInDays !== null &&
    !(Number.isInteger(expiresInDays) && expiresInDays >= 1 && expiresInDays <= MAX_TOKEN_DAYS)
  ) {
    add(
      'expires_in_days',
      `must be an integer from 1 to ${MAX_TOKEN_DAYS}; left out, the token never expires`,
    )
  }
  return faults
}

/** Scopes that test paths confine. */
const CONFINED = ['runs:submit', 'baselines:write', 'trust:revoke']

/** What is odd about a request that may be meant so: the token is made all the same. */
export function tokenRequestWarnings({ scopes, testPathPrefixes }: TokenRequest): string[] {
  const warnings: string[] = []
  if (scopes.includes('baselines:write') && !scopes.includes('runs:submit') && !scopes.includes('admin')) {
    warnings.push(
      'the scope baselines:write is of no use alone: what submits a run needs runs:submit as well',
    )
  }
  if (testPathPrefixes !== null && !scopes.some((scope) => CONFINED.includes(scope))) {
    warnings.push('the prefixes of test paths confine nothing: its scopes only read, or know no test paths')
  }
  for (const prefix of testPathPrefixes ?? []) {
    const warning = prefixWarning(prefix)
    if (warning !== null) warnings.push(`the prefix ${warning}`)
  }
  return warnings
}

function prefixFault(prefix: string): string | null {
  if (prefix === '') return 'is empty, which confines nothing; leave the list out'
  if (prefix.length > MAX_TEST_PATH) return `is longer than ${MAX_TEST_PATH} characters`
  return textFault(prefix)
}
