import { type Static, Type } from 'typebox'
import { SCOPES } from '../../auth/principal.js'
import { MAX_TEST_PATH } from '../../gate/identity.js'
import {
  MAX_TOKEN_DAYS,
  MAX_TOKEN_NAME,
  MAX_TOKEN_PREFIXES,
  type TokenRequest,
} from '../../policy/token-request.js'
import { Absent, Body, TestPathPrefixField } from './fields.js'

/** What the policy says better is left to it: the schema describes, and bounds what is read. */
export const TokenBodySchema = Body({
  name: Type.String({
    format: 'name',
    maxLength: MAX_TOKEN_NAME,
    description: 'what the token is called; no two that stand have one name',
  }),
  scopes: Type.Array(Type.Enum([...SCOPES]), { maxItems: SCOPES.length, description: 'what it may do' }),
  test_path_prefixes: Absent(
    Type.Array(Type.String({ ...TestPathPrefixField, maxLength: MAX_TEST_PATH }), {
      maxItems: MAX_TOKEN_PREFIXES,
      description: 'it may change series only where the test path begins with one of these',
    }),
  ),
  expires_in_days: Absent(
    Type.Integer({ minimum: 1, maximum: MAX_TOKEN_DAYS, description: 'left out, it never expires' }),
  ),
})

export function readTokenRequest(body: Static<typeof TokenBodySchema>): TokenRequest {
  return {
    name: body.name,
    scopes: body.scopes,
    testPathPrefixes: body.test_path_prefixes ?? null,
    expiresInDays: body.expires_in_days ?? null,
  }
}

/** Longer than any token; a job's identity token is refused by what it is, and not by its length. */
const MAX_SENT = 16_384

export const SessionBodySchema = Body({
  token: Type.String({ maxLength: MAX_SENT, description: 'an API token' }),
})
