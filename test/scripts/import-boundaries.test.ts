import { ESLint } from 'eslint'
import t from 'tap'

const eslint = new ESLint({ overrideConfigFile: 'eslint.imports.config.js' })

async function faults(filePath: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath })
  return result!.messages
    .filter(({ severity }) => severity === 2)
    .map(({ message, ruleId }) => `${ruleId}: ${message}`)
}

const BAD: ReadonlyArray<readonly [file: string, code: string]> = [
  ['src/gate/verdict.ts', "import { readFileSync } from 'node:fs'"],
  ['src/gate/verdict.ts', "import type { MetricHistoryStore } from '../store/store.js'"],
  ['src/gate/verdict.ts', "import { GatehouseError } from '../errors.js'"],
  ['src/gate/verdict.ts', "import { type ProblemCode, GatehouseError } from '../errors.js'"],
  ['src/gate/verdict.ts', "import pino from 'pino'"],
  ['src/gate/verdict.ts', "import '../clock.js'"],
  ['src/gate/verdict.ts', "import { parse } from 'web-tree-sitter'"],
  ['src/gate/verdict.ts', "export { pino } from 'pino'"],
  ['src/gate/verdict.ts', "export * from '../operations/submission.js'"],
  ['src/gate/verdict.ts', "export const load = () => import('kysely')"],
  ['src/gate/verdict.ts', 'export const load = (name: string) => import(name)'],
  ['src/gate/verdict.ts', "export type Store = import('../store/store.js').MetricHistoryStore"],
  ['src/gate/verdict.ts', "import fs = require('node:fs')"],
  ['src/gate/verdict.ts', "// eslint-disable-next-line\nimport { readFileSync } from 'node:fs'"],
  ['src/gate/verdict.ts', 'export const at = Date.now()'],
  ['src/gate/verdict.ts', 'export const at = new Date()'],
  ['src/gate/verdict.ts', 'export const draw = Math.random()'],
  ['src/gate/verdict.ts', 'export const home = process.env.HOME'],
  ['src/gate/python/read.ts', "import { readFileSync } from 'node:fs'"],
  ['src/gate/python/read.ts', "import { Worker } from 'node:worker_threads'"],
  ['src/policy/cadence.ts', "import { FastifyRequest } from 'fastify'"],
  ['src/policy/cadence.ts', "import type { Config } from '../config.js'"],
  ['src/evals/compare.ts', "import { randomInt } from 'node:crypto'"],
  ['src/promotion/step.ts', "import type { Ladder } from '../documents/ladder.js'"],
  ['src/replay/replay.ts', "import { setTimeout } from 'node:timers/promises'"],
  ['src/documents/verdict.ts', "import { CADENCES } from '../gate/run.js'"],
  ['src/documents/verdict.ts', "import fastify from 'fastify'"],
  ['src/http/routes/runs.ts', "import { listRuns } from '../../store/queries/runs.js'"],
  ['src/http/routes/runs.ts', "import type { Tables } from '../../store/tables.js'"],
  ['src/http/routes/runs.ts', "import { openSqlite } from '../../store/sqlite/open.js'"],
  ['src/http/routes/runs.ts', "import { sql } from 'kysely'"],
  ['src/cli/export.ts', "import { listRuns } from '../store/queries/runs.js'"],
  ['src/cli/export.ts', "import { openPostgres } from '../store/postgres/open.js'"],
  ['src/cli/export.ts', "import Database from 'better-sqlite3'"],
  ['src/server.ts', "import { dialect } from './store/postgres/dialect.js'"],
  ['src/server.ts', "import pg from 'pg'"],
  ['src/store/retry.ts', "import { isBusy } from './sqlite/failures.js'"],
  ['src/store/queries/runs.ts', "import pg from 'pg'"],
  ['src/store/store.ts', "import type { Submission } from '../operations/submission.js'"],
  ['src/operations/submit-run.ts', "import type { FastifyReply } from 'fastify'"],
  ['src/operations/submit-run.ts', "import { problem } from '../http/problem.js'"],
  ['src/operations/submit-run.ts', "import helmet from '@fastify/helmet'"],
  ['src/operations/submit-run.ts', "import { runs } from '../store/queries/runs.js'"],
  ['src/auth/principal.ts', "import type { FastifyRequest } from 'fastify'"],
]

t.test('each forbidden import is reported', async (t) => {
  for (const [file, code] of BAD) t.equal((await faults(file, code)).length, 1, `${file}: ${code}`)
})

const GOOD: ReadonlyArray<readonly [file: string, code: string]> = [
  ['src/gate/verdict.ts', "import { accepted } from './outcome.js'"],
  ['src/gate/verdict.ts', "import type { ProblemCode } from '../errors.js'"],
  ['src/gate/verdict.ts', "import { type ProblemCode } from '../errors.js'"],
  ['src/gate/verdict.ts', "import { parse } from 'lossless-json'"],
  ['src/gate/verdict.ts', 'export const at = (time: string) => new Date(time)'],
  ['src/gate/python/read.ts', "import { Parser } from 'web-tree-sitter'"],
  ['src/gate/python/read.ts', "import { createRequire } from 'node:module'"],
  ['src/gate/python/read.ts', "import type { Literal } from '../literal.js'"],
  ['src/replay/replay.ts', "import { judge } from '../gate/evaluate.js'"],
  ['src/documents/verdict.ts', "import { Type } from 'typebox'"],
  ['src/http/routes/runs.ts', "import { submitRun } from '../../operations/submit-run.js'"],
  ['src/operations/submit-run.ts', "import type { MetricHistoryStore } from '../store/store.js'"],
  ['src/store/open.ts', "import { openPostgres } from './postgres/open.js'"],
  ['src/store/open-store.ts', "import { openSqlite } from './sqlite/open.js'"],
  ['src/store/sqlite/open.ts', "import { createReader } from '../queries/reader.js'"],
  ['src/store/postgres/open.ts', "import pg from 'pg'"],
  ['src/store/queries/runs.ts', "import { sql } from 'kysely'"],
]

t.test('what the design allows passes', async (t) => {
  for (const [file, code] of GOOD) t.same(await faults(file, code), [], `${file}: ${code}`)
})
