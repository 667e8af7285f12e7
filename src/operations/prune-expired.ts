import type { Timestamp } from '../gate/run.js'
import type { Gatehouse } from './gatehouse.js'

/** Days that the key of a judged-only submission is kept. */
const KEY_RETENTION_DAYS = 30
const DAY_MS = 86_400_000

/** Deletes what has outlived its keeping: keys and verdicts of submissions that wrote no run. History never goes. */
export async function pruneExpired({ store, settings, log }: Gatehouse): Promise<void> {
  const now = Date.parse(await store.read((reader) => reader.now()))
  const gone = await store.prune({
    keysBefore: daysBefore(now, KEY_RETENTION_DAYS),
    verdictsBefore: daysBefore(now, settings.verdictRetentionDays),
  })
  if (gone.keys + gone.verdicts > 0) log.info(gone, 'expired keys and verdicts pruned')
}

function daysBefore(now: number, days: number): Timestamp {
  return new Date(now - days * DAY_MS).toISOString().replace('Z', '000Z')
}
