import { Type } from 'typebox'

/** Ids of this service's own rows; anything else names nothing, and is a 404. */
const OwnId = Type.String({ format: 'uuid' })

export const VerdictParams = Type.Object({ verdict_id: OwnId })
export const TokenParams = Type.Object({ token_id: OwnId })
export const RevocationParams = Type.Object({ revocation_id: OwnId })
/** Other tools write runs too, under ids of their own. */
export const RunParams = Type.Object({ run_id: Type.String({ format: 'text', maxLength: 256 }) })
