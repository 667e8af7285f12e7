const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i
const MAX_LENGTH = 200

/**
 * The path of a request target, for logs and messages: without the query and without the user part of an absolute
 * address, either of which may be a secret that somebody put there by mistake.
 */
export function requestPath(target = '/'): string {
  const path = target.replace(AUTHORITY, '').split(/[?#]/, 1)[0]!
  return path === '' ? '/' : path.slice(0, MAX_LENGTH)
}
