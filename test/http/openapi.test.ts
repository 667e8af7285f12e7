import { readFileSync } from 'node:fs'
import t from 'tap'
import { openapiText } from '../../scripts/openapi-text.js'
import { openClient } from './support.js'

interface OpenApi {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}
interface Operation {
  summary?: string
  tags?: string[]
  operationId?: string
  requestBody?: { content: Record<string, object> }
  responses: Record<string, { description: string; content?: Record<string, object> }>
}

t.test('the committed document is the present one', async (t) => {
  t.ok(
    readFileSync('openapi/openapi.json', 'utf8') === (await openapiText()),
    'openapi/openapi.json is stale; run npm run openapi',
  )
})

t.test('every route is described', async (t) => {
  const { call } = await openClient(t)
  const document: OpenApi = (await call('/openapi.json')).json()
  t.equal(document.openapi, '3.1.0')
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  )
  t.equal(new Set(operations.map(([, { operationId }]) => operationId)).size, operations.length)
  for (const [name, { summary, tags, responses, requestBody }] of operations) {
    t.ok(summary && tags?.length === 1, `${name} has a summary and a tag`)
    for (const [status, { description, content }] of Object.entries(responses)) {
      t.not(description, 'Default Response', `${name} ${status}`)
      if (Number(status) >= 400) t.ok(content?.['application/problem+json'], `${name} ${status} is a problem`)
    }
    const form = name === 'post /v1/admin/import' ? 'application/x-ndjson' : 'application/json'
    if (name.startsWith('post')) t.ok(requestBody?.content[form], `${name} takes ${form}`)
  }
  for (const path of ['/v1/runs', '/v1/declarations/parse']) {
    t.ok(document.paths[path]?.['post']?.requestBody?.content['multipart/form-data'], `${path} takes a form`)
  }
  const referred = JSON.stringify(document).match(/#\/components\/schemas\/[A-Za-z]+/g) ?? []
  for (const name of new Set(referred)) t.ok(document.components.schemas[name.split('/').at(-1)!], name)
})

t.test('/docs works from the server alone', async (t) => {
  const { call } = await openClient(t)
  const page = await call('/docs')
  t.notMatch(page.body, /https?:\/\//)
  t.notMatch(page.body, /<script>|<style>|style=/, 'nothing inline')
  const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!)
  t.ok(files.length >= 5)
  for (const file of files) t.equal((await call(file)).statusCode, 200, file)
  const initializer = (await call('/docs/static/swagger-initializer.js')).body
  t.match(initializer, /"validatorUrl":\s*null/)
})
