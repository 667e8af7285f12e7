/**
 * Collects the metrics of a run into a record for Gatehouse: JSON Lines, one metric a line. Without any package; Node 22.18 or
 * newer runs it as it stands, an older one after `tsc`.
 *
 *     const collector = new Collector('record.jsonl')
 *     collector.add('train/loss', loss, step)
 *     collector.save() // as often as you like
 *
 * Each process of a run keeps a file of its own; all of them are submitted, and Gatehouse merges them.
 */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'

export class Collector {
  readonly #path: string
  readonly #series = new Map<string, Array<[step: number | null, value: number | string]>>()

  constructor(path: string) {
    this.#path = path
  }

  /** Keeps one point. Without a step only steps="last" and "mean" can judge it. */
  add(metric: string, value: number, step: number | null = null): void {
    const series = this.#series.get(metric) ?? []
    this.#series.set(metric, series)
    // JSON has no literal for what is not finite, and JSON.stringify would write null.
    series.push([step, Number.isFinite(value) ? value : String(value)])
  }

  /** Writes all points so far. Whoever reads sees the file before or after, never half of it. */
  save(): void {
    const partial = `${this.#path}.${process.pid}.partial`
    const file = openSync(partial, 'w')
    try {
      for (const [metric, series] of this.#series)
        writeFileSync(file, `${JSON.stringify({ metric, series })}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(partial, this.#path)
  }
}
