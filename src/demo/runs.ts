/**
 * The runs of the demo: forty nights of three tests, and some pull requests. Made up, but shaped like the real thing:
 * a throughput that drifts, an evaluation with one bad night, a rate that flips between zero and not.
 */
import type { Series } from '../gate/run.js'
import { normalNumbers } from './random.js'

export const NIGHTS = 40
const STEPS = 8
const SEED = 40

/** The first night on which the throughput sinks, by this much a night. */
const DRIFT_FROM = 13
const DRIFT = 0.006
/** The night on which the evaluation read a truncated dataset. */
const BAD_NIGHT = 27
/** The nights on which the token streams of trainer and rollout disagree. */
const FLIPS: ReadonlySet<number> = new Set([6, 14, 19, 25, 31, 36, 38])

export const PPO = {
  testPath: 'tests/e2e/test_ppo.py',
  backend: 'cuda',
  suite: 'stage-c-8-gpu-h100',
} as const satisfies Series
export const EVALUATION = {
  testPath: 'tests/evals/test_math.py',
  backend: 'cuda',
  suite: 'nightly-eval',
} as const satisfies Series
export const THROUGHPUT = {
  testPath: 'tests/perf/test_throughput.py',
  backend: 'cuda',
  suite: 'stage-c-8-gpu-h100',
} as const satisfies Series
export const DEMO_SERIES: readonly Series[] = [PPO, EVALUATION, THROUGHPUT]

export const MISMATCH = 'rollout/tito_session_mismatch_rate/v1/assistant_text'

type Points = ReadonlyArray<readonly [step: number, value: number | 'NaN']>
type Metrics = ReadonlyArray<readonly [metric: string, points: Points]>

export interface DemoRun {
  /** Names it; also what makes filling twice harmless. */
  readonly name: string
  readonly series: Series
  /** Days before the last night, and minutes after the hour at which nights begin. */
  readonly daysBefore: number
  readonly minutes: number
  /** null is a nightly run. */
  readonly pullRequest: number | null
  readonly declarations: readonly object[]
  readonly record: ReadonlyArray<{ readonly metric: string; readonly series: Points }>
}

/** What each test file declares. The four metrics of the PPO test take everything from the defaults table. */
const DECLARATIONS: ReadonlyMap<Series, readonly object[]> = new Map<Series, readonly object[]>([
  [
    PPO,
    ['train/ppo_kl', 'train/grad_norm', 'rollout/raw_reward', MISMATCH].map((key) => ({ metric_key: key })),
  ],
  [
    EVALUATION,
    [
      { metric_key: 'eval/accuracy', steps: 'last', constraint: { rel_up: 0.1, rel_down: 0.05 } },
      { metric_key: 'eval/answered', steps: 'last', hard_ref: { min: 0.95 } },
    ],
  ],
  [
    THROUGHPUT,
    [
      { metric_key: 'perf/tokens_per_s', steps: 'last', constraint: { rel_up: 0.2, rel_down: 0.05 } },
      { metric_key: 'perf/peak_memory_gib', steps: 'last', hard_ref: { max: 78 } },
    ],
  ],
])

/** All runs of the demo in the order in which they happened. */
export function demoRuns(): DemoRun[] {
  const random = normalNumbers(SEED)
  const runs: DemoRun[] = []
  for (let night = 1; night <= NIGHTS; night++) {
    const at = { daysBefore: NIGHTS - night, pullRequest: null }
    const name = `night-${String(night).padStart(2, '0')}`
    runs.push(
      run(`${name}-ppo`, PPO, { ...at, minutes: 0 }, ppo(random, FLIPS.has(night) ? 0.31 : 0)),
      run(`${name}-eval`, EVALUATION, { ...at, minutes: 42 }, evaluation(random, night)),
      run(`${name}-perf`, THROUGHPUT, { ...at, minutes: 95 }, throughput(random, driftAt(night))),
    )
  }
  runs.push(...pullRequests(random))
  return runs.sort((a, b) => b.daysBefore - a.daysBefore || a.minutes - b.minutes)
}

/** Judged against the nights before them, and never part of a baseline. */
function pullRequests(random: () => number): DemoRun[] {
  const at = (daysBefore: number, hours: number, pullRequest: number) => ({
    daysBefore,
    minutes: hours * 60,
    pullRequest,
  })
  return [
    run('pr-1201-ppo', PPO, at(4, 7, 1201), ppo(random, 0)),
    run('pr-1207-ppo', PPO, at(3, 9, 1207), klBlowsUp(ppo(random, 0))),
    run('pr-1211-eval', EVALUATION, at(2, 8, 1211), evaluation(random, 1)),
    run('pr-1214-eval', EVALUATION, at(1, 11, 1214), [
      ['eval/accuracy', [[0, 'NaN']]],
      ['eval/answered', [[0, 0.998]]],
    ]),
    run('pr-1218-perf', THROUGHPUT, at(1, 13, 1218), throughput(random, 1)),
    run('pr-1219-perf', THROUGHPUT, at(1, 15, 1219), throughput(random, driftAt(NIGHTS))),
  ]
}

function run(
  name: string,
  series: Series,
  when: Pick<DemoRun, 'daysBefore' | 'minutes' | 'pullRequest'>,
  metrics: Metrics,
): DemoRun {
  const record = metrics.map(([metric, points]) => ({ metric, series: points }))
  return { name, series, ...when, declarations: DECLARATIONS.get(series) ?? [], record }
}

function ppo(random: () => number, mismatch: number): Metrics {
  const steps = Array.from({ length: STEPS }, (_, step) => step)
  const points = (of: (step: number) => number, digits: number): Points =>
    steps.map((step) => [step, Number(of(step).toFixed(digits))])
  return [
    ['train/ppo_kl', points((step) => 0.009 + 0.0006 * step + 0.0006 * random(), 5)],
    ['train/grad_norm', points((step) => 1.9 * 0.93 ** step + 0.08 * random(), 4)],
    ['rollout/raw_reward', points((step) => 0.22 + 0.05 * step + 0.012 * random(), 4)],
    [MISMATCH, [[STEPS - 1, mismatch]]],
  ]
}

/** From the fourth step on the policy runs away from its reference. */
function klBlowsUp(metrics: Metrics): Metrics {
  return metrics.map(([metric, points]) =>
    metric === 'train/ppo_kl'
      ? [metric, points.map(([step, value]) => [step, step < 4 ? value : Number((0.03 * step).toFixed(5))])]
      : [metric, points],
  )
}

function evaluation(random: () => number, night: number): Metrics {
  const accuracy = night === BAD_NIGHT ? 0.301 : 0.624 + 0.006 * random()
  return [
    ['eval/accuracy', [[0, Number(accuracy.toFixed(4))]]],
    ['eval/answered', [[0, Number(Math.min(1, 0.997 + 0.001 * random()).toFixed(4))]]],
  ]
}

function throughput(random: () => number, level: number): Metrics {
  return [
    ['perf/tokens_per_s', [[0, Math.round(41_800 * level * (1 + 0.005 * random()))]]],
    ['perf/peak_memory_gib', [[0, Number((71.3 + 0.2 * random()).toFixed(2))]]],
  ]
}

function driftAt(night: number): number {
  return (1 - DRIFT) ** Math.max(0, night - DRIFT_FROM + 1)
}
