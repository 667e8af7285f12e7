import { type ConfigFile, EMPTY_CONFIG_FILE, readConfigFile } from './config-file.js'
import { accepted, refused, type Fault, type Outcome } from './gate/outcome.js'

export type DatabaseLocation =
  { readonly kind: 'sqlite'; readonly path: string } | { readonly kind: 'postgres'; readonly url: string }

/** Everything that an operator can set, validated. */
export interface Config extends ConfigFile {
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
  readonly database: DatabaseLocation
  /** A replica for lists and history; null reads from the primary. */
  readonly readReplicaUrl: string | null
  readonly databasePoolSize: number
  readonly logLevel: LogLevel
  readonly baselineWindow: number
  readonly enforceMinHistory: number
  readonly maxBodyBytes: number
  readonly maxImportBytes: number
  /** Requests per minute and credential, on each instance; 0 for no bound. */
  readonly rateLimit: number
  readonly verdictRetentionDays: number
  /** The first administrator's token (GATEHOUSE_ADMIN_TOKEN); null where none is set. */
  readonly adminToken: string | null
  /** Whether everybody may read (GATEHOUSE_PUBLIC_READ), and see badges and charts (BADGES_PUBLIC). */
  readonly publicRead: boolean
  readonly badgesPublic: boolean
}

/** Every variable that is read. */
export const VARIABLES = [
  'HOST',
  'PORT',
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'DATABASE_POOL_SIZE',
  'GATEHOUSE_CONFIG',
  'GATEHOUSE_ADMIN_TOKEN',
  'GATEHOUSE_PUBLIC_READ',
  'BADGES_PUBLIC',
  'BASELINE_WINDOW',
  'ENFORCE_MIN_HISTORY',
  'MAX_BODY_MIB',
  'MAX_IMPORT_MIB',
  'RATE_LIMIT',
  'VERDICT_RETENTION_DAYS',
  'LOG_LEVEL',
] as const
type Variable = (typeof VARIABLES)[number]

export type Environment = Readonly<Record<string, string | undefined>>

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * Reads the configuration from environment variables and the file that GATEHOUSE_CONFIG names. A variable that is
 * empty counts as not set, as CI and compose files give it.
 * @param readFile the text of a file; throws where it cannot be read
 * @returns every fault at once, each under the name of its variable or its place in the file
 */
export function readConfig(env: Environment, readFile: (path: string) => string): Outcome<Config> {
  const faults: Fault[] = []
  const text = (name: Variable) => (env[name] === undefined || env[name] === '' ? null : env[name])
  const integer = (name: Variable, fallback: number, minimum: number, maximum: number): number => {
    const value = text(name)
    if (value === null) return fallback
    if (/^\d{1,15}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum) return Number(value)
    faults.push({
      where: name,
      message: `must be an integer from ${minimum} to ${maximum}, not ${JSON.stringify(value)}`,
    })
    return fallback
  }

  const flag = (name: Variable): boolean => {
    const value = text(name)
    if (value === null || value === 'true' || value === 'false') return value === 'true'
    faults.push({ where: name, message: `must be exactly true or false, not ${JSON.stringify(value)}` })
    return false
  }

  const host = text('HOST') ?? '127.0.0.1'
  const port = integer('PORT', 8080, 0, 65_535)
  const baselineWindow = integer('BASELINE_WINDOW', 20, 1, 1_000)
  const enforceMinHistory = integer('ENFORCE_MIN_HISTORY', 10, 1, 1_000)
  if (baselineWindow < enforceMinHistory) {
    faults.push({
      where: 'BASELINE_WINDOW',
      message: `is ${baselineWindow}, less than ENFORCE_MIN_HISTORY (${enforceMinHistory}): no baseline could ever enforce`,
    })
  }
  const levelText = text('LOG_LEVEL') ?? 'info'
  const logLevel = LOG_LEVELS.find((level) => level === levelText)
  if (logLevel === undefined) {
    faults.push({
      where: 'LOG_LEVEL',
      message: `must be one of ${LOG_LEVELS.join(', ')}, not ${JSON.stringify(levelText)}`,
    })
  }
  const config = {
    host,
    port,
    database: readDatabase(text('DATABASE_URL'), faults),
    readReplicaUrl: readReplica(text('DATABASE_READ_URL'), text('DATABASE_URL'), faults),
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, 1, 200),
    logLevel: logLevel ?? 'info',
    baselineWindow,
    enforceMinHistory,
    maxBodyBytes: integer('MAX_BODY_MIB', 32, 1, 256) * 1_024 * 1_024,
    maxImportBytes: integer('MAX_IMPORT_MIB', 4_096, 1, 1_048_576) * 1_024 * 1_024,
    rateLimit: integer('RATE_LIMIT', 6_000, 0, 1_000_000),
    verdictRetentionDays: integer('VERDICT_RETENTION_DAYS', 90, 1, 36_500),
    adminToken: readAdminToken(text('GATEHOUSE_ADMIN_TOKEN'), faults),
    publicRead: flag('GATEHOUSE_PUBLIC_READ'),
    badgesPublic: flag('BADGES_PUBLIC'),
  }
  const file = readNamedFile(text('GATEHOUSE_CONFIG'), readFile)
  if (!file.ok) faults.push(...file.faults)
  return file.ok && faults.length === 0 ? accepted({ ...config, ...file.value }) : { ok: false, faults }
}

