/** The process as `npm start` and the container run it: configuration, then the service. */
import { readFileSync } from 'node:fs'
import { EXIT } from './cli/exit-codes.js'
import { readConfig } from './config.js'
import { configWarnings } from './config-warnings.js'
import { createLogger, secretsOf } from './logger.js'
import { explainStart } from './start-faults.js'
import { serve } from './serve.js'

await main()

async function main(): Promise<void> {
  const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'))
  if (!config.ok) {
    for (const { where, message } of config.faults) process.stderr.write(`gatehouse: ${where}: ${message}\n`)
    process.exitCode = EXIT.badInput
    return
  }
  const logger = createLogger(config.value.logLevel, secretsOf(config.value))
  try {
    await serve(config.value, logger, configWarnings(process.env, config.value))
  } catch (error) {
    const explained = explainStart(error, config.value)
    if (explained === null) logger.fatal({ err: error }, 'cannot start')
    else process.stderr.write(`gatehouse: ${explained.reason}\n`)
    process.exitCode = explained?.exitCode ?? EXIT.fault
  }
}
