/** Stands in a parsed query for a value that cannot be decoded, so that validation names the parameter. */
export class MalformedQueryValue {}

export type ParsedQuery = Record<string, unknown>

/**
 * Parses a query string without guessing: a repeated parameter becomes a list (which no schema takes), and what
 * cannot be decoded is marked. The usual parsers let `%ff` pass as the text "%ff", which would be another series.
 * It never throws: the router calls it where no error handler stands.
 */
export function parseQuery(text: string): ParsedQuery {
  // Without a prototype: `__proto__` is a parameter like any other, an unknown one.
  const query = Object.create(null) as ParsedQuery
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const rawName = equals === -1 ? pair : pair.slice(0, equals)
    const name = decode(rawName) ?? rawName
    const value = decode(equals === -1 ? '' : pair.slice(equals + 1)) ?? new MalformedQueryValue()
    const earlier = query[name]
    if (earlier === undefined) query[name] = value
    else if (Array.isArray(earlier)) earlier.push(value)
    else query[name] = [earlier, value]
  }
  return query
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

interface QuerySchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string; readonly minimum?: number }>>
}

/**
 * Reads the integers and booleans that a schema declares, and only their exact forms: decimal digits, `true`,
 * `false`. What has another form stays text, and validation refuses it. (Ajv's coercion also takes `1e2`, ` 5` and
 * an empty text.)
 */
export function readTypedQuery(query: ParsedQuery, schema: QuerySchema): ParsedQuery {
  const read = Object.assign(Object.create(null) as ParsedQuery, query)
  for (const [name, { type, minimum = 0 }] of Object.entries(schema.properties ?? {})) {
    const value = query[name]
    if (typeof value !== 'string') continue
    if (type === 'integer') {
      const digits = minimum < 0 ? /^-?\d{1,16}$/ : /^\d{1,16}$/
      if (digits.test(value)) read[name] = Number(value)
    } else if (type === 'boolean' && (value === 'true' || value === 'false')) read[name] = value === 'true'
  }
  return read
}
