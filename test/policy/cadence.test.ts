import t from 'tap'
import type { Cadence } from '../../src/gate/run.js'
import { resolveCadence, writesHistory, type CadencePolicy } from '../../src/policy/cadence.js'

const POLICY: CadencePolicy = {
  schedules: new Map<string, Cadence>([
    ['0 15 * * 0-5', 'nightly'],
    ['0 15 * * 6', 'weekly'],
    ['0 0 1 * *', 'release'],
  ]),
  baselineRefs: new Set(['refs/heads/main', 'refs/heads/stable']),
  nightlyLabel: 'run-nightly',
}

const EVENTS = [
  'schedule',
  'pull_request',
  'pull_request_target',
  'push',
  'workflow_dispatch',
  'nightly',
  null,
] as const
const REFS = [
  'refs/heads/main',
  'refs/heads/stable',
  'refs/heads/main2',
  'main',
  'refs/pull/7/merge',
  null,
] as const
const CRONS = ['0 15 * * 0-5', '0 15 * * 6', '0 0 1 * *', '0 15 * * *', null] as const
const LABELS = [[], ['run-nightly'], ['nightly'], ['x', 'run-nightly']] as const
const NAMED = ['nightly', 'weekly', 'regular', 'release', null] as const

/** The specification, once more and independently: as sentences in the order in which they win. */
function expected(
  cadence: (typeof NAMED)[number],
  event: string | null,
  ref: string | null,
  cron: string | null,
  labels: readonly string[],
) {
  if (cadence !== null) return cadence
  if (event === 'schedule' && cron === null) return 'refused'
  if (event === 'schedule' && cron === '0 15 * * *') return 'refused'
  if (event === 'schedule') {
    if (ref !== 'refs/heads/main' && ref !== 'refs/heads/stable') return 'regular'
    return { '0 15 * * 0-5': 'nightly', '0 15 * * 6': 'weekly', '0 0 1 * *': 'release' }[cron!]
  }
  if (event === 'pull_request' && labels.includes('run-nightly')) return 'nightly'
  return 'regular'
}

t.test('the full matrix of named cadence, event, ref, cron and labels', async (t) => {
  let cases = 0
  for (const cadence of NAMED) {
    for (const eventName of EVENTS) {
      for (const ref of REFS) {
        for (const schedule of CRONS) {
          for (const labels of LABELS) {
            for (const onBehalf of [false, true]) {
              const resolved = resolveCadence({ cadence, eventName, ref, schedule, labels, onBehalf }, POLICY)
              const told = resolved.ok ? resolved.value : 'refused'
              const wanted = onBehalf ? 'regular' : expected(cadence, eventName, ref, schedule, labels)
              if (told !== wanted)
                t.equal(told, wanted, JSON.stringify({ cadence, eventName, ref, schedule, labels }))
              cases++
            }
          }
        }
      }
    }
  }
  t.equal(cases, 5 * 7 * 6 * 5 * 4 * 2)
})

t.test('refusals name the field and the way out', async (t) => {
  const facts = { cadence: null, eventName: 'schedule', ref: 'refs/heads/main', labels: [], onBehalf: false }
  t.match(resolveCadence({ ...facts, schedule: null }, POLICY), {
    faults: [{ where: 'schedule', message: /needs its cron/ }],
  })
  t.match(resolveCadence({ ...facts, schedule: '1 2 3 4 5' }, POLICY), {
    faults: [{ where: 'schedule', message: /not mapped.*cadence\.schedules/ }],
  })
})

t.test('who writes history', async (t) => {
  t.same(
    ['nightly', 'weekly', 'regular', 'release'].filter((cadence) => writesHistory(cadence as Cadence)),
    ['nightly', 'weekly'],
  )
})
