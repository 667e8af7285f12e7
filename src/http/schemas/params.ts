import { Type } from 'typebox'

/** Ids of this service's own rows; anything else names nothing, and is a 404. */
const OwnId = Type.String({ format: 'uuid' })

export const VerdictParams = Type.Object({ verdict_id: OwnId })
export const TokenParams = Type.Object({ token_id: OwnId })
export const RevocationParams = Type.Object({ revocation_id: OwnId })
export const GridParams = Type.Object({ grid_id: OwnId })
export const ComparisonParams = Type.Object({ comparison_id: OwnId })
/** Whether the name can be one is said by the route: a fault of the request, and not a resource that is not there. */
export const NewEvalRunParams = Type.Object({ name: Type.String() })
export const EvalRunParams = Type.Object({ name: Type.String({ format: 'storable' }) })
/** Other tools write runs too, under ids of their own. */
export const RunParams = Type.Object({ run_id: Type.String({ format: 'text', maxLength: 256 }) })
