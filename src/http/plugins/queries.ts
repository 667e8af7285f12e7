import { Type } from 'typebox'
import type { App } from '../app-types.js'
import { readTypedQuery, type ParsedQuery } from '../query-string.js'

const NoQuery = Type.Object({}, { additionalProperties: false })

/** Query parameters are read by their schema, and a route without one takes none: `?dryrun=true` must not write. */
export function readQueries(app: App): void {
  app.addHook('onRoute', (route) => {
    route.schema = { querystring: NoQuery, ...route.schema }
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const schema = request.routeOptions.schema?.querystring
    if (schema !== undefined) request.query = readTypedQuery(request.query as ParsedQuery, schema as object)
    done()
  })
}
