/** A thread that moves what is in the journal into the database file: to wait for the disk there holds up nobody. */
import BetterSqlite3 from 'better-sqlite3'
import { answerQuestions } from '../../thread/answer-questions.js'
import { StoreUnavailable } from '../errors.js'
import type { CheckpointPass, CheckpointRequest } from './checkpoints.js'
import { explain } from './failures.js'

let handle: BetterSqlite3.Database | undefined

answerQuestions(({ path }: CheckpointRequest): CheckpointPass => {
  try {
    handle ??= open(path)
    const [pass] = handle.pragma('wal_checkpoint(passive)') as [{ log: number; checkpointed: number }]
    return { pages: pass.log, moved: pass.checkpointed, refused: null }
  } catch (error) {
    const explained = explain(error)
    if (!(explained instanceof StoreUnavailable)) throw error
    return { pages: 0, moved: 0, refused: explained.reason }
  }
})

function open(path: string): BetterSqlite3.Database {
  const opened = new BetterSqlite3(path, { timeout: 0, fileMustExist: true })
  // As the connections that write: what they acknowledged must not depend on a file that is not on the disk yet.
  opened.pragma('synchronous = full')
  return opened
}
