import { readVectors } from './vectors.js'

/** A row of `gate.json`: a history, a run, and the verdict that an independent model of the domain gives. */
export interface GateVector {
  readonly name: string
  readonly test_source?: string
  readonly declarations?: unknown[]
  readonly record: string
  readonly history: ReadonlyArray<{
    readonly run_id: string
    readonly created_at: string
    readonly trusted: boolean
    readonly values: ReadonlyArray<readonly [metricKey: string, step: number, value: number]>
  }>
  readonly expected: {
    readonly refused?: unknown
    readonly trusted?: boolean
    readonly outcome?: 'pass' | 'fail'
    readonly checks?: readonly ExpectedCheck[]
  }
}

export interface ExpectedCheck {
  readonly metric_key: string
  readonly step?: number | null
  readonly status: string
  readonly value?: number | null
  readonly n?: number | null
  readonly mean?: number | null
  readonly lower?: number | string | null
  readonly upper?: number | string | null
  readonly fails_ci: boolean
}

export function gateVectors(): GateVector[] {
  return readVectors<GateVector>('gate')
}
