import { Type } from 'typebox'
import { EpisodePageSchema, EpisodeSchema, EpisodesTakenSchema } from '../../documents/ladder.js'
import { BracketSchema, ResultTakenSchema } from '../../documents/ladder-reports.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { issueBracket, takeResult } from '../../operations/ladders/comparisons.js'
import { listEpisodes, readEpisode, takeEpisodes } from '../../operations/ladders/episodes.js'
import type { App } from '../app-types.js'
import {
  EpisodesBodySchema,
  GroupIdField,
  LadderComparisonParams,
  LadderEpisodeParams,
  LadderGroupParams,
  LadderParams,
  NoBodySchema,
  readEpisodes,
  ResultBodySchema,
  VersionField,
} from '../schemas/ladder.js'
import { pageParameters, Query, readPageRequest } from '../schemas/query.js'
import { json, problems } from '../schemas/responses.js'

/** Episodes, comparisons and their results: what decisions are made from. */
export function ladderEvidenceRoutes(app: App, gatehouse: Gatehouse): void {
  app.post(
    '/v1/ladders/:ladder/episodes',
    {
      config: { scopes: ['promotions:write'] },
      schema: {
        operationId: 'takeEpisodes',
        tags: ['promotion'],
        summary: 'Store episodes, and evaluate',
        description:
          'All or none. Each is stored once, by its id: sent again, it is counted as a duplicate; with other content it is refused, but that a score may become capped later. When the answer to a capped episode is there, the rollback has happened.',
        params: LadderParams,
        body: EpisodesBodySchema,
        response: { 201: json(EpisodesTakenSchema, 'Stored'), ...problems(400, 404, 409, 413, 415, 422) },
      },
    },
    async ({ params, body, principal, id: requestId }, reply) =>
      reply
        .code(201)
        .send(await takeEpisodes(gatehouse, { principal, requestId }, params.ladder, readEpisodes(body))),
  )

  app.get(
    '/v1/ladders/:ladder/episodes',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'listEpisodes',
        tags: ['promotion'],
        summary: 'Episodes, newest first; held-out ones too',
        params: LadderParams,
        querystring: Query({
          variant: Type.Optional(VersionField),
          group_id: Type.Optional(GroupIdField),
          split: Type.Optional(Type.Enum(['selection', 'held_out'])),
          ...pageParameters,
        }),
        response: { 200: json(EpisodePageSchema, 'A page of episodes'), ...problems(400, 404) },
      },
    },
    ({ params, query }) => {
      const filter = {
        ...(query.variant !== undefined && { variant: query.variant }),
        ...(query.group_id !== undefined && { groupId: query.group_id }),
        ...(query.split !== undefined && { split: query.split }),
      }
      return listEpisodes(gatehouse, params.ladder, filter, readPageRequest(query))
    },
  )

  app.get(
    '/v1/ladders/:ladder/episodes/:episode_id',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'readEpisode',
        tags: ['promotion'],
        summary: 'An episode',
        params: LadderEpisodeParams,
        response: { 200: json(EpisodeSchema, 'The episode'), ...problems(400, 404) },
      },
    },
    ({ params }) => readEpisode(gatehouse, params.ladder, params.episode_id),
  )

  app.post(
    '/v1/ladders/:ladder/groups/:group_id/bracket',
    {
      config: { scopes: ['promotions:write'] },
      schema: {
        operationId: 'issueBracket',
        tags: ['promotion'],
        summary: 'Issue the comparisons of a group',
        description:
          'Among its uncapped selection episodes: each challenger against the live version, or all pairs in a tournament. Asked again, it answers the same ones, and adds those of episodes that came since.',
        params: LadderGroupParams,
        body: NoBodySchema,
        response: { 201: json(BracketSchema, 'The comparisons'), ...problems(400, 404, 413, 415, 422) },
      },
    },
    async ({ params, principal, id: requestId }, reply) =>
      reply
        .code(201)
        .send(await issueBracket(gatehouse, { principal, requestId }, params.ladder, params.group_id)),
  )

  app.post(
    '/v1/ladders/:ladder/comparisons/:comparison_id/result',
    {
      config: { scopes: ['promotions:write'] },
      schema: {
        operationId: 'takeResult',
        tags: ['promotion'],
        summary: 'Say how a comparison went, and evaluate',
        description:
          'The same again changes nothing; a different one is refused, and so is one for a comparison that is void. The test is that of the challenger; null between two challengers.',
        params: LadderComparisonParams,
        body: ResultBodySchema,
        response: { 200: json(ResultTakenSchema, 'Taken'), ...problems(400, 404, 409, 413, 415, 422) },
      },
    },
    ({ params, body, principal, id: requestId }) =>
      takeResult(gatehouse, { principal, requestId }, params.ladder, params.comparison_id, {
        winner: body.winner,
        judge: body.judge ?? null,
      }),
  )
}
