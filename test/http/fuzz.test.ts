import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { body, form, jsonText, openClient } from './support.js'

const RUNS = { numRuns: 300 }

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '%00',
    '%ff',
    '%ED%A0%80',
    '%',
    '..',
    '__proto__',
    'constructor',
    '\u0000',
    '\ud800',
    "' or 1=1 --",
    '[]',
    '{}',
    '-0',
    '1e999',
    '9'.repeat(400),
  ),
)
const PATHS = [
  '/v1/runs',
  '/v1/verdicts',
  '/v1/baselines',
  '/v1/admin/revocations',
  '/v1/whoami',
  '/v1/ladders',
  '/v1/ladders/l',
  '/v1/ladders/l/live',
  '/v1/ladders/l/variants',
  '/healthz',
  '/readyz',
  '/docs',
  '/openapi.json',
  '/',
]
const PARAMETERS = [
  'test_path',
  'backend',
  'suite',
  'metric_key',
  'step',
  'limit',
  'cursor',
  'since',
  'until',
  'trusted',
  'outcome',
  'commit_sha',
  'github_run_id',
  'pr_number',
  'dry_run',
  'on_fail',
  '__proto__',
]

t.test('no address, query or header is a fault of the service', async (t) => {
  const { call } = await openClient(t)
  const check = async (options: InjectOptions) => {
    const response = await call(options)
    t.ok(response.statusCode < 500, `${JSON.stringify(options).slice(0, 300)} -> ${response.statusCode}`)
  }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PATHS),
      fc.constantFrom('/', ''),
      hostileText,
      async (path, slash, text) => check({ url: path + slash + encode(text) }),
    ),
    RUNS,
  )
  const pair = fc.tuple(fc.constantFrom(...PARAMETERS), hostileText)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PATHS),
      fc.array(pair, { maxLength: 4 }),
      fc.boolean(),
      async (path, pairs, raw) => {
        const query = pairs
          .map(([name, value]) => `${name}=${raw ? encode(value) : escaped(value)}`)
          .join('&')
        return check({ url: `${path}?${query}` })
      },
    ),
    RUNS,
  )
  const header = fc.tuple(
    fc.constantFrom(
      'accept',
      'content-type',
      'content-encoding',
      'idempotency-key',
      'x-request-id',
      'origin',
      'host',
      'authorization',
      'accept-version',
      'if-none-match',
      'range',
      'cookie',
      'expect',
    ),
    fc.string({
      unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
      maxLength: 60,
    }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PATHS),
      fc.constantFrom('GET', 'POST', 'HEAD', 'DELETE', 'OPTIONS'),
      fc.array(header),
      async (url, method, headers) =>
        check({
          url,
          method: method,
          headers: Object.fromEntries(headers),
          ...(method === 'POST' && { payload: '{}' }),
        }),
    ),
    RUNS,
  )
})

t.test('no body is a fault of the service', async (t) => {
  const { call } = await openClient(t)
  const check = async (options: InjectOptions) => {
    const response = await call(options)
    t.ok(
      response.statusCode < 500,
      `${JSON.stringify(options.payload).slice(0, 300)} -> ${response.statusCode} ${response.body.slice(0, 200)}`,
    )
  }
  const json = fc.json({ maxDepth: 4, stringUnit: 'binary' })
  const urls = fc.constantFrom('/v1/runs', '/v1/declarations/parse', '/v1/admin/revocations', '/v1/ladders')
  await fc.assert(
    fc.asyncProperty(urls, json, async (url, text) => check(jsonText(text, url))),
    RUNS,
  )
  const member = fc.constantFrom(
    'series',
    'provenance',
    'cadence',
    'schedule',
    'labels',
    'declarations',
    'record',
    'test_source',
  )
  await fc.assert(
    fc.asyncProperty(member, json, async (name, text) => {
      const { [name]: _replaced, ...rest } = body() as Record<string, unknown>
      return check(jsonText(`${JSON.stringify(rest).slice(0, -1)},${JSON.stringify(name)}:${text}}`))
    }),
    RUNS,
  )
  const part = fc.tuple(
    fc.constantFrom(
      'record',
      'declarations',
      'test_path',
      'backend',
      'suite',
      'commit_sha',
      'github_run_id',
      'labels',
      'pr_number',
      'x',
    ),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => check(form(parts))),
    RUNS,
  )
})

/** As a URL can carry it, or as the client of inject would refuse it otherwise. */
function encode(text: string): string {
  return text.replace(/[^\x21-\x7e]|[#?]/gu, (character) => escaped(character))
}

function escaped(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
