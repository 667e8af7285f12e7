/** The service: store, app, listen, and an orderly end. Shared by `server.ts` and `gatehouse serve`. */
import { resolve } from 'node:path'
import closeWithGrace, { type Signals } from 'close-with-grace'
import type { Logger } from 'pino'
import { buildApp } from './app.js'
import { Credentials } from './auth/credentials.js'
import { createJobVerifier } from './auth/oidc.js'
import { isLoopbackHost } from './auth/open-mode.js'
import type { Config } from './config.js'
import type { App } from './http/app-types.js'
import type { Gatehouse } from './operations/gatehouse.js'
import { copyHistory } from './operations/copy-history.js'
import { pruneExpired } from './operations/prune-expired.js'
import { PythonSourceReader } from './source-reader/python-source-reader.js'
import { assertMayListen, tellCredentials, watchOpenMode } from './start-credentials.js'
import { openStore } from './store/open.js'
import { VERSION } from './version.js'

/** Requests in flight at SIGTERM get this long; with what follows, the process is gone within ten seconds. */
const DRAIN_MS = 7_000
const CLOSE_CONNECTIONS_AFTER_MS = 500
const GIVE_UP_MS = 9_500
/** With a handler, the instruction that failed would be tried again for ever. */
const MACHINE_FAULTS: Signals[] = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT', 'SIGTRAP']
const TEND_EVERY_MS = 3_600_000

/**
 * Starts the service; resolves when it listens. From then on signals and fatal faults end the process in order.
 * @throws whatever keeps it from starting, with everything closed again
 */
export async function serve(config: Config, logger: Logger): Promise<void> {
  const store = await openStore(config, {
    onPoolError: (error) => logger.warn({ err: error }, 'an idle database connection failed'),
  })
  const python = new PythonSourceReader()
  const gatehouse: Gatehouse = {
    store,
    settings: config,
    readPython: (source) => python.read(source),
    log: logger,
  }
  const jobs =
    config.oidc.length === 0
      ? null
      : createJobVerifier(config.oidc, {
          onFailure: (issuer, error) =>
            logger.warn({ err: error, issuer }, "an issuer's keys could not be fetched"),
        })
  const { maxBodyBytes, maxImportBytes, adminToken, publicRead, badgesPublic } = config
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
  })
  const release = async () => {
    await python.close()
    await credentials.settled()
    await store.close()
  }
  try {
    await assertMayListen(config, credentials, jobs !== null)
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    await app.close()
    await release()
    throw error
  }
  // At once: a signal that came before its handler would cut off what is in flight.
  const stopWatching = watchOpenMode(credentials)
  const tending = setInterval(() => tend(gatehouse), TEND_EVERY_MS)

  closeWithGrace(
    {
      delay: GIVE_UP_MS,
      skip: MACHINE_FAULTS,
      logger: { error: (cause) => logger.error({ err: cause as unknown }, 'while closing') },
    },
    async (cause) => {
      if (cause.err) logger.fatal({ err: cause.err }, 'closing after a fault')
      else logger.info({ signal: cause.signal }, 'closing')
      clearInterval(tending)
      stopWatching()
      await closeApp(app, logger)
      await release()
      logger.info('closed')
    },
  )

  const readiness = await store.checkReady()
  const { database } = config
  const started = {
    version: VERSION,
    node: process.version,
    store: store.backend,
    ...(database.kind === 'sqlite' && { file: resolve(database.path) }),
  }
  if (readiness.ready) logger.info(started, 'started')
  // Not fatal: a database that is only starting up will be there.
  else logger.warn({ ...started, reason: readiness.reason }, 'started, but the store is not ready')
  await tellCredentials(config, credentials, jobs !== null, logger)
  copyStrays(gatehouse)

  // Parsers that cannot be loaded end the process now, and not with the first test file; what needs none does not wait.
  void python.ready().catch((error: unknown) => {
    if (!app.drain.begun) throw error
  })
}

/** Refuses new work, lets work in flight finish within a bound, and closes every connection. */
async function closeApp(app: App, logger: Logger): Promise<void> {
  app.drain.begin()
  const left = await app.drain.finished(DRAIN_MS)
  if (left > 0) logger.warn({ requests: left }, 'requests are cut off after the time to finish')
  const closing = app.close()
  // What is left holds no request: half-sent ones, and clients that do not read their answer.
  setTimeout(() => app.server.closeAllConnections(), CLOSE_CONNECTIONS_AFTER_MS).unref()
  await closing
}

function tend(gatehouse: Gatehouse): void {
  pruneExpired(gatehouse).catch((error: unknown) => {
    gatehouse.log.warn({ err: error }, 'expired rows were not pruned; the next hour tries again')
  })
  copyStrays(gatehouse)
}

/** Runs that did not come through a server of this release. */
function copyStrays(gatehouse: Gatehouse): void {
  copyHistory(gatehouse).catch((error: unknown) => {
    gatehouse.log.warn({ err: error }, 'history was not copied; the next hour tries again')
  })
}
