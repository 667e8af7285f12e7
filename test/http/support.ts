import { randomUUID } from 'node:crypto'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { Check, Errors } from 'typebox/value'
import type { TSchema } from 'typebox'
import { type AppDeps, buildApp } from '../../src/app.js'
import { Credentials, type CredentialSettings } from '../../src/auth/credentials.js'
import { createTokenText, hashOf } from '../../src/auth/token.js'
import { EMPTY_CONFIG_FILE } from '../../src/config-file.js'
import { refused } from '../../src/gate/outcome.js'
import type { App } from '../../src/http/app-types.js'
import { Metrics } from '../../src/http/metrics.js'
import type { Gatehouse, Settings } from '../../src/operations/gatehouse.js'
import type { NewToken } from '../../src/store/credentials.js'
import { measureStore } from '../../src/store/measured-store.js'
import { openSqliteStore } from '../../src/store/sqlite/open.js'
import type { MetricHistoryStore } from '../../src/store/store.js'
import { planRecord } from '../../src/operations/plan-record.js'

export const SHA = 'a'.repeat(40)

export interface Client {
  readonly app: App
  readonly gatehouse: Gatehouse
  /** Sends a request, and holds the answer to the schema that its route declares. */
  readonly call: (options: InjectOptions | string) => Promise<LightMyRequestResponse>
}

interface DeclaredResponse {
  readonly content?: Readonly<Record<string, { readonly schema: TSchema }>>
}

/** The whole server over a real store, with the options of the process. */
export async function openClient(
  t: Test,
  overrides: {
    deps?: Partial<AppDeps>
    settings?: Partial<Settings>
    gatehouse?: Partial<Gatehouse>
    credentials?: Partial<CredentialSettings>
    /** Instead of a SQLite file of its own; closed by whoever opened it. */
    store?: MetricHistoryStore
  } = {},
): Promise<Client> {
  const metrics = new Metrics()
  const opened =
    overrides.store ??
    (await openSqliteStore({ path: `${t.testdir({})}/${randomUUID()}.db`, busyTimeoutMs: 1_000 }))
  const store = measureStore(opened, metrics.storeCall)
  const gatehouse: Gatehouse = {
    store,
    settings: {
      baselineWindow: 20,
      enforceMinHistory: 10,
      verdictRetentionDays: 90,
      ...EMPTY_CONFIG_FILE,
      ...overrides.settings,
    },
    planRecord: (source, declarations) => Promise.resolve(planRecord(source, declarations)),
    readPython: () => Promise.resolve(refused({ where: 'test_file:1', message: 'is not read in this test' })),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    ...overrides.gatehouse,
  }
  const credentials = new Credentials(
    gatehouse.store,
    { isLoopback: true, adminToken: null, jobs: null, ...overrides.credentials },
    gatehouse.log,
  )
  const app = await buildApp({ gatehouse, credentials, metrics, ...overrides.deps })
  const violations: string[] = []
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.is404)
      violations.push(...violationsOf(request.routeOptions.schema?.response, reply, payload))
    done()
  })
  await app.ready()
  t.teardown(async () => {
    await app.close()
    if (overrides.store === undefined) await store.close()
  })
  return {
    app,
    gatehouse,
    call: async (options) => {
      const response = await app.inject(options)
      t.same(violations.splice(0), [], 'the answer is what its route declares')
      t.ok(response.headers['x-request-id'], 'the answer names its request')
      return response
    },
  }
}

/** Stores a token and answers its text; fields as they are asked for. */
export async function issueToken(store: MetricHistoryStore, fields: Partial<NewToken> = {}): Promise<string> {
  const text = createTokenText()
  const tokenId = fields.tokenId ?? randomUUID()
  await store.write(async (writer) =>
    writer.writeToken({
      tokenId,
      name: tokenId,
      tokenHash: hashOf(text),
      scopes: ['admin'],
      testPathPrefixes: null,
      createdAt: await writer.now(),
      createdBy: 'test',
      expiresAt: null,
      ...fields,
    }),
  )
  return text
}

