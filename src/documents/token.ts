import { type Static, Type } from 'typebox'
import { Document, Nullable, TimestampSchema } from './common.js'
import { PageSchema } from './page.js'

const members = {
  token_id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  test_path_prefixes: Nullable(
    Type.Array(Type.String(), { description: 'null where the token is not confined' }),
  ),
  created_at: TimestampSchema,
  created_by: Type.String(),
  expires_at: Nullable(TimestampSchema),
  last_used_at: Nullable(
    Type.String({ description: 'the first use within the last hour in which the token was used' }),
  ),
  revoked_at: Nullable(TimestampSchema),
}

export const TokenSchema = Document(members)
export type TokenDocument = Static<typeof TokenSchema>

export const CreatedTokenSchema = Document({
  ...members,
  token: Type.String({ description: 'shown here and never again' }),
})
export type CreatedTokenDocument = Static<typeof CreatedTokenSchema>

export const TokenPageSchema = PageSchema(TokenSchema)
export type TokenPage = Static<typeof TokenPageSchema>
