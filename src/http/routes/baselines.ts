import { Type } from 'typebox'
import { BaselineSchema } from '../../documents/baseline.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { readBaseline } from '../../operations/read-baseline.js'
import type { App } from '../app-types.js'
import { MetricKeyField } from '../schemas/fields.js'
import { pageParameters, Query, readSeries, seriesParameters, StepParameter } from '../schemas/query.js'
import { json, problems } from '../schemas/responses.js'

const DEFAULT_LIMIT = 20

/** The values that a verdict would compare with. */
export function baselineRoutes(app: App, gatehouse: Gatehouse): void {
  app.get(
    '/v1/baselines',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'readBaseline',
        tags: ['history'],
        summary: 'The newest trusted values of one coordinate, newest first',
        querystring: Query({
          ...seriesParameters,
          metric_key: MetricKeyField,
          step: StepParameter,
          limit: Type.Optional(
            Type.Integer({
              ...pageParameters.limit,
              description: `how many values; ${DEFAULT_LIMIT} by default`,
            }),
          ),
        }),
        response: {
          200: json(BaselineSchema, 'The baseline; empty where nothing is known'),
          ...problems(400),
        },
      },
    },
    ({ query }) =>
      readBaseline(
        gatehouse,
        readSeries(query),
        { metricKey: query.metric_key, step: query.step },
        query.limit ?? DEFAULT_LIMIT,
      ),
  )
}
