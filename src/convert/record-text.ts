import { keyFault, shown } from '../gate/text.js'

type Marker = 'NaN' | 'Infinity' | '-Infinity'

/** Gathers the points of one run and prints them as JSON Lines, one metric a line in the order first seen. */
export class RecordText {
  readonly #metrics = new Map<string, Array<[number | null, number | Marker]>>()

  /** @returns why the metric cannot be kept; null when it is */
  add(metric: string, step: number | null, value: number): string | null {
    let series = this.#metrics.get(metric)
    if (series === undefined) {
      const fault = keyFault(metric)
      if (fault !== null) return `the metric key ${shown(metric)} ${fault}`
      this.#metrics.set(metric, (series = []))
    }
    // JSON has no literal for what is not finite, so a string marks it.
    series.push([step, Number.isFinite(value) ? value : (String(value) as Marker)])
    return null
  }

  get metrics(): number {
    return this.#metrics.size
  }

  /** Metrics that hold a step more than once: a gate over all steps will refuse them. */
  repeatedSteps(): string[] {
    return [...this.#metrics]
      .filter(([, series]) => {
        const steps = series.flatMap(([step]) => (step === null ? [] : [step]))
        return new Set(steps).size < steps.length
      })
      .map(([metric]) => metric)
  }

  toString(): string {
    return [...this.#metrics].map(([metric, series]) => `${JSON.stringify({ metric, series })}\n`).join('')
  }
}
