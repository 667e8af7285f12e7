#!/usr/bin/env node
import { EXIT } from './exit-codes.js'
import { explainFailure } from './failure.js'
import { run } from './program.js'
import { say } from './terminal.js'

// Whoever read the output may go at any time; a write that waits hears of it too, but not one that does not.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.brokenPipe)
  const { exitCode, lines } = explainFailure(error)
  say(process, ...lines)
  process.exit(exitCode)
})
// Words that nobody reads any more change nothing of what a command does, nor of its exit code.
process.stderr.on('error', () => undefined)

process.exitCode = await run(process.argv.slice(2), process)
