import { bencherImport, bencherRecord } from './bencher.js'
import { csvImport, csvRecord } from './csv.js'
import { githubActionBenchmarkImport } from './github-action-benchmark.js'
import { convertHfTrainer } from './hf-trainer.js'
import type { Converter, Target } from './options.js'
import { pytestBenchmarkImport, pytestBenchmarkRecord } from './pytest-benchmark.js'

export const FORMATS = [
  'hf-trainer',
  'pytest-benchmark',
  'bencher',
  'github-action-benchmark',
  'csv',
] as const
export type Format = (typeof FORMATS)[number]

/** What each format can become; the first target is the default one. */
export const CONVERTERS: Readonly<
  Record<Format, { readonly summary: string; readonly targets: Readonly<Partial<Record<Target, Converter>>> }>
> = {
  'hf-trainer': {
    summary: "a Hugging Face Trainer's trainer_state.json",
    targets: { record: convertHfTrainer },
  },
  'pytest-benchmark': {
    summary: 'the file of pytest --benchmark-json',
    targets: { record: pytestBenchmarkRecord, import: pytestBenchmarkImport },
  },
  bencher: {
    summary: 'Bencher Metric Format (JSON)',
    targets: { record: bencherRecord, import: bencherImport },
  },
  'github-action-benchmark': {
    summary: 'a data.js of github-action-benchmark, its window.BENCHMARK_DATA prefix included',
    targets: { import: githubActionBenchmarkImport },
  },
  csv: {
    summary: 'a CSV with a header, its columns named by options',
    targets: { record: csvRecord, import: csvImport },
  },
}
