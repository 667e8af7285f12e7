import type { FastifySchemaValidationError } from 'fastify'
import type { Fault } from '../gate/outcome.js'
import { shown } from '../gate/text.js'
import { nearestName } from '../nearest.js'
import { MalformedQueryValue } from './query-string.js'
import { TEXT_FORMATS, type TextFormat } from './schemas/formats.js'

/** More than a person reads, and few enough for an answer that stays small. */
const MAX_FAULTS = 100

/** Ajv's `verbose` adds the value and the schema beside what Fastify's type promises. */
interface VerboseError extends FastifySchemaValidationError {
  readonly data?: unknown
  readonly parentSchema?: SchemaNode
}

interface SchemaNode {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly description?: string
}

/**
 * Ajv's errors as faults that say what was wrong and what would be right.
 * @param whereOf turns a JSON pointer (without its first slash) into the place that the client knows
 */
export function validationFaults(
  errors: readonly FastifySchemaValidationError[],
  whereOf: (pointer: string) => string = (pointer) => (pointer === '' ? 'body' : pointer),
): Fault[] {
  const faults: Fault[] = []
  for (const error of errors as readonly VerboseError[]) {
    if (faults.length === MAX_FAULTS) break
    // A format that fails has said it better.
    if (
      error.keyword === 'pattern' &&
      errors.some(({ keyword, instancePath }) => keyword === 'format' && instancePath === error.instancePath)
    )
      continue
    faults.push({ where: whereOf(pointerOf(error)), message: messageOf(error) })
  }
  return faults
}

function pointerOf(error: VerboseError): string {
  const base = error.instancePath.slice(1)
  const member =
    error.keyword === 'required'
      ? error.params['missingProperty']
      : error.keyword === 'additionalProperties'
        ? error.params['additionalProperty']
        : undefined
  if (typeof member !== 'string') return base
  const segment = member.slice(0, 200).replaceAll('~', '~0').replaceAll('/', '~1')
  return base === '' ? segment : `${base}/${segment}`
}

function messageOf(error: VerboseError): string {
  const { keyword, params, data, parentSchema = {} } = error
  switch (keyword) {
    case 'required': {
      const wanted = parentSchema.properties?.[String(params['missingProperty'])]?.description
      return `is missing${wanted === undefined ? '' : `; it is ${wanted}`}`
    }
    case 'additionalProperties':
      return unknownName(String(params['additionalProperty']), Object.keys(parentSchema.properties ?? {}))
    case 'type':
      return typeMessage(parentSchema, data)
    case 'enum':
      return `must be ${alternatives(parentSchema.enum ?? [])}, not ${sample(data)}`
    case 'minimum':
    case 'maximum':
      return `must be ${keyword === 'minimum' ? 'at least' : 'at most'} ${String(params['limit'])}, not ${sample(data)}`
    case 'maxLength':
      return `is longer than ${String(params['limit'])} characters`
    case 'minLength':
      return 'is empty'
    case 'minItems':
      return 'is an empty list; leave it out, or fill it'
    case 'maxItems':
      return `holds more than ${String(params['limit'])} items`
    case 'format':
      return (
        TEXT_FORMATS[params['format'] as TextFormat]?.(String(data)) ?? `is no ${String(params['format'])}`
      )
    default:
      return error.message ?? 'is not valid'
  }
}

/** Names an unknown member, and the known one that it most likely meant. */
export function unknownName(name: string, known: readonly string[]): string {
  const near = nearestName(name, known)
  if (near !== null) return `is not known here; did you mean ${shown(near)}?`
  return known.length === 0
    ? 'is not known here; nothing is taken'
    : `is not known here; known are ${known.join(', ')}`
}

function typeMessage(schema: SchemaNode, data: unknown): string {
  if (data instanceof MalformedQueryValue) return 'holds a malformed %-escape, or bytes that are no UTF-8'
  // A parameter or a field that was sent more than once comes as a list of its texts.
  if (Array.isArray(data) && data.length > 1 && data.every((item) => typeof item === 'string')) {
    return 'must stand here once, with one value'
  }
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => type !== 'null')
  const wanted = types.map((type) => TYPE_NAMES[String(type)] ?? String(type)).join(' or ')
  const bare = types.some((type) => typeof data === 'string' && BARE[String(type)]?.test(data))
  return bare
    ? `must be ${wanted}, not a text: write ${String(data)} without quotes`
    : `must be ${wanted}, not ${sample(data)}`
}

/** Texts that would be right in JSON if they had no quotes; where they are coerced, they never get here. */
const BARE: Readonly<Record<string, RegExp>> = {
  integer: /^(?:0|-?[1-9]\d{0,14})$/,
  number: /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/,
  boolean: /^(?:true|false)$/,
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer in decimal digits',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

function alternatives(values: readonly unknown[]): string {
  const texts = values.filter((value) => value !== null).map((value) => JSON.stringify(value))
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`
}

/** A value as it can be shown: its kind where it is large. */
function sample(data: unknown): string {
  if (Array.isArray(data)) return 'a list'
  if (typeof data === 'object' && data !== null) return 'an object'
  return typeof data === 'string' ? (data === '' ? 'an empty text' : shown(data, 60)) : String(data)
}
