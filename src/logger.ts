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
  'token',
  '*.token',
]

/** What is a credential wherever it stands: in an address, say, where somebody put it by mistake. */
const CREDENTIALS = /gatehouse_[\w-]{43,}|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g

/**
 * JSON lines on stdout; readable ones on a terminal.
 * @param secrets never written, whoever logs them
 */
export function createLogger(
  level: LogLevel,
  secrets: readonly string[] = [],
  terminal: boolean = process.stdout.isTTY,
): Logger {
  const inJson = secrets.map((secret) => JSON.stringify(secret).slice(1, -1))
  const streamWrite = (line: string) =>
    inJson.reduce(
      (text, secret) => text.replaceAll(secret, '[redacted]'),
      line.replace(CREDENTIALS, '[redacted]'),
    )
  const options = { level, redact: { paths: REDACTED, censor: '[redacted]' }, hooks: { streamWrite } }
  return terminal ? pino({ ...options, transport: { target: 'pino-pretty' } }) : pino(options)
}

/** The secrets of a configuration, also as an address would hold them. */
export function secretsOf({ adminToken }: { readonly adminToken: string | null }): string[] {
  return adminToken === null ? [] : [adminToken, encodeURIComponent(adminToken)]
}
