import { join } from 'node:path'
import type { Test } from 'tap'
import { buildApp } from '../../src/app.js'
import { Credentials } from '../../src/auth/credentials.js'
import { createJobVerifier } from '../../src/auth/oidc.js'
import { readConfigFile } from '../../src/config-file.js'
import { PythonSourceReader } from '../../src/source-reader/python-source-reader.js'
import { openSqliteStore } from '../../src/store/sqlite/open.js'
import { openLocalIssuer, signingKey, signToken } from '../support/local-issuer.js'
import { record } from './support.js'
import { planRecord } from '../../src/operations/plan-record.js'

export interface GithubService {
  readonly url: string
  /** A secret, as a job or a person would have it. */
  readonly token: string
  /**
   * What a runner sets for a job that may ask for its identity.
   * @param claims what the token says of the job
   */
  identity(claims: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, string>>>
}

/** The server in this process, with an issuer that it trusts and one secret that holds every scope. */
export async function openGithubService(
  t: Test,
  folder: string,
  cadence: object,
  rules: readonly object[],
): Promise<GithubService> {
  const key = await signingKey('github')
  const issuer = await openLocalIssuer(t, key)
  const file = readConfigFile(
    JSON.stringify({ cadence, oidc: [{ issuer: issuer.url, audience: 'gatehouse', rules }] }),
  )
  if (!file.ok) throw new Error(JSON.stringify(file.faults))
  const token = 't'.repeat(32)
  const jobs = createJobVerifier(file.value.oidc)
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const store = await openSqliteStore({ path: join(folder, 'github.db'), busyTimeoutMs: 1_000 })
  const python = new PythonSourceReader()
  const app = await buildApp({
    gatehouse: {
      store,
      settings: { baselineWindow: 20, enforceMinHistory: 10, verdictRetentionDays: 90, ...file.value },
      planRecord: (source, declarations) => Promise.resolve(planRecord(source, declarations)),
      readPython: (source) => python.read(source),
      log,
    },
    credentials: new Credentials(store, { isLoopback: true, adminToken: token, jobs }, log),
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    await app.close()
    await python.close()
    await store.close()
  })
  return {
    url,
    token,
    identity: async (claims) => {
      const body = JSON.stringify({ count: 1, value: await signToken(issuer, key, claims) })
      const endpoint = await record(t, { status: 200, body })
      return {
        ACTIONS_ID_TOKEN_REQUEST_URL: `${endpoint.url}/token?api-version=2.0`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'runner-token',
      }
    },
  }
}
