/** The service: store, app, listen, and an orderly end. Shared by `server.ts` and `gatehouse serve`. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import closeWithGrace, { type Signals } from 'close-with-grace'
import type { Logger } from 'pino'
import { buildApp } from './app.js'
import { Credentials } from './auth/credentials.js'
import { createJobVerifier } from './auth/oidc.js'
import { isLoopbackHost } from './auth/open-mode.js'
import { closeApp } from './closing.js'
import type { Config } from './config.js'
import type { Fault } from './gate/outcome.js'
import { Metrics } from './http/metrics.js'
import { missingHeap } from './http/plugins/memory.js'
import type { Gatehouse } from './operations/gatehouse.js'
import { RecordReader } from './record-reader/record-reader.js'
import { PythonSourceReader } from './source-reader/python-source-reader.js'
import { assertMayListen, tellCredentials } from './start-credentials.js'
import { measureStore } from './store/measured-store.js'
import { openStore } from './store/open.js'
import { copyStrays, startTending } from './tending.js'
import { VERSION } from './version.js'

/** More than `closeApp` takes at most. */
const GIVE_UP_MS = 9_500
/** With a handler, the instruction that failed would be tried again for ever. */
const MACHINE_FAULTS: Signals[] = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT', 'SIGTRAP']

/**
 * Starts the service; resolves when it listens. From then on signals and fatal faults end the process in order.
 * @param warnings what is odd in the configuration
 * @throws whatever keeps it from starting, with everything closed again
 */
export async function serve(config: Config, logger: Logger, warnings: readonly Fault[] = []): Promise<void> {
  for (const { where, message } of warnings) logger.warn({ where }, `configuration: ${where} ${message}`)
  const metrics = new Metrics()
  const { database } = config
  const isNew = database.kind === 'sqlite' && !existsSync(database.path)
  const opened = await openStore(config, {
    onPoolError: (error) => logger.warn({ err: error }, 'an idle database connection failed'),
  })
  const store = measureStore(opened, metrics.storeCall)
  const python = new PythonSourceReader()
  const records = new RecordReader()
  const gatehouse: Gatehouse = {
    store,
    settings: config,
    readPython: (source) => python.read(source),
    planRecord: (source, declarations) => records.plan(source, declarations),
    log: logger,
  }
  const jobs =
    config.oidc.length === 0
      ? null
      : createJobVerifier(config.oidc, {
          onFailure: (issuer, error) =>
            logger.warn({ err: error, issuer }, "an issuer's keys could not be fetched"),
        })
  const { maxBodyBytes, maxImportBytes, rateLimit, adminToken, publicRead, badgesPublic } = config
  const credentials = new Credentials(
    store,
    { isLoopback: isLoopbackHost(config.host), adminToken, jobs },
    logger,
  )
  const app = await buildApp({
    gatehouse,
    logger,
    credentials,
    openings: { publicRead, badgesPublic },
    maxBodyBytes,
    maxImportBytes,
    rateLimit,
    metrics,
  })
  const release = async () => {
    await python.close()
    await records.close()
    await credentials.settled()
    await store.close()
  }
  const stopTending = startTending(gatehouse, credentials)

  // Before it listens: a signal without its handler would cut off the first requests.
  const { uninstall } = closeWithGrace(
    {
      delay: GIVE_UP_MS,
      skip: MACHINE_FAULTS,
      logger: { error: (cause) => logger.error({ err: cause as unknown }, 'while closing') },
    },
    async (cause) => {
      if (cause.err) logger.fatal({ err: cause.err }, 'closing after a fault')
      else logger.info({ signal: cause.signal }, 'closing')
      stopTending()
      await closeApp(app, store, logger)
      await release()
      logger.info('closed')
    },
  )
  try {
    await assertMayListen(config, credentials, jobs !== null)
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    // A signal came first, and its handler ends the process.
    if (app.drain.begun) return
    uninstall()
    stopTending()
    await app.close()
    await release()
    throw error
  }

  const wanted = missingHeap(maxBodyBytes)
  if (wanted !== null) {
    logger.warn(
      { wanted_mib: Math.ceil(wanted / 1_048_576) },
      'a single request of MAX_BODY_MIB can exhaust the heap; lower it, or raise --max-old-space-size',
    )
  }
  const readiness = await store.checkReady()
  const started = {
    version: VERSION,
    node: process.version,
    store: store.backend,
    ...(database.kind === 'sqlite' && { file: resolve(database.path) }),
  }
  if (readiness.ready) logger.info(started, 'started')
  // Not fatal: a database that is only starting up will be there.
  else logger.warn({ ...started, reason: readiness.reason }, 'started, but the store is not ready')
  // A path may be misspelt, and on an empty history every gate is a cold start, which passes.
  if (isNew) logger.warn({ file: started.file }, 'the database file is new: there is no history yet')
  await tellCredentials(config, credentials, jobs !== null, logger)
  copyStrays(gatehouse)

  // Parsers that cannot be loaded end the process now, and not with the first test file; what needs none does not wait.
  void python.ready().catch((error: unknown) => {
    if (!app.drain.begun) throw error
  })
}
