/** How commands fail: what was wrong and what to do next, in words, and the exit code. */
import { GatehouseError } from '../errors.js'
import type { Fault } from '../gate/outcome.js'
import { ImportConflict, StoreUnavailable } from '../store/errors.js'
import { EXIT } from './exit-codes.js'

/** Faults printed at most; the rest is counted. */
const MAX_SHOWN = 20

export class CliFailure extends Error {
  override readonly name = 'CliFailure'
  constructor(
    readonly exitCode: number,
    message: string,
    /** What to do next. */
    readonly advice: string | null = null,
    readonly faults: readonly Fault[] = [],
  ) {
    super(message)
  }
}

export function badInput(message: string, advice: string | null = null, faults: readonly Fault[] = []) {
  return new CliFailure(EXIT.badInput, message, advice, faults)
}

/** The exit code of an error, and the lines that tell it. */
export function explainFailure(error: unknown): { exitCode: number; lines: string[] } {
  const failure = asCliFailure(error)
  const { exitCode, message, advice, faults } = failure
  const lines = [`gatehouse: ${message}`]
  for (const { where, message: what } of faults.slice(0, MAX_SHOWN))
    lines.push(`  ${where === '' ? what : `${where}: ${what}`}`)
  if (faults.length > MAX_SHOWN) lines.push(`  … and ${faults.length - MAX_SHOWN} more`)
  if (advice !== null) lines.push(advice)
  return { exitCode, lines }
}

function asCliFailure(error: unknown): CliFailure {
  if (error instanceof CliFailure) return error
  if (error instanceof StoreUnavailable) return unavailable(error.reason)
  if (error instanceof ImportConflict)
    return badInput(
      error.message,
      'Nothing was imported: take the run out of the file, or give it another id.',
    )
  if (error instanceof GatehouseError) {
    if (error.status === 503) return unavailable(error.detail)
    const faults = error.faults.length > 1 ? error.faults : []
    return new CliFailure(error.status < 500 ? EXIT.badInput : EXIT.fault, error.detail, null, faults)
  }
  if (isSystemError(error)) return badInput(`${error.message}`)
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return new CliFailure(EXIT.fault, `a fault of the program: ${text}`)
}

function unavailable(reason: string): CliFailure {
  return new CliFailure(
    EXIT.unavailable,
    `the store is unavailable: ${reason}`,
    'Nothing was changed. Look at DATABASE_URL (or --database), and ask `gatehouse check-schema`.',
  )
}

/** A file that is missing, or may not be read or written. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  return error instanceof Error && typeof code === 'string' && typeof syscall === 'string'
}
