/** A command's way to the store: configuration as the server reads it, the store, and a Python reader if one is wanted. */
import { existsSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { Command } from 'commander'
import { SCOPES, UNCONFINED } from '../auth/principal.js'
import { readConfig, type Config } from '../config.js'
import type { Gatehouse } from '../operations/gatehouse.js'
import type { Caller } from '../operations/submission.js'
import { PythonSourceReader } from '../source-reader/python-source-reader.js'
import { openStore } from '../store/open.js'
import { StoreUnavailable } from '../store/errors.js'
import type { MetricHistoryStore } from '../store/store.js'
import { EXIT } from './exit-codes.js'
import { badInput, CliFailure } from './failure.js'
import { say, type Terminal } from './terminal.js'
import { planRecord } from '../operations/plan-record.js'

export interface DatabaseOptions {
  readonly database?: string
  readonly config?: string
}

/** The options of every command that works on a store. */
export function databaseOptions(command: Command): Command {
  return command
    .option(
      '-d, --database <url>',
      'sqlite:PATH or postgres://…, instead of DATABASE_URL (where a password is better kept)',
    )
    .option('--config <file>', 'the configuration file, instead of GATEHOUSE_CONFIG')
}

/** The configuration, with what the command line says instead of the environment. */
export function configOf({ env }: Terminal, options: DatabaseOptions, listens = false): Config {
  // What is wrong with HOST, PORT or who may ask is no matter of a command that does not listen.
  const { HOST, PORT, GATEHOUSE_ADMIN_TOKEN, GATEHOUSE_PUBLIC_READ, BADGES_PUBLIC, ...rest } = env
  const config = readConfig(
    {
      ...rest,
      ...(listens && { HOST, PORT, GATEHOUSE_ADMIN_TOKEN, GATEHOUSE_PUBLIC_READ, BADGES_PUBLIC }),
      ...(options.database !== undefined && { DATABASE_URL: options.database }),
      ...(options.config !== undefined && { GATEHOUSE_CONFIG: options.config }),
    },
    (path) => readFileSync(path, 'utf8'),
  )
  if (config.ok) return config.value
  const named = config.faults.map(({ where, message }) => ({
    where: where === 'DATABASE_URL' && options.database !== undefined ? '--database' : where,
    message,
  }))
  throw badInput('the configuration is wrong', null, named)
}

/**
 * The configuration of a command that needs the store and nothing else: a typing error in what the server judges by must
 * not keep anybody from revoking a token.
 */
export function storeConfigOf(terminal: Terminal, { database }: DatabaseOptions): Config {
  const { DATABASE_URL } = terminal.env
  return configOf({ ...terminal, env: { DATABASE_URL } }, database === undefined ? {} : { database })
}

export interface OpenOptions {
  /** Refuse a SQLite file that is not there: reading a misspelt path must not look like an empty history. */
  readonly mustExist?: boolean
  readonly clock?: () => Date
}

/** Opens the store, does the work, and closes the store whatever came of it. */
export async function withGatehouse<T>(
  terminal: Terminal,
  config: Config,
  options: OpenOptions,
  work: (gatehouse: Gatehouse) => Promise<T>,
): Promise<T> {
  const store = await open(terminal, config, options)
  let python: PythonSourceReader | null = null
  try {
    return await work({
      store,
      settings: config,
      planRecord: (source, declarations) => Promise.resolve(planRecord(source, declarations)),
      readPython: (source) => (python ??= new PythonSourceReader()).read(source),
      log: {
        info: () => undefined,
        warn: (_fields, message) => say(terminal, `gatehouse: ${message}`),
        error: (_fields, message) => say(terminal, `gatehouse: ${message}`),
      },
    })
  } finally {
    await (python as PythonSourceReader | null)?.close()
    await store.close()
  }
}

async function open(
  terminal: Terminal,
  config: Config,
  { mustExist = false, clock }: OpenOptions,
): Promise<MetricHistoryStore> {
  const { database } = config
  if (mustExist && database.kind === 'sqlite' && !existsSync(database.path)) {
    throw new CliFailure(
      EXIT.unavailable,
      `there is no database ${database.path}`,
      'Name it with --database sqlite:PATH or DATABASE_URL; `gatehouse demo` makes one to look at.',
    )
  }
  try {
    return await openStore(config, {
      ...(clock && { clock }),
      onPoolError: () => say(terminal, 'gatehouse: an idle database connection failed'),
    })
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    throw new CliFailure(EXIT.unavailable, error instanceof Error ? error.message : String(error))
  }
}

/** Who works at the command line: whoever can reach the database holds every right on it. */
export function localCaller(): Caller {
  const actor = `cli:${userInfo().username}`
  const principal = { actor, owner: 'cli', scopes: new Set(SCOPES), ...UNCONFINED }
  return { principal, requestId: `cli-${process.pid}` }
}
