import type { Principal } from '../auth/principal.js'
import { GatehouseError } from '../errors.js'
import { mayTouch } from '../policy/confinement.js'

/** @throws GatehouseError forbidden where the credential is confined to other test paths */
export function assertMayTouch({ actor, testPathPrefixes }: Principal, testPath: string): void {
  if (mayTouch(testPathPrefixes, testPath)) return
  throw new GatehouseError(
    'forbidden',
    `${actor} is confined to test paths that begin with ${(testPathPrefixes ?? []).join(' or ')}, and ${testPath} does not`,
  )
}
