import Fastify, { type FastifySchemaValidationError, type FastifyServerOptions } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { AJV_FORMATS } from './formats.js'

/** How bodies and parameters are validated, wherever that is. */
export const AJV: NonNullable<FastifyServerOptions['ajv']> = {
  customOptions: {
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    // All faults at once; the size of what is validated bounds their number.
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
  },
  onCreate: (ajv) => {
    for (const [name, format] of AJV_FORMATS) ajv.addFormat(name, format)
  },
}

/** Tells whether a value fits a schema, and if not why not. */
export interface Validate<S extends TSchema> {
  (value: unknown): value is Static<S>
  errors?: FastifySchemaValidationError[] | null
}

/** Makes the validator of a schema; the same one each time. */
export type Compile = <S extends TSchema>(schema: S) => Validate<S>

/** Compiles as a request of the server does, where there is no server: Fastify gives its validator to requests alone. */
export async function compileAlone(): Promise<Compile> {
  const app = Fastify({ ajv: AJV })
  let compile: Compile | null = null
  app.get('/', (request, reply) => {
    compile = (schema) => request.compileValidationSchema(schema) as Validate<typeof schema>
    return reply.send()
  })
  await app.inject('/')
  if (compile === null) throw new Error('no request came through')
  return compile
}
