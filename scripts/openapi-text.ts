import { buildApp } from '../src/app.js'
import type { Gatehouse } from '../src/operations/gatehouse.js'

/** The OpenAPI document as it is committed: keys sorted, so that a diff shows changes alone. */
export async function openapiText(): Promise<string> {
  // Nothing is asked of it: the document comes from the schemas.
  const app = await buildApp({ gatehouse: { store: {} } as Gatehouse })
  await app.ready()
  try {
    return `${JSON.stringify(sortKeys(app.swagger()), null, 2)}\n`
  } finally {
    await app.close()
  }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sortKeys(member)]))
}
