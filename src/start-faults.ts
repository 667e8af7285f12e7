import type { Config } from './config.js'
import { StoreUnavailable } from './store/store.js'

/** The service may not start as it is configured. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
  constructor(
    /** The variable to change. */
    readonly where: string,
    /** What is wrong, and what would be right. */
    readonly reason: string,
  ) {
    super(`${where}: ${reason}`)
  }
}

/**
 * What keeps the service from starting and a person can mend, as one sentence.
 * @returns null for a failure that needs its stack trace
 */
export function explainStart(error: unknown, { host, port, database }: Config): string | null {
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof StartRefused) return error.message
  if (code === 'EADDRINUSE') return `PORT: ${port} is taken by another program; set PORT to a free one`
  if (code === 'EACCES' && database.kind !== 'sqlite') return `PORT: this user may not listen on ${port}`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST: ${host} is no address of this machine`
  if (error instanceof StoreUnavailable) return `DATABASE_URL: ${error.message}`
  if (database.kind === 'sqlite' && error instanceof Error && error.message.includes(database.path)) {
    return `DATABASE_URL: ${error.message}`
  }
  return null
}
