import { EXIT } from './cli/exit-codes.js'
import type { Config } from './config.js'
import { StoreRefused, StoreUnavailable } from './store/errors.js'

/** The service may not start as it is configured. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
  constructor(
    /** The variable to change. */
    readonly where: string,
    /** What is wrong, and what would be right. */
    readonly reason: string,
    /** Another where trying again may help. */
    readonly exitCode: number = EXIT.badInput,
  ) {
    super(`${where}: ${reason}`)
  }
}

export interface StartFault {
  /** As every command has it. */
  readonly exitCode: number
  /** One sentence, with the variable to look at. */
  readonly reason: string
}

/**
 * What keeps the service from starting and a person can mend.
 * @returns null for a failure that needs its stack trace
 */
export function explainStart(error: unknown, { host, port, database }: Config): StartFault | null {
  const { code, syscall } = error as NodeJS.ErrnoException
  const wrong = (reason: string) => ({ exitCode: EXIT.badInput, reason })
  const unavailable = (reason: string) => ({ exitCode: EXIT.unavailable, reason: `DATABASE_URL: ${reason}` })
  if (error instanceof StartRefused) return { exitCode: error.exitCode, reason: error.message }
  if (code === 'EADDRINUSE') return wrong(`PORT: ${port} is taken by another program; set PORT to a free one`)
  if (code === 'EACCES' && syscall === 'listen') return wrong(`PORT: this user may not listen on ${port}`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return wrong(`HOST: ${host} is no address of this machine`)
  if (error instanceof StoreUnavailable) {
    // Its words are for every caller, who has no business with the path.
    const file = database.kind === 'sqlite' ? `, ${database.path}` : ''
    return unavailable(`${error.message}${file}`)
  }
  return error instanceof StoreRefused ? unavailable(error.message) : null
}
