import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { SCOPES, type Scope } from '../../auth/principal.js'
import { nameComponents } from '../openapi-document.js'
import { VERSION } from '../../version.js'
import type { App } from '../app-types.js'
import { SESSION_COOKIE } from '../session-cookie.js'

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API token, or the identity token of a CI job. Not needed in open mode, nor for what the operator opened to everybody',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: "A browser's session (POST /v1/session); a change needs the header X-Gatehouse: 1 as well",
  },
} as const

/** Each alternative opens the route by one scope; `admin`, which opens every route, is named where nothing else does. */
function securityOf(scopes: readonly Scope[] | 'public' | undefined): Array<Record<string, string[]>> {
  if (scopes === undefined || scopes === 'public') return []
  const isAny = SCOPES.every((scope) => scopes.includes(scope))
  return Object.keys(SECURITY_SCHEMES).flatMap((scheme) =>
    isAny ? [{ [scheme]: [] }] : scopes.map((scope) => ({ [scheme]: [scope] })),
  )
}

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
        { name: 'promotion', description: 'ladders: which version is live, and what decides it' },
        { name: 'admin', description: 'for administrators: import, tokens' },
        { name: 'session', description: 'signing in to the dashboard' },
        { name: 'operation', description: 'for those who run the server' },
      ],
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    convertConstToEnum: false,
    transformObject: (document) =>
      'openapiObject' in document ? nameComponents(document.openapiObject) : {},
    transform: ({ schema, url, route }) => {
      const forms = route.config?.forms
      const content =
        forms && Object.fromEntries(Object.entries(forms).map(([type, form]) => [type, { schema: form }]))
      const security = securityOf(route.config?.scopes)
      return { schema: { ...schema, ...(content && { body: { content } }), security }, url }
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
