import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { LadderPageSchema, LadderSchema, LiveSchema, type LiveDocument } from '../../documents/ladder.js'
import { AssignmentSchema } from '../../documents/ladder-reports.js'
import { GatehouseError } from '../../errors.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import {
  assignUnit,
  createLadder,
  listLadders,
  readLadder,
  readLive,
} from '../../operations/ladders/ladders.js'
import { SharedAsks } from '../../store/shared-asks.js'
import { LiveWatch } from '../../operations/ladders/live-watch.js'
import type { App } from '../app-types.js'
import { matchesEtag } from '../etag.js'
import { LadderBodySchema, LadderParams, readLadderRequest } from '../schemas/ladder.js'
import { pageParameters, Query, readPageRequest } from '../schemas/query.js'
import { json, nothing, problems } from '../schemas/responses.js'

/** Ladders, and what a router asks of them. */
export function ladderRoutes(app: App, gatehouse: Gatehouse): void {
  app.post(
    '/v1/ladders',
    {
      config: { scopes: ['promotions:write'] },
      schema: {
        operationId: 'createLadder',
        tags: ['promotion'],
        summary: 'Make a ladder',
        description: 'Its live version has all traffic, as generation 1. The configuration never changes.',
        body: LadderBodySchema,
        response: { 201: json(LadderSchema, 'Made'), ...problems(400, 409, 413, 415, 422) },
      },
    },
    async ({ body, principal, id: requestId }, reply) => {
      const ladder = await createLadder(gatehouse, { principal, requestId }, readLadderRequest(body))
      return reply
        .code(201)
        .header('location', `/v1/ladders/${encodeURIComponent(ladder.ladder)}`)
        .send(ladder)
    },
  )

  app.get(
    '/v1/ladders',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'listLadders',
        tags: ['promotion'],
        summary: 'Ladders, by name',
        querystring: Query(pageParameters),
        response: { 200: json(LadderPageSchema, 'A page of ladders'), ...problems(400) },
      },
    },
    ({ query }) => listLadders(gatehouse, readPageRequest(query)),
  )

  app.get(
    '/v1/ladders/:ladder',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'readLadder',
        tags: ['promotion'],
        summary: 'A ladder: configuration, live version, shares, variants',
        params: LadderParams,
        response: { 200: json(LadderSchema, 'The ladder as it stands'), ...problems(400, 404) },
      },
    },
    ({ params }) => readLadder(gatehouse, params.ladder),
  )

  app.get(
    '/v1/ladders/:ladder/assignment',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'assignUnit',
        tags: ['promotion'],
        summary: 'Which version serves a unit, in the shares of the moment',
        description:
          'By a stable hash: the same unit gets the same version until shares change, and then only units move that come from or go to the live version.',
        params: LadderParams,
        querystring: Query({
          unit: Type.String({
            format: 'text',
            maxLength: 1_024,
            description: 'what is assigned: a user, a request key',
          }),
        }),
        response: { 200: json(AssignmentSchema, 'The version'), ...problems(400, 404) },
      },
    },
    ({ params, query }) => assignUnit(gatehouse, params.ladder, query.unit),
  )
}

/** The pointer alone, for routers that poll it. */
export function liveRoutes(app: App, gatehouse: Gatehouse): void {
  const watch = new LiveWatch(gatehouse)
  // Many routers poll the same pointer: those whose requests come in one turn share one look at the store.
  const pointers = new SharedAsks((ladder) => readLive(gatehouse, ladder))
  app.drain.onBegin(() => watch.close())
  app.get(
    '/v1/ladders/:ladder/live',
    {
      // Routers ask some times a second each: two lines for every answer would bury the rest, and cost a tenth of it.
      logLevel: 'warn',
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'readLive',
        tags: ['promotion'],
        summary: 'The live version',
        description:
          'Read from the store each time. With wait and generation the answer comes when the generation moves past the given one, or with the unchanged pointer when the time is over or the server shuts down.',
        params: LadderParams,
        querystring: Query({
          wait: Type.Optional(
            Type.Integer({ minimum: 0, maximum: 60, description: 'seconds; needs generation' }),
          ),
          generation: Type.Optional(
            Type.Integer({ minimum: 0, description: 'the newest one that is known; needs wait' }),
          ),
        }),
        response: {
          200: { ...json(LiveSchema, 'The pointer'), headers: { ETag: Type.String() } },
          304: nothing('If-None-Match names the present pointer', { ETag: Type.String() }),
          ...problems(400, 404),
        },
      },
    },
    async ({ params, query, headers }, reply) => {
      const { wait, generation } = query
      if ((wait === undefined) !== (generation === undefined)) {
        const [where, other] = wait === undefined ? ['?generation', 'wait'] : ['?wait', 'generation']
        const message = `needs ${other} beside it, as ?wait=30&generation=7`
        throw new GatehouseError('invalid_query', `${where} ${message}`, [{ where, message }])
      }
      let live = await pointers.ask(params.ladder)
      if (wait !== undefined && generation !== undefined && live.generation <= generation) {
        const gone = new AbortController()
        reply.raw.once('close', () => gone.abort())
        const moved = await watch.past(params.ladder, generation, wait * 1_000, gone.signal)
        // Not what was read when the waiting began: the pointer may have moved without passing a generation to come.
        live = moved ?? (await pointers.ask(params.ladder))
      }
      return sendLive(reply, live, headers['if-none-match'])
    },
  )
}

function sendLive(reply: FastifyReply, live: LiveDocument, ifNoneMatch: string | undefined) {
  const etag = `"${live.generation}-${encodeURIComponent(live.version)}"`
  // May be kept, to be asked for again with its tag.
  void reply.header('etag', etag).header('cache-control', 'no-cache')
  return matchesEtag(ifNoneMatch, etag) ? reply.code(304).send() : reply.send(live)
}
