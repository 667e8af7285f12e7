/** What a benchmark found: figures beside their floor or rival, measured in the same run. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { dirname } from 'node:path'

export interface Figure {
  /** `verdict`, `write`, … */
  readonly group: string
  readonly backend: string
  readonly what: string
  readonly value: number
  readonly unit: string
  /** What it stands beside, in the same unit. */
  readonly rival?: { readonly what: string; readonly value: number }
  /** The ratio that is to be reached: at most or at least so much. */
  readonly target?: { readonly atMost: number } | { readonly atLeast: number }
}

export function ratioOf({ value, rival }: Figure): number | null {
  return rival === undefined || rival.value === 0 ? null : value / rival.value
}

/** Whether the figure reaches its target; null where it has none. */
export function reaches(figure: Figure): boolean | null {
  const ratio = ratioOf(figure)
  if (figure.target === undefined || ratio === null) return null
  return 'atMost' in figure.target ? ratio <= figure.target.atMost : ratio >= figure.target.atLeast
}

/** A line a figure, for reading. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = [
    ['group', 'store', 'what', 'figure', 'beside', 'ratio', 'target', ''],
    ...figures.map((figure) => {
      const { group, backend, what, value, unit, rival, target } = figure
      const ratio = ratioOf(figure)
      const ok = reaches(figure)
      return [
        group,
        backend,
        what,
        `${shown(value)} ${unit}`,
        rival === undefined ? '' : `${shown(rival.value)} ${unit} ${rival.what}`,
        ratio === null ? '' : shown(ratio),
        target === undefined ? '' : 'atMost' in target ? `<= ${target.atMost}` : `>= ${target.atLeast}`,
        ok === null ? '' : ok ? 'reached' : 'MISSED',
      ]
    }),
  ]
  const widths = rows[0]!.map((_cell, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** Writes all figures with what they were measured on. */
export function writeJson(path: string, figures: readonly Figure[]): void {
  mkdirSync(dirname(path), { recursive: true })
  const machine = {
    node: process.version,
    cpus: cpus().length,
    cpu: cpus()[0]?.model,
    memory_mib: Math.round(totalmem() / 1_048_576),
  }
  const document = { measured_at: new Date().toISOString(), machine, figures }
  writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`)
}

/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5)
}

/** @param q 0 to 1; the nearest rank */
export function quantile(numbers: readonly number[], q: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? NaN
}
