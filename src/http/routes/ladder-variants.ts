import { RegisteredSchema, VariantSchema } from '../../documents/ladder.js'
import { OverrideSchema } from '../../documents/ladder-reports.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { overrideLadder } from '../../operations/ladders/evaluate.js'
import { changeFacts, readVariant, registerVariant } from '../../operations/ladders/variants.js'
import type { App } from '../app-types.js'
import {
  FactsBodySchema,
  LadderParams,
  LadderVariantParams,
  OverrideBodySchema,
  readFacts,
  readRegistration,
  VariantBodySchema,
} from '../schemas/ladder.js'
import { json, problems } from '../schemas/responses.js'

/** The variants of a ladder. */
export function ladderVariantRoutes(app: App, gatehouse: Gatehouse): void {
  app.post(
    '/v1/ladders/:ladder/variants',
    {
      config: { scopes: ['promotions:write'] },
      schema: {
        operationId: 'registerVariant',
        tags: ['promotion'],
        summary: 'Register a variant',
        description:
          'It stays on registered while a predicate of the entry to shadow fails. An id is taken for ever.',
        params: LadderParams,
        body: VariantBodySchema,
        response: { 201: json(RegisteredSchema, 'Registered'), ...problems(400, 404, 409, 413, 415, 422) },
      },
    },
    async ({ params, body, principal, id: requestId }, reply) => {
      const { ladder } = params
      const answer = await registerVariant(
        gatehouse,
        { principal, requestId },
        ladder,
        readRegistration(body),
      )
      const path = `/v1/ladders/${encodeURIComponent(ladder)}/variants/${encodeURIComponent(answer.version)}`
      return reply.code(201).header('location', path).send(answer)
    },
  )

  app.patch(
    '/v1/ladders/:ladder/variants/:version',
    {
      config: { scopes: ['promotions:write'] },
      schema: {
        operationId: 'changeFacts',
        tags: ['promotion'],
        summary: 'Change what is known of a variant',
        description: 'Facts that are left out stay as they are. The ladder is evaluated again.',
        params: LadderVariantParams,
        body: FactsBodySchema,
        response: { 200: json(RegisteredSchema, 'Changed'), ...problems(400, 404, 413, 415, 422) },
      },
    },
    ({ params, body, principal, id: requestId }) =>
      changeFacts(gatehouse, { principal, requestId }, params.ladder, params.version, readFacts(body.facts)),
  )

  app.get(
    '/v1/ladders/:ladder/variants/:version',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'readVariant',
        tags: ['promotion'],
        summary: 'A variant: where it stands, and how its comparisons went',
        params: LadderVariantParams,
        response: { 200: json(VariantSchema, 'The variant'), ...problems(400, 404) },
      },
    },
    ({ params }) => readVariant(gatehouse, params.ladder, params.version),
  )

  app.post(
    '/v1/ladders/:ladder/override',
    {
      config: { scopes: ['admin'] },
      schema: {
        operationId: 'overrideLadder',
        tags: ['promotion'],
        summary: "Move a variant by one rung, by a person's word",
        description:
          'Up, down, or to its end: rejected for a challenger, rolled_back for the live version, which restores its predecessor. Never onto current past a core violation. Kept with actor and reason.',
        params: LadderParams,
        body: OverrideBodySchema,
        response: { 200: json(OverrideSchema, 'Moved'), ...problems(400, 404, 409, 413, 415, 422) },
      },
    },
    ({ params, body, principal, id: requestId }) =>
      overrideLadder(gatehouse, { principal, requestId }, params.ladder, {
        variant: body.variant,
        toRung: body.to_rung,
        reason: body.reason,
      }),
  )
}
