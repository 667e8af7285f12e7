import { Type } from 'typebox'
import { CoordinatePageSchema, HistoryPageSchema, SeriesPageSchema } from '../../documents/history.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { listHistory } from '../../operations/history.js'
import { listCoordinates, listSeries } from '../../operations/series.js'
import type { App } from '../app-types.js'
import { negotiateForm } from '../negotiate.js'
import { renderHistoryCsv } from '../render/csv.js'
import { BackendField, SuiteField, TestPathPrefixField } from '../schemas/fields.js'
import {
  historyParameters,
  pageParameters,
  Query,
  readHistoryFilter,
  readPageRequest,
  readSeries,
  seriesParameters,
  StepParameter,
} from '../schemas/query.js'
import { json, problems } from '../schemas/responses.js'

const HISTORY_FORMS = ['application/json', 'text/csv'] as const

/** What dashboards read: which series there are, what they hold, and how it went. */
export function historyRoutes(app: App, gatehouse: Gatehouse): void {
  app.get(
    '/v1/series',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'listSeries',
        tags: ['history'],
        summary: 'Series by name, each with its newest run',
        querystring: Query({
          test_path_prefix: Type.Optional(TestPathPrefixField),
          backend: Type.Optional(BackendField),
          suite: Type.Optional(SuiteField),
          ...pageParameters,
        }),
        response: { 200: json(SeriesPageSchema, 'A page of series'), ...problems(400) },
      },
    },
    ({ query }) => {
      const filter = {
        ...(query.test_path_prefix !== undefined && { testPathPrefix: query.test_path_prefix }),
        ...(query.backend !== undefined && { backend: query.backend }),
        ...(query.suite !== undefined && { suite: query.suite }),
      }
      return listSeries(gatehouse, filter, readPageRequest(query))
    },
  )

  app.get(
    '/v1/coordinates',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'listCoordinates',
        tags: ['history'],
        summary: 'The metrics of a series with their steps and declarations',
        querystring: Query({ ...seriesParameters, ...pageParameters }),
        response: {
          200: json(CoordinatePageSchema, 'A page of metrics; empty where the series is unknown'),
          ...problems(400),
        },
      },
    },
    ({ query }) => listCoordinates(gatehouse, readSeries(query), readPageRequest(query)),
  )

  app.get(
    '/v1/history',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'listHistory',
        tags: ['history'],
        summary: 'The stored values of one metric, newest first',
        description:
          'With `Accept: text/csv` a page as CSV; the cursor of the next one is in the header Gatehouse-Next-Cursor.',
        querystring: Query({
          ...historyParameters,
          step: Type.Optional(StepParameter),
          ...pageParameters,
        }),
        response: {
          200: {
            description: 'A page of points; empty where nothing is known',
            content: {
              'application/json': { schema: HistoryPageSchema },
              'text/csv': { schema: Type.String() },
            },
            headers: {
              'Gatehouse-Next-Cursor': Type.String({ description: 'beside CSV, where there is a next page' }),
            },
          },
          ...problems(400),
        },
      },
    },
    async (request, reply) => {
      const { query } = request
      const filter = {
        ...readHistoryFilter(query),
        ...(query.step !== undefined && { step: query.step }),
      }
      const page = await listHistory(gatehouse, filter, readPageRequest(query))
      void reply.header('vary', 'Accept')
      if (negotiateForm(request.headers.accept, HISTORY_FORMS) === 'application/json') return page
      if (page.next_cursor !== null) void reply.header('gatehouse-next-cursor', page.next_cursor)
      return reply.type('text/csv; charset=utf-8; header=present').send(renderHistoryCsv(page))
    },
  )
}
