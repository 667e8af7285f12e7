import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { TSchema } from 'typebox'
import type { Identified } from '../auth/credentials.js'
import type { Principal, Scope } from '../auth/principal.js'
import type { Metrics } from './metrics.js'
import type { Drain } from './plugins/drain.js'
import type { MemoryShare } from './plugins/memory.js'

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Bodies that are read by hand, with what the OpenAPI document says of each form. */
export type BodyForms = Readonly<
  Partial<Record<'application/json' | 'multipart/form-data' | 'application/x-ndjson', TSchema>>
>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** One of these scopes opens the route; every route declares it. */
    scopes?: readonly Scope[] | 'public'
    /** Whether GATEHOUSE_PUBLIC_READ opens the route, where it is one of reading; yes, unless it says no. */
    publicRead?: boolean
    /** A badge or a chart, which BADGES_PUBLIC opens. */
    image?: boolean
    /** Answers while the server is overloaded or shutting down: it is how one finds out. */
    alive?: boolean
    /** The body is read as it comes, for as long as it goes on coming. */
    streams?: boolean
    /** A large JSON body is left as its bytes, for a thread to read. */
    threaded?: boolean
    /** The forms of body that the route reads itself; a route with a `body` schema takes JSON alone. */
    forms?: BodyForms
  }
  interface FastifyRequest {
    principal: Principal
    /** How the credential came. */
    borne: Identified['borne']
    /** The text of each member of a JSON body, for what its values lose. */
    jsonMembers: ReadonlyMap<string, string>
    /** Absent where the route holds nothing of a size. */
    memory?: MemoryShare
  }
  interface FastifyInstance {
    drain: Drain
    /**
     * Counts the request towards the bound of whoever it is from.
     * @throws GatehouseError rate_limited beyond it
     */
    countRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
    metrics: Metrics
  }
}
