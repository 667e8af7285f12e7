/**
 * Makes the records of `examples/quickstart/`: nightly runs around a real fine-tuning log, with the noise measured in
 * that log, from a fixed seed. Run it with `npm run quickstart-data`; a test holds the committed files to it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sampleStd, mean } from '../src/gate/statistics.js'

type Points = Array<[step: number, value: number | 'NaN']>
type Run = Map<string, Points>

const FOLDER = 'examples/quickstart'
const NIGHTS = 12
/** Deterministic metrics get no noise. */
const NOISY = ['train/grad_norm', 'train/loss']

/** File name to content of every record of the quick start. */
export function quickstartRecords(): Map<string, string> {
  const log = readLog()
  const random = normal(20261130)
  const night = (
    change: (metric: string, points: Points) => Points = (_metric, points) => points,
  ): string => {
    const run = new Map(
      [...log].map(([metric, points]) => [metric, change(metric, withNoise(metric, points, random))]),
    )
    return [...run].map(([metric, series]) => `${JSON.stringify({ metric, series })}\n`).join('')
  }
  const records = new Map<string, string>()
  for (let i = 1; i <= NIGHTS; i++) records.set(`night-${String(i).padStart(2, '0')}.jsonl`, night())
  records.set(
    'stale-data.jsonl',
    night((metric, points) => (metric === 'train/loss' ? scaled(points, () => 1.04) : points)),
  )
  records.set('next.jsonl', night())
  records.set(
    'drift.jsonl',
    night((metric, points) => (metric === 'train/grad_norm' ? scaled(points, (i) => 1 + i / 3) : points)),
  )
  records.set(
    'nan.jsonl',
    night((metric, points) => (metric === 'train/loss' ? lostAfter(points, 12) : points)),
  )
  return records
}

function readLog(): Run {
  const lines = readFileSync('test/fixtures/finetune-extract.jsonl', 'utf8').trim().split('\n')
  return new Map(
    lines.map((line) => {
      const { metric, series } = JSON.parse(line) as { metric: string; series: Points }
      return [metric, series]
    }),
  )
}

/** Adds noise as large as the log's own: the spread of its first differences over the square root of two. */
function withNoise(metric: string, points: Points, random: () => number): Points {
  if (!NOISY.includes(metric)) return points
  const values = points.map(([, value]) => value as number)
  const differences = values.slice(1).map((value, i) => value - values[i]!)
  const noise = sampleStd(differences, mean(differences))! / Math.SQRT2
  return points.map(([step, value]) => [step, Number(((value as number) + noise * random()).toFixed(4))])
}

function scaled(points: Points, factor: (index: number) => number): Points {
  return points.map(([step, value], i) => [step, Number(((value as number) * factor(i)).toFixed(4))])
}

function lostAfter(points: Points, good: number): Points {
  return points.map(([step, value], i) => [step, i < good ? value : 'NaN'])
}

/** Standard normal numbers from a seed (Box and Muller over mulberry32). */
function normal(seed: number): () => number {
  let state = seed
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, content] of quickstartRecords()) writeFileSync(`${FOLDER}/${name}`, content)
}
