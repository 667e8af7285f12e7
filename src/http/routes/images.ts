import { Type } from 'typebox'
import { historyChart } from '../../charts/history-chart.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { readPicturedHistory, readSeriesState } from '../../operations/images.js'
import type { App } from '../app-types.js'
import { renderBadgeSvg } from '../render/svg/badge.js'
import { renderHistorySvg } from '../render/svg/history.js'
import {
  historyParameters,
  Query,
  readHistoryFilter,
  readSeries,
  seriesParameters,
  StepParameter,
} from '../schemas/query.js'
import { problems } from '../schemas/responses.js'
import { image, sendImage } from '../send-image.js'

/** Pictures for Markdown elsewhere. What is not known has a picture too: a broken one would tell a reader nothing. */
export function imageRoutes(app: App, gatehouse: Gatehouse): void {
  app.get(
    '/v1/history.svg',
    {
      config: { scopes: ['history:read'], image: true },
      schema: {
        operationId: 'drawHistory',
        tags: ['history'],
        summary: 'A chart of one metric at one step, as SVG',
        description:
          'The newest values with the corridor of each, for Markdown: `![train/loss](https://…/v1/history.svg?…)`. BADGES_PUBLIC opens it to readers without a credential.',
        querystring: Query({
          ...historyParameters,
          step: StepParameter,
          limit: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 1_000,
              description: 'values in the picture; 100 by default',
            }),
          ),
        }),
        response: { ...image('The chart; an empty one where nothing is known'), ...problems(400) },
      },
    },
    async (request, reply) => {
      const { query } = request
      const filter = { ...readHistoryFilter(query), step: query.step }
      const { items, revoked, more } = await readPicturedHistory(gatehouse, filter, query.limit ?? 100)
      return sendImage(request, reply, renderHistorySvg(filter, historyChart(items, revoked), { more }))
    },
  )

  app.get(
    '/v1/badge.svg',
    {
      config: { scopes: ['history:read'], image: true },
      schema: {
        operationId: 'drawBadge',
        tags: ['history'],
        summary: 'Outcome and trust of the newest stored run of a series, as an SVG badge',
        description:
          'Says unknown where the series is. BADGES_PUBLIC opens it to readers without a credential.',
        querystring: Query(seriesParameters),
        response: { ...image('The badge'), ...problems(400) },
      },
    },
    async (request, reply) => {
      const series = readSeries(request.query)
      return sendImage(request, reply, renderBadgeSvg(series, await readSeriesState(gatehouse, series)))
    },
  )
}
