import { pino, type Logger } from 'pino'
import type { LogLevel } from './config.js'

/** Credentials never reach a log, whoever logs a request's headers. */
const REDACTED = [
  'authorization',
  'cookie',
  '*.authorization',
  '*.cookie',
  '*.headers.authorization',
  '*.headers.cookie',
  '*.headers["set-cookie"]',
  'headers.authorization',
  'headers.cookie',
]

/** JSON lines on stdout; readable ones on a terminal. */
export function createLogger(level: LogLevel, terminal: boolean = process.stdout.isTTY): Logger {
  const options = { level, redact: { paths: REDACTED, censor: '[redacted]' } }
  return terminal ? pino({ ...options, transport: { target: 'pino-pretty' } }) : pino(options)
}
