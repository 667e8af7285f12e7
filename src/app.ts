import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { uuidv7 } from 'uuidv7'
import { Credentials } from './auth/credentials.js'
import { toJson } from './documents/json.js'
import type { App } from './http/app-types.js'
import { BytesInFlight } from './http/bytes-in-flight.js'
import { Metrics } from './http/metrics.js'
import { authenticate, enforceScopes, guardOpenMode, type Openings } from './http/plugins/access.js'
import { acceptBodies } from './http/plugins/bodies.js'
import { drainOnClose } from './http/plugins/drain.js'
import { setHeaders } from './http/plugins/headers.js'
import { boundMemory, memoryBudgets, SMALL_REQUESTS, type MemoryBudgets } from './http/plugins/memory.js'
import { describeApi, serveDocs } from './http/plugins/openapi.js'
import { boundPipelines } from './http/plugins/pipelines.js'
import { PRESSURE_LIMITS, type PressureLimits, shedLoad } from './http/plugins/pressure.js'
import {
  answerProblems,
  clientError,
  frameworkError,
  refuseUnknownRoutes,
  watchConnections,
} from './http/plugins/problems.js'
import { readQueries } from './http/plugins/queries.js'
import { DEFAULT_RATE_LIMIT, limitRates } from './http/plugins/rate-limit.js'
import { observeRequests } from './http/plugins/request-log.js'
import { endSlowRequests } from './http/plugins/slow-requests.js'
import { parseQuery } from './http/query-string.js'
import { routes } from './http/routes/index.js'
import { AJV } from './http/schemas/ajv.js'
import type { Gatehouse } from './operations/gatehouse.js'

export interface AppDeps {
  readonly gatehouse: Gatehouse
  /** A pino logger; without one nothing is logged. */
  readonly logger?: FastifyBaseLogger
  /** Who asks; where not given, those of a server on loopback that nothing is configured for. */
  readonly credentials?: Credentials
  /** What is open without a credential; nothing, where not given. */
  readonly openings?: Openings
  readonly maxBodyBytes?: number
  readonly maxImportBytes?: number
  /** How long a client may take to send a whole request. */
  readonly requestTimeoutMs?: number
  /** Requests per minute and credential; 0 for no bound. */
  readonly rateLimit?: number
  /** When new work is refused; those not given are the process's. */
  readonly pressure?: Partial<PressureLimits>
  readonly memory?: Partial<MemoryBudgets>
  /** Those that the store is measured by; of this app alone. */
  readonly metrics?: Metrics
}

const MIB = 1_024 * 1_024

/** Builds the server, not yet listening. Tests use the same options as the process does. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { gatehouse, openings = { publicRead: false, badgesPublic: false } } = deps
  const credentials =
    deps.credentials ??
    new Credentials(gatehouse.store, { isLoopback: true, adminToken: null, jobs: null }, gatehouse.log)
  const requestTimeout = deps.requestTimeoutMs ?? 120_000
  const maxBodyBytes = deps.maxBodyBytes ?? 32 * MIB
  const app: App = Fastify({
    ...(deps.logger ? { loggerInstance: deps.logger } : { logger: false }),
    // An id from outside would be echoed into headers and logs; the server makes its own.
    requestIdHeader: false,
    genReqId: () => uuidv7(),
    // `observeRequests` writes a line for each request.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: maxBodyBytes,
    // `endSlowRequests` bounds the body; this one would cut off long imports.
    requestTimeout: 0,
    // A client that neither sends nor reads is let go; longer than any answer takes to come.
    connectionTimeout: 150_000,
    http: {
      // The missing Host is answered with a problem document, as anything else is.
      requireHostHeader: false,
      headersTimeout: Math.min(20_000, requestTimeout),
      // Timeouts are looked for this often.
      connectionsCheckingInterval: Math.min(5_000, Math.ceil(requestTimeout / 4)),
    },
    // The drain refuses with a problem document and Retry-After.
    return503OnClosing: false,
    routerOptions: { querystringParser: parseQuery, maxParamLength: 2_048 },
    ajv: AJV,
    frameworkErrors: frameworkError,
    clientErrorHandler: clientError,
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.setSerializerCompiler(() => toJson)
  app.setReplySerializer(toJson)
  answerProblems(app)

  const budgets = { ...memoryBudgets(), ...deps.memory }
  const bytesInFlight = new BytesInFlight(budgets.bytesInFlight, SMALL_REQUESTS)
  const metrics = deps.metrics ?? new Metrics()
  metrics.observe(gatehouse.store, () => bytesInFlight.held)
  app.decorate('metrics', metrics)

  // In the order in which a request meets them.
  boundPipelines(app)
  watchConnections(app)
  observeRequests(app)
  await setHeaders(app)
  drainOnClose(app)
  guardOpenMode(app, credentials)
  refuseUnknownRoutes(app)
  await shedLoad(app, gatehouse.store, { ...PRESSURE_LIMITS, ...deps.pressure })
  await app.register(cookie)
  authenticate(app, credentials, openings)
  await limitRates(app, deps.rateLimit ?? DEFAULT_RATE_LIMIT)
  enforceScopes(app)
  endSlowRequests(app, requestTimeout)
  acceptBodies(app)
  boundMemory(app, bytesInFlight, budgets, maxBodyBytes)
  readQueries(app)

  await describeApi(app)
  await serveDocs(app)
  await app.register(routes, {
    gatehouse,
    credentials,
    maxImportBytes: deps.maxImportBytes ?? 4_096 * MIB,
  })
  return app
}
