import { shown } from '../gate/text.js'

/**
 * Whether a credential may act on the series of a test path. A confined one (a repository's own) may not reach what
 * others keep. Prefixes are compared as text, so `tests/a` covers `tests/ab` too: write `tests/a/`.
 * @param prefixes null where the credential is not confined
 */
export function mayTouch(prefixes: readonly string[] | null, testPath: string): boolean {
  return prefixes === null || prefixes.some((prefix) => testPath.startsWith(prefix))
}

/** What is odd about a prefix of test paths that may be meant so; null where nothing is. */
export function prefixWarning(prefix: string): string | null {
  if (prefix.endsWith('/') || prefix.endsWith('.py')) return null
  return `${shown(prefix)} ends without a slash, and covers ${shown(`${prefix}-other/`)} too; is ${shown(`${prefix}/`)} meant?`
}