/** The header that bears a token. */
export function bearing(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` }
}

/** The request with further headers. */
export function withHeaders(options: InjectOptions, headers: Record<string, string>): InjectOptions {
  return { ...options, headers: { ...options.headers, ...headers } }
}

interface SentReply {
  readonly statusCode: number
  getHeader(name: string): unknown
  readonly request: { readonly url: string; readonly method: string }
}

function violationsOf(declared: unknown, reply: SentReply, payload: unknown): string[] {
  const { statusCode, request } = reply
  const type = String(reply.getHeader('content-type')).split(';')[0] ?? ''
  if (!/json$/.test(type) || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return []
  const where = `${request.method} ${request.url.slice(0, 80)} ${statusCode} ${type}`
  const response = (declared as Record<string, DeclaredResponse> | undefined)?.[String(statusCode)]
  if (declared === undefined) return []
  const schema = response?.content?.[type]?.schema
  if (schema === undefined) return [`${where}: not declared`]
  const value: unknown = JSON.parse(payload.toString())
  if (Check(schema, value)) return []
  return [`${where}: ${JSON.stringify(Errors(schema, value).slice(0, 3))}`]
}

/** A form as curl sends it. */
export function form(
  parts: ReadonlyArray<readonly [name: string, value: string | Buffer]>,
  url = '/v1/runs',
) {
  const boundary = 'form-boundary-7d1b'
  const chunks = parts.flatMap(([name, value]) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
    Buffer.from(value as string),
    Buffer.from('\r\n'),
  ])
  return {
    method: 'POST' as const,
    url,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

export const FIELDS = [
  ['test_path', 'tests/e2e/test_ppo.py'],
  ['backend', 'cuda'],
  ['suite', 'stage-c'],
  ['commit_sha', SHA],
] as const

export const DECLARED =
  '[{"metric_key": "loss", "steps": "last", "constraint": {"rel_down": 0.5, "rel_up": 0.5}}]'

export function record(value: number | string, metric = 'loss'): string {
  return `${JSON.stringify({ metric, series: [[0, value]] })}\n`
}

/** A whole JSON submission. */
export function body(overrides: Record<string, unknown> = {}) {
  return {
    series: { test_path: 'tests/e2e/test_ppo.py', backend: 'cuda', suite: 'stage-c' },
    provenance: { commit_sha: SHA },
    declarations: [{ metric_key: 'loss', steps: 'last', constraint: { rel_down: 0.5, rel_up: 0.5 } }],
    record: [{ metric: 'loss', series: [[0, 1]] }],
    ...overrides,
  }
}

/** Posts JSON text as it stands, so that its literals are the test's own. */
export function jsonText(text: string, url = '/v1/runs'): InjectOptions {
  return { method: 'POST', url, headers: { 'content-type': 'application/json' }, payload: text }
}

export function post(payload: object, url = '/v1/runs'): InjectOptions {
  return { method: 'POST', url, payload }
}

export interface ProblemBody {
  type: string
  title: string
  status: number
  detail: string
  instance: string
  errors: Array<{ where: string; message: string }>
}

/** Holds an answer to be a problem of this status and code, and answers its document. */
export function problemOf(
  t: Test,
  response: LightMyRequestResponse,
  status: number,
  code: string,
): ProblemBody {
  t.equal(response.statusCode, status, response.body.slice(0, 300))
  t.equal(response.headers['content-type'], 'application/problem+json')
  const problem: ProblemBody = response.json()
  t.equal(problem.type, `urn:gatehouse:problem:${code}`)
  t.equal(problem.status, status)
  t.equal(problem.instance, response.headers['x-request-id'])
  t.ok(problem.detail.length > 0 && problem.title.length > 0)
  return problem
}

export function whereOf(problem: ProblemBody): string[] {
  return problem.errors.map(({ where }) => where)
}
