import { randomBytes } from 'node:crypto'
import { SECRET_MARK } from '../../scripts/leaked-secrets.js'

/** A secret of at least 32 characters that the end of a test run looks for in everything that was logged. */
export function madeUpSecret(where: string): string {
  return `${SECRET_MARK}${where}-${randomBytes(16).toString('hex')}`
}