const MIN_ADMIN_TOKEN = 32
const MAX_ADMIN_TOKEN = 512

/** The value is a secret, so it is never shown. */
function readAdminToken(value: string | null, faults: Fault[]): string | null {
  if (value === null) return null
  const fault = (message: string) => faults.push({ where: 'GATEHOUSE_ADMIN_TOKEN', message })
  if (/[^\x21-\x7e]/.test(value)) {
    fault('may hold visible ASCII characters only, and no white space: it is sent in a header')
  } else if (value.length < MIN_ADMIN_TOKEN || value.length > MAX_ADMIN_TOKEN) {
    fault(
      `has ${value.length} characters; it needs at least ${MIN_ADMIN_TOKEN} that nobody can guess, as \`openssl rand -hex 32\` makes them`,
    )
  }
  return value
}

const DEFAULT_FILE = 'data/gatehouse.db'

function readDatabase(url: string | null, faults: Fault[]): DatabaseLocation {
  if (url === null) return { kind: 'sqlite', path: DEFAULT_FILE }
  if (url.startsWith('sqlite:')) {
    const path = url.slice('sqlite:'.length)
    if (path === '' || path === ':memory:') {
      faults.push({
        where: 'DATABASE_URL',
        message: 'sqlite: needs the path of a file, as sqlite:data/gatehouse.db',
      })
    } else if (path.startsWith('//')) {
      faults.push({
        where: 'DATABASE_URL',
        message:
          'write sqlite:PATH without slashes of its own: sqlite:data/gatehouse.db, or sqlite:/var/lib/gatehouse.db',
      })
    }
    return { kind: 'sqlite', path }
  }
  // The value may hold a password, so it is never shown.
  if (!isPostgresUrl(url)) {
    faults.push({
      where: 'DATABASE_URL',
      message: `must be sqlite:PATH or postgres://USER@HOST/DATABASE${urlHint(url)}`,
    })
  }
  return { kind: 'postgres', url }
}

function urlHint(url: string): string {
  if (/^postgres(?:ql)?:/.test(url)) return '; in a password, write # @ / : ? and % percent-encoded'
  if (/^sqlite:/i.test(url)) return `; the scheme in small letters, as sqlite:${url.slice('sqlite:'.length)}`
  return url.includes('://') ? '' : `; for a file, write sqlite:${url}`
}

function readReplica(url: string | null, primary: string | null, faults: Fault[]): string | null {
  if (url === null) return null
  if (!isPostgresUrl(url))
    faults.push({ where: 'DATABASE_READ_URL', message: 'must be postgres://USER@HOST/DATABASE' })
  else if (primary === null || primary.startsWith('sqlite:')) {
    faults.push({
      where: 'DATABASE_READ_URL',
      message: 'is a replica of PostgreSQL, and DATABASE_URL names none',
    })
  }
  return url
}

function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\/./.test(url) && URL.canParse(url)
}

function readNamedFile(path: string | null, readFile: (path: string) => string): Outcome<ConfigFile> {
  if (path === null) return accepted(EMPTY_CONFIG_FILE)
  let text: string
  try {
    text = readFile(path)
  } catch (error) {
    return refused({
      where: 'GATEHOUSE_CONFIG',
      message: `${path} cannot be read: ${(error as Error).message}`,
    })
  }
  const file = readConfigFile(text)
  if (file.ok) return file
  return {
    ok: false,
    faults: file.faults.map(({ where, message }) => ({
      where: `GATEHOUSE_CONFIG ${path}: ${where}`,
      message,
    })),
  }
}
