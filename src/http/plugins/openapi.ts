import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { nameComponents } from '../openapi-document.js'
import { VERSION } from '../../version.js'
import type { App } from '../app-types.js'

/** The OpenAPI 3.1 document, made from the schemas that routes are validated by. */
export async function describeApi(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gatehouse',
        version: VERSION,
        description:
          'Keeps the metric history of CI, judges runs against it, and decides what may be trusted.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: [
        { name: 'verdicts', description: 'submit a run, get its verdict' },
        { name: 'history', description: 'what is stored' },
        { name: 'trust', description: 'revoke it, and undo that' },
        { name: 'evals', description: 'grids, eval runs, comparisons, judges' },
        { name: 'admin', description: 'for administrators: import, tokens' },
        { name: 'session', description: 'signing in to the dashboard' },
        { name: 'operation', description: 'for those who run the server' },
      ],
    },
    convertConstToEnum: false,
    transformObject: (document) =>
      'openapiObject' in document ? nameComponents(document.openapiObject) : {},
    transform: ({ schema, url, route }) => {
      const forms = route.config?.forms
      const content =
        forms && Object.fromEntries(Object.entries(forms).map(([type, form]) => [type, { schema: form }]))
      return { schema: { ...schema, ...(content && { body: { content } }) }, url }
    },
  })
}

/** The document rendered, from the server's own files alone. */
export async function serveDocs(app: App): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    // The default asks a validator on another host.
    uiConfig: { validatorUrl: null, deepLinking: true, tryItOutEnabled: false },
  })
}
