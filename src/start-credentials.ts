/** Whether the service may listen where it is told to, and by which credentials: decided and told at start. */
import type { Logger } from 'pino'
import type { Credentials } from './auth/credentials.js'
import { isLoopbackHost } from './auth/open-mode.js'
import { EXIT } from './cli/exit-codes.js'
import type { Config } from './config.js'
import { StartRefused } from './start-faults.js'
import { StoreUnavailable } from './store/errors.js'

/** While the server is open, the first token of another instance is looked for this often. */
const LOOK_EVERY_MS = 5_000

/**
 * Refuses to listen where others can reach a server that asks for no credential. The store is waited for no longer
 * than any request waits for it.
 * @throws StartRefused
 */
export async function assertMayListen(
  { host, adminToken }: Config,
  credentials: Credentials,
  hasJobs: boolean,
): Promise<void> {
  if (isLoopbackHost(host) || adminToken !== null || hasJobs) return
  const reachable = `${host} can be reached by others, and no credential is configured`
  let hasTokens: boolean
  try {
    hasTokens = await credentials.hasTokens()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    throw new StartRefused(
      'HOST',
      `${reachable}; whether the store holds a token cannot be told: ${error.reason}. Start again when it answers, or set GATEHOUSE_ADMIN_TOKEN`,
      EXIT.unavailable,
    )
  }
  if (hasTokens) return
  throw new StartRefused(
    'HOST',
    `${reachable}: everyone could rewrite the history. Create a first token (gatehouse token create --name admin --scope admin), ` +
      'or set GATEHOUSE_ADMIN_TOKEN to at least 32 characters (openssl rand -hex 32), or listen on 127.0.0.1, ::1 or localhost',
  )
}

/** Says which credentials are asked for; to be called when the store is known to answer. */
export async function tellCredentials(
  { adminToken, publicRead, badgesPublic }: Config,
  credentials: Credentials,
  hasJobs: boolean,
  logger: Logger,
): Promise<void> {
  if (credentials.seemsOpen && (await seemsStillOpen(credentials))) {
    logger.warn('open mode: no credentials are configured, so everyone on this machine holds every scope')
    return
  }
  const taken = [
    ...(await tokensTold(credentials)),
    ...(adminToken === null ? [] : ['GATEHOUSE_ADMIN_TOKEN']),
    ...(hasJobs ? ['identity tokens of jobs (oidc)'] : []),
  ]
  logger.info(
    { credentials: taken, public_read: publicRead, badges_public: badgesPublic },
    publicRead ? 'a credential is needed for everything but reading' : 'a credential is needed',
  )
}

/**
 * Looks for the first token while there is none. Requests look themselves; this is for the guard of the public routes,
 * which ask no store: behind a proxy that was set up after the first token, /healthz would stay refused.
 * @returns stops it
 */
export function watchOpenMode(credentials: Credentials): () => void {
  const timer = setInterval(() => {
    if (!credentials.seemsOpen) clearInterval(timer)
    else credentials.isOpen().catch(() => undefined)
  }, LOOK_EVERY_MS)
  return () => clearInterval(timer)
}

/** Tokens are always taken; who reads the log wants to know whether there are any. */
async function tokensTold(credentials: Credentials): Promise<readonly string[]> {
  try {
    return (await credentials.hasTokens()) ? ['API tokens'] : []
  } catch {
    return ['API tokens (whether there are any cannot be told before the store answers)']
  }
}

async function seemsStillOpen(credentials: Credentials): Promise<boolean> {
  try {
    return await credentials.isOpen()
  } catch {
    // Open as far as is known; each request asks again.
    return true
  }
}
