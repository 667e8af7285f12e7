/** The filters of commands that read a history: the same words as the HTTP API's, with the same rules. */
import { InvalidArgumentError, type Command } from 'commander'
import { commitShaFault, int64Fault, MAX_INT32 } from '../gate/identity.js'
import type { Timestamp } from '../gate/run.js'
import { normalizeTimestamp } from '../gate/timestamp.js'
import type { RunFilter } from '../store/runs.js'
import type { SeriesFilter } from '../store/lists.js'

export interface SeriesFlags {
  readonly testPath?: string
  readonly backend?: string
  readonly suite?: string
}

export interface TimeFlags {
  readonly since?: Timestamp
  readonly until?: Timestamp
}

export interface RunFlags extends SeriesFlags, TimeFlags {
  readonly commitSha?: string
  readonly githubRunId?: bigint
  readonly prNumber?: number
  readonly trusted?: boolean
}

export function seriesFilters(command: Command): Command {
  return command
    .option('--test-path <path>', 'only this test')
    .option('--backend <name>', 'only what ran on this')
    .option('--suite <name>', 'only this stage')
}

export function timeFilters(command: Command, what: string): Command {
  return command
    .option('--since <time>', `only ${what} from this time on, as 2026-11-01T00:00:00Z`, time)
    .option('--until <time>', `only ${what} before this time`, time)
}

export function runFilters(command: Command): Command {
  return timeFilters(seriesFilters(command), 'runs')
    .option('--commit-sha <sha>', 'only runs of this commit', sha)
    .option('--github-run-id <id>', 'only runs of this workflow run', int64)
    .option('--pr-number <number>', 'only runs of this pull request', positive)
    .option('--trusted <boolean>', 'only trusted runs (true), or only untrusted ones (false)', boolean)
}

export function seriesFilterOf({ testPath, backend, suite }: SeriesFlags): SeriesFilter {
  return {
    ...(testPath !== undefined && { testPath }),
    ...(backend !== undefined && { backend }),
    ...(suite !== undefined && { suite }),
  }
}

export function runFilterOf(flags: RunFlags): RunFilter {
  const { since, until, commitSha, githubRunId, prNumber, trusted } = flags
  return {
    ...seriesFilterOf(flags),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(commitSha !== undefined && { commitSha }),
    ...(githubRunId !== undefined && { githubRunId }),
    ...(prNumber !== undefined && { prNumber }),
    ...(trusted !== undefined && { trusted }),
  }
}

function time(text: string): Timestamp {
  const normal = normalizeTimestamp(text)
  if (normal === null)
    throw new InvalidArgumentError('It must be a time with its offset, as 2026-11-01T15:00:00Z.')
  return normal
}

function sha(text: string): string {
  const fault = commitShaFault(text)
  if (fault !== null) throw new InvalidArgumentError(`It ${fault}.`)
  return text
}

function int64(text: string): bigint {
  const fault = int64Fault(text)
  if (fault !== null) throw new InvalidArgumentError(`It ${fault}.`)
  return BigInt(text)
}

function positive(text: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_INT32) return Number(text)
  throw new InvalidArgumentError(`It must be an integer from 1 to ${MAX_INT32}.`)
}

function boolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new InvalidArgumentError('It must be true or false.')
}
