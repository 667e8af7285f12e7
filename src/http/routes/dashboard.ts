import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { Type } from 'typebox'
import type { App } from '../app-types.js'
import { PAGE_PATHS } from '../page-paths.js'

/** What Vite built, beside the compiled server. */
const BUILT = fileURLToPath(new URL('../../dashboard', import.meta.url))

/**
 * Stricter than that of other answers: the page draws nothing from data: URLs, and no text ever becomes markup or code
 * in it, which a browser that knows trusted types enforces.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join(';')

const A_YEAR_MS = 365 * 86_400_000

/** The dashboard: one page for the addresses of all its views, and the files it consists of. */
export async function dashboardRoutes(app: App): Promise<void> {
  if (!existsSync(join(BUILT, 'index.html'))) {
    throw new Error(`the dashboard is not in ${BUILT}; \`npm run build\` puts it there`)
  }
  // Its own routes would declare no scopes, and answer a directory with a redirect.
  await app.register(fastifyStatic, { root: BUILT, serve: false, preCompressed: true, index: false })

  // Handlers return nothing: a reply that is returned is waited for, by one listener more than Node finds seemly.
  const hidden = { config: { scopes: 'public' }, schema: { hide: true } } as const
  // What a view is shown with is the page's to read.
  const view = {
    ...hidden,
    schema: { hide: true, querystring: Type.Object({}, { additionalProperties: true }) },
  }
  for (const path of PAGE_PATHS) {
    app.get(path, view, (_request, reply) => {
      void reply
        .header('content-security-policy', PAGE_POLICY)
        .header('cache-control', 'no-cache')
        .sendFile('index.html', { cacheControl: false })
    })
  }

  // Their names change with their content.
  app.get<{ Params: { file: string } }>('/assets/:file', hidden, ({ params: { file } }, reply) => {
    if (/^[\w-]+\.\w+$/.test(file)) {
      void reply.sendFile(`assets/${file}`, { maxAge: A_YEAR_MS, immutable: true })
    } else reply.callNotFound()
  })
}
