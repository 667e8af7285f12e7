import { existsSync } from 'node:fs'
import type { Registration } from '../program.js'
import { EXIT } from '../exit-codes.js'
import { databaseOptions, storeConfigOf, withGatehouse, type DatabaseOptions } from '../open-gatehouse.js'
import { say, type Terminal } from '../terminal.js'

export function checkSchemaCommand({ program, terminal, act }: Registration): void {
  databaseOptions(
    program
      .command('check-schema')
      .description('Say whether the database has the schema that this release needs.'),
  )
    .addHelpText(
      'after',
      `
PostgreSQL's schema is applied by its owner from migrations-external/; the files that are missing are named, and the
exit code is 1. An embedded SQLite file gets its schema from gatehouse itself, when it is opened.

Examples:
  gatehouse check-schema
  DATABASE_URL=postgres://gatehouse_server:…@db/gatehouse gatehouse check-schema && deploy
`,
    )
    .action((options: DatabaseOptions) => act(() => checkSchema(terminal, options)))
}

async function checkSchema(terminal: Terminal, options: DatabaseOptions): Promise<number> {
  const config = storeConfigOf(terminal, options)
  const { database } = config
  if (database.kind === 'sqlite' && !existsSync(database.path)) {
    terminal.stdout.write('ready\n')
    say(terminal, `${database.path} does not exist yet; it is made when the server starts`)
    return EXIT.ok
  }
  return withGatehouse(terminal, config, {}, async ({ store }) => {
    // A store that does not answer is another matter than one that is not ready.
    await store.read((reader) => reader.now())
    const readiness = await store.checkReady()
    terminal.stdout.write(readiness.ready ? 'ready\n' : 'not ready\n')
    if (readiness.ready) return EXIT.ok
    say(
      terminal,
      `gatehouse: ${readiness.reason}`,
      ...(store.backend === 'postgres' ? ['How to apply the files: migrations-external/README.md'] : []),
    )
    return EXIT.negative
  })
}
