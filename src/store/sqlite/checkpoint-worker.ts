/** A thread that moves what is in the journal into the database file: to wait for the disk there holds up nobody. */
import BetterSqlite3 from 'better-sqlite3'
import { answerQuestions } from '../../thread/answer-questions.js'
import type { CheckpointPass, CheckpointRequest } from './checkpoints.js'

let handle: BetterSqlite3.Database | undefined

answerQuestions(({ path }: CheckpointRequest): CheckpointPass => {
  handle ??= open(path)
  const [pass] = handle.pragma('wal_checkpoint(passive)') as [{ log: number; checkpointed: number }]
  return { pages: pass.log, moved: pass.checkpointed }
})

function open(path: string): BetterSqlite3.Database {
  const opened = new BetterSqlite3(path, { timeout: 0, fileMustExist: true })
  // As the connections that write: what they acknowledged must not depend on a file that is not on the disk yet.
  opened.pragma('synchronous = full')
  return opened
}
