import { compareCodePoints } from '../gate/literal.js'
import type { Judge, Model } from './eval-run.js'

/** Whether two sides name the same model or judge. One that a side does not name makes the two not comparable. */
export type Identity = 'same' | 'different' | 'not_recorded'

const UNKNOWN = 'unknown'

export function compareModels(a: Model, b: Model): Identity {
  return compareKeys(modelKey(a), modelKey(b))
}

/** A panel and a single judge differ even where they name the same model: they judge in another way. */
export function compareJudges(a: Judge, b: Judge): Identity {
  return compareKeys(judgeKey(a), judgeKey(b))
}

/** A name as names are compared: trimmed, case folded. Lower case alone keeps `ß` apart from `SS`. */
export function foldName(name: string): string {
  return name.trim().toLowerCase().toUpperCase().toLowerCase()
}

/** A member of a panel as members are compared; without a `provider/` prefix it is compared all the same. */
export function foldMember(member: string): string {
  return foldName(member.split('/').map(foldName).join('/'))
}

function compareKeys(a: string | null, b: string | null): Identity {
  if (a === null || b === null) return 'not_recorded'
  return a === b ? 'same' : 'different'
}

/** @returns null where the model is not recorded */
function modelKey({ provider, model }: Model): string | null {
  const names = [foldName(provider ?? ''), foldName(model ?? '')]
  return names.every(isRecorded) ? JSON.stringify(names) : null
}

function judgeKey(judge: Judge): string | null {
  if (judge.kind === 'single') return modelKey(judge)
  const members = judge.members.map(foldMember)
  const recorded = members.every((member) => {
    const [provider = '', ...model] = member.split('/')
    return isRecorded(provider) && isRecorded(model.join('/'))
  })
  if (!recorded || members.length === 0) return null
  return JSON.stringify({ panel: [...new Set(members)].sort(compareCodePoints) })
}

function isRecorded(name: string): boolean {
  return name !== '' && name !== UNKNOWN
}
