/** What the converters take and give. All of them are pure: text in, text or refusals out. */
import type { Outcome } from '../gate/outcome.js'

/** A record (JSON Lines of metrics) for `POST /v1/runs`, or a file of whole runs for an import. */
export type Target = 'record' | 'import'

export interface ConvertOptions {
  /** Put before every metric key. */
  readonly prefix: string
  readonly run: RunOptions
  readonly pytestBenchmark: { readonly stats: readonly string[] }
  readonly githubActionBenchmark: { readonly entry: string | null }
  readonly csv: CsvOptions
}

/** What an import needs and a file may not hold. Null where the command line says nothing. */
export interface RunOptions {
  readonly testPath: string | null
  readonly backend: string | null
  readonly suite: string | null
  readonly commitSha: string | null
  readonly ref: string | null
  readonly eventName: string | null
  readonly createdAt: string | null
  readonly trusted: boolean
  /** Leave runs out that cannot be imported, and say so, instead of refusing the file. */
  readonly skipFaulty: boolean
}

export interface CsvOptions {
  /** In the long form the column that names the metric; null in the wide one. */
  readonly metricColumn: string | null
  readonly stepColumn: string | null
  /** One in the long form; in the wide one each is a metric of its own. */
  readonly valueColumns: readonly string[]
  readonly timeColumn: string | null
  readonly commitColumn: string | null
  readonly delimiter: string
  /** Times without an offset are UTC; without this they are refused. */
  readonly assumeUtc: boolean
}

export interface Converted {
  readonly text: string
  /** What a person should know of it: nothing is left out without a word. */
  readonly notes: readonly string[]
}

export type Converter = (text: string, options: ConvertOptions) => Outcome<Converted>

/** Faults told at once: a file of a million bad lines says no more with more of them. */
export const MAX_FAULTS = 100
