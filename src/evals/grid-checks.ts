import type { Fault } from '../gate/outcome.js'
import { shown } from '../gate/text.js'
import type { GridRequest } from './grid-report.js'
import { isScore } from './scores.js'

/** Faults told at once. */
const MAX_FAULTS = 100

/** What is wrong with a plan, at the places of the request's fields: cells that cannot be told apart, or none at all. */
export function checkGrid({ plan, rewardRange, passThreshold }: Omit<GridRequest, 'rows'>): Fault[] {
  const { tasks, harnesses, repeats } = plan
  const faults = [
    ...checkNames(tasks, 'task', 'plan/tasks'),
    ...checkNames(harnesses, 'harness', 'plan/harnesses'),
  ]
  if (!Number.isSafeInteger(repeats) || repeats < 1)
    faults.push({ where: 'plan/repeats', message: 'must be a whole number from 1' })
  else if (!Number.isSafeInteger(tasks.length * harnesses.length * repeats))
    faults.push({ where: 'plan/repeats', message: 'makes more cells than can be counted' })
  if (rewardRange !== null) {
    const { min, max } = rewardRange
    if (!isScore(min) || !isScore(max) || min > max)
      faults.push({ where: 'reward_range', message: 'must have finite ends, min not above max' })
  }
  if (!isScore(passThreshold)) faults.push({ where: 'pass_threshold', message: 'must be a finite number' })
  return faults.slice(0, MAX_FAULTS)
}

function checkNames(names: readonly string[], kind: string, where: string): Fault[] {
  if (names.length === 0) return [{ where, message: `is empty; a plan has at least one ${kind}` }]
  const places = new Map<string, number>()
  return names.flatMap((name, index) => {
    const first = places.get(name)
    if (first === undefined) {
      places.set(name, index)
      return []
    }
    const message = `lists the ${kind} ${shown(name)} again (first at ${where}/${first}); its cells cannot be told apart`
    return [{ where: `${where}/${index}`, message }]
  })
}
