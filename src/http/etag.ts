/**
 * Whether If-None-Match names this entity tag (RFC 9110, 13.1.2). The comparison is the weak one: a proxy that compresses
 * marks tags as weak.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .includes(etag)
}
