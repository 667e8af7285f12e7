import { isLoopbackHost } from './open-mode.js'

/**
 * Why a URL cannot be an issuer's: whoever can change what it answers can sign for every job, so it is https. Plain
 * http is taken on loopback, for tests and for an issuer on the same machine.
 * @returns null where it can
 */
export function issuerUrlFault(text: string): string | null {
  const url = parse(text)
  if (url === null) return 'must be a URL, as https://token.actions.githubusercontent.com'
  if (url.search !== '' || /[?#]/.test(text)) return 'must have neither query nor fragment'
  return trustFault(url)
}

/** As `issuerUrlFault`, for the address of the keys. */
export function keysUrlFault(text: string): string | null {
  const url = parse(text)
  if (url === null) return 'must be a URL, as https://token.actions.githubusercontent.com/.well-known/jwks'
  return trustFault(url)
}

/**
 * The address of the keys, as an issuer's discovery document gives it (OpenID Connect Discovery 1.0, 4.2 and 4.3).
 * @throws Error where the document cannot be trusted
 */
export function discoveredKeysUrl(document: unknown, issuer: string): string {
  const { issuer: named, jwks_uri: url } = (document ?? {}) as { issuer?: unknown; jwks_uri?: unknown }
  // A document of another issuer would bring that one's keys in under this one's name.
  if (named !== issuer) throw new Error(`the discovery document of ${issuer} is another issuer's`)
  const fault = typeof url === 'string' ? keysUrlFault(url) : 'is missing'
  if (fault !== null) throw new Error(`the discovery document of ${issuer}: jwks_uri ${fault}`)
  if (isLoopbackHttp(new URL(url as string)) && !isLoopbackHttp(new URL(issuer))) {
    throw new Error(`the discovery document of ${issuer}: jwks_uri leads from https to plain http`)
  }
  return url as string
}

function trustFault(url: URL): string | null {
  if (url.username !== '' || url.password !== '') return 'must hold no user name or password'
  if (url.protocol === 'https:' || isLoopbackHttp(url)) return null
  return 'must begin with https://; plain http is taken on loopback only'
}

function isLoopbackHttp(url: URL): boolean {
  return url.protocol === 'http:' && isLoopbackHost(url.hostname.replace(/^\[(.*)\]$/, '$1'))
}

function parse(text: string): URL | null {
  return text.length <= 1_024 && URL.canParse(text) ? new URL(text) : null
}
