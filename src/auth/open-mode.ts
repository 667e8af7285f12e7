/** What open mode looks at in a request. Header names are lower case, as Node gives them. */
export interface OpenModeRequest {
  /** `1.1`, or `1.0`. */
  readonly httpVersion: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly secFetchSite: string | undefined
  readonly headerNames: readonly string[]
}

/**
 * Headers that a proxy, a load balancer or a delivery network puts on what it passes on. SECURITY.md lists them, and a
 * test compares.
 */
export const PROXY_HEADERS = [
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'cdn-loop',
]

const LOOPBACK_AUTHORITY = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/**
 * Whether open mode answers a request. Without credentials every web page that the user's browser shows could
 * become a client of this server (by a form, by DNS rebinding), and a proxy would publish it, so both are refused.
 * @returns why it does not; null where it does
 */
export function openModeRefusal(request: OpenModeRequest): string | null {
  const { httpVersion, host, origin, secFetchSite, headerNames } = request
  // What a bare `proxy_pass` of nginx sends: the Host of loopback, and not one header of its own. Local programs speak 1.1.
  if (httpVersion !== '1.1') {
    return `without credentials the server takes HTTP/1.1 alone, since HTTP/${httpVersion} is what plain proxies speak; behind a proxy it needs a credential (gatehouse token create)`
  }
  if (host === undefined || !LOOPBACK_AUTHORITY.test(host)) {
    return 'without credentials the server answers only where Host is localhost, 127.0.0.1 or [::1]'
  }
  const forwarded = headerNames.find(
    (name) => name === 'forwarded' || name.startsWith('x-forwarded') || PROXY_HEADERS.includes(name),
  )
  if (forwarded !== undefined) {
    return `without credentials the server stands behind no proxy, and the request carries ${forwarded}; behind a proxy it needs a credential (gatehouse token create)`
  }
  if (origin !== undefined && !isOwnOrigin(origin, host)) {
    return 'without credentials the server takes no requests from pages of another origin'
  }
  // Several headers of the name arrive as one list.
  if (secFetchSite?.toLowerCase().includes('cross-site')) {
    return 'without credentials the server takes no cross-site requests'
  }
  return null
}

function isOwnOrigin(origin: string, host: string): boolean {
  const own = host.toLowerCase()
  const asked = origin.toLowerCase()
  return asked === `http://${own}` || asked === `https://${own}`
}

/** Addresses on which a server without credentials may listen: nobody else can reach them. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.(?:0|[1-9]\d{0,2})){3}$/.test(host)
}
