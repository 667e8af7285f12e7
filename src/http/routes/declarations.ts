import { ParsedDeclarationsSchema } from '../../documents/declaration.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { parseDeclarations } from '../../operations/read-declarations.js'
import type { App } from '../app-types.js'
import { readDeclarationSource } from '../read-submission.js'
import { json, problems } from '../schemas/responses.js'
import { DeclarationsBodySchema, DeclarationsFormSchema } from '../schemas/submission.js'

/** The lint step for CI: what a test file declares, without a run. */
export function declarationRoutes(app: App, gatehouse: Gatehouse): void {
  app.post(
    '/v1/declarations/parse',
    {
      config: {
        scopes: ['runs:submit'],
        forms: { 'multipart/form-data': DeclarationsFormSchema, 'application/json': DeclarationsBodySchema },
      },
      schema: {
        operationId: 'parseDeclarations',
        tags: ['verdicts'],
        summary: 'Read the declarations of a test file',
        description: 'Names every fault that is found, not only the first.',
        response: {
          200: json(ParsedDeclarationsSchema, 'The declarations, and what a collector must record for them'),
          ...problems(400, 413, 415, 422),
        },
      },
    },
    (request) => parseDeclarations(gatehouse, readDeclarationSource(request)),
  )
}
