import { GatehouseError } from '../errors.js'

/**
 * The token of an Authorization header. The scheme's case does not matter.
 * @param mode in `open` mode only an empty header is refused: it is what an unset secret gives, and never meant
 * @throws GatehouseError unauthorized, which names the slip; the value is never repeated
 */
export function bearerOf(header: string, mode: 'open' | 'closed'): string {
  const [, scheme = '', rest = ''] = /^[\t ]*([^\t ]*)[\t ]*(.*?)[\t ]*$/s.exec(header) ?? []
  const isBearer = scheme.toLowerCase() === 'bearer'
  if (scheme === '' || (isBearer && rest === '')) {
    throw unauthorized(
      'the Authorization header holds no token: is the secret unset (as in a job of a fork)?' +
        (mode === 'open' ? ' This server takes requests without the header' : ''),
    )
  }
  if (mode === 'open') return rest
  if (!isBearer) {
    throw unauthorized(
      rest === ''
        ? 'the Authorization header names no scheme: write Bearer and a space before the token'
        : 'the Authorization header has a scheme that is not taken; write Authorization: Bearer TOKEN',
    )
  }
  if (/\s/.test(rest))
    throw unauthorized('after Bearer stands more than one word; a token holds no white space')
  return rest
}

function unauthorized(detail: string): GatehouseError {
  return new GatehouseError('unauthorized', detail)
}
