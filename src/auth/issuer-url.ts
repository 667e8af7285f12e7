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

function trustFault(url: URL): string | null {
  if (url.username !== '' || url.password !== '') return 'must hold no user name or password'
  if (url.protocol === 'https:' || isLoopbackHttp(url)) return null
  return 'must begin with https://; plain http is taken on loopback only'
}

export function isLoopbackHttp(url: URL): boolean {
  return url.protocol === 'http:' && isLoopbackHost(url.hostname.replace(/^\[(.*)\]$/, '$1'))
}

function parse(text: string): URL | null {
  return text.length <= 1_024 && URL.canParse(text) ? new URL(text) : null
}
