import { InvalidArgumentError, Option } from 'commander'
import { SCOPES, type Scope } from '../../auth/principal.js'
import { toJson } from '../../documents/json.js'
import type { TokenDocument } from '../../documents/token.js'
import { createToken, listTokens, revokeToken } from '../../operations/tokens.js'
import { MAX_TOKEN_DAYS, tokenRequestWarnings } from '../../policy/token-request.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { describeLocation } from '../../store/location.js'
import { badInput } from '../failure.js'
import {
  databaseOptions,
  localCaller,
  storeConfigOf,
  withGatehouse,
  type DatabaseOptions,
} from '../open-gatehouse.js'
import type { Registration } from '../program.js'
import { printable, say, type Terminal } from '../terminal.js'

interface CreateFlags extends DatabaseOptions {
  readonly name: string
  readonly scope: readonly Scope[]
  readonly testPathPrefix?: readonly string[]
  readonly expires?: number
}

interface ListFlags extends DatabaseOptions {
  readonly json?: true
}

export function tokenCommand({ program, terminal, act }: Registration): void {
  const token = program
    .command('token')
    .description('Make, list and revoke the API tokens that CI jobs, dashboards and people hold.')
    .addHelpText('after', EXAMPLES)
  databaseOptions(
    token
      .command('create')
      .description(
        'Make a token and print it, this once, on standard output; all else goes to standard error.',
      ),
  )
    .requiredOption('-n, --name <name>', 'what it is called; no two that stand have one name')
    .addOption(
      new Option('-s, --scope <scope>', 'what it may do; repeat it for more')
        .choices([...SCOPES])
        .argParser(scope)
        .makeOptionMandatory(),
    )
    .option(
      '--test-path-prefix <prefix>',
      'it may change series of test paths that begin so, and no others; repeat it for more',
      collect,
    )
    .option('--expires <days>', 'for how long it is good, as 90d; left out, for ever', days)
    .addHelpText('after', CREATE_EXAMPLES)
    .action((flags: CreateFlags) => act(() => create(terminal, flags)))
  databaseOptions(token.command('list').description('List every token, newest first, revoked ones too.'))
    .option('--json', 'as JSON, with every field')
    .addHelpText('after', LIST_EXAMPLES)
    .action((flags: ListFlags) => act(() => list(terminal, flags)))
  databaseOptions(
    token
      .command('revoke')
      .description('Revoke a token: every instance refuses it from the next request on.')
      .argument('<token>', 'its id, or the name of one that stands'),
  )
    .addHelpText('after', REVOKE_EXAMPLES)
    .action((named: string, flags: DatabaseOptions) => act(() => revoke(terminal, named, flags)))
}

const SCOPE_HELP = `
Scopes:
  runs:submit       judge runs, parse declarations, read the verdicts
  baselines:write   with a nightly or weekly run: write history
  history:read      every read, replay, export
  trust:revoke      revoke trust, and undo that
  evals:write, promotions:write
  admin             all of it, import, tokens
`

const EXAMPLES = `${SCOPE_HELP}
The first token ends open mode: from then on every request needs one, on every server of the store.

Examples:
  gatehouse token create --name admin --scope admin
  gatehouse token list
  gatehouse token revoke ci-nightly
`

const CREATE_EXAMPLES = `${SCOPE_HELP}
Examples:
  gatehouse token create --name ci-nightly --scope runs:submit --scope baselines:write --expires 90d
  gatehouse token create --name rl-repo --scope runs:submit --test-path-prefix rl/tests/
  TOKEN=$(gatehouse token create --name dashboard --scope history:read)
`

const LIST_EXAMPLES = `
Examples:
  gatehouse token list
  gatehouse token list --json
`

const REVOKE_EXAMPLES = `
Examples:
  gatehouse token revoke ci-nightly
  gatehouse token revoke 01936f0c-7a3e-7b4c-8d5e-6f7a8b9c0d1e
`

const NO_ADMIN =
  'warning: open mode is over, and there is no token with the scope admin: unless GATEHOUSE_ADMIN_TOKEN is set, ' +
  'nobody can make tokens over HTTP, or import. Make one: gatehouse token create --name admin --scope admin'

async function create(terminal: Terminal, flags: CreateFlags): Promise<void> {
  const config = storeConfigOf(terminal, flags)
  const request = {
    name: flags.name,
    scopes: flags.scope,
    testPathPrefixes: flags.testPathPrefix ?? null,
    expiresInDays: flags.expires ?? null,
  }
  await withGatehouse(terminal, config, {}, async (gatehouse) => {
    const isFirst = !(await gatehouse.store.read((reader) => reader.hasTokens()))
    const made = await createToken(gatehouse, localCaller(), request)
    terminal.stdout.write(`${made.token}\n`)
    say(
      terminal,
      `token ${made.name} (${made.token_id}) made: ${made.scopes.join(', ')}` +
        (made.test_path_prefixes === null ? '' : `; confined to ${made.test_path_prefixes.join(', ')}`) +
        (made.expires_at === null ? '; never expires' : `; expires ${made.expires_at}`),
      `It is not shown again: only its hash is stored, in ${describeLocation(config.database)}.`,
      ...(isFirst
        ? ['It is the first: servers of this store ask every request for a token from now on.']
        : []),
      ...tokenRequestWarnings(request).map((warning) => `warning: ${warning}`),
      ...(isFirst && !made.scopes.includes('admin') ? [NO_ADMIN] : []),
    )
  })
}

async function list(terminal: Terminal, flags: ListFlags): Promise<void> {
  const config = storeConfigOf(terminal, flags)
  await withGatehouse(terminal, config, { mustExist: true }, async (gatehouse) => {
    const tokens = await allTokens(gatehouse)
    if (flags.json === true) {
      terminal.stdout.write(`${toJson(tokens)}\n`)
      return
    }
    if (tokens.length === 0)
      say(
        terminal,
        `there is no token in ${describeLocation(config.database)}; servers on loopback work without credentials`,
      )
    else terminal.stdout.write(tableOf(tokens, new Date()))
  })
}

async function revoke(terminal: Terminal, named: string, flags: DatabaseOptions): Promise<void> {
  const config = storeConfigOf(terminal, flags)
  await withGatehouse(terminal, config, { mustExist: true }, async (gatehouse) => {
    const token = await gatehouse.store.read(
      async (reader) => (await reader.readToken(named)) ?? (await reader.findNamedToken(named)),
    )
    if (token === null) {
      throw badInput(
        `no token that stands is named ${JSON.stringify(named)}, and none has that id`,
        `That is in ${describeLocation(config.database)}. See \`gatehouse token list\`.`,
      )
    }
    await revokeToken(gatehouse, localCaller(), token.tokenId)
    say(
      terminal,
      token.revoked === null
        ? `token ${token.name} (${token.tokenId}) revoked`
        : `token ${token.name} (${token.tokenId}) was revoked at ${token.revoked.createdAt} already`,
    )
  })
}

async function allTokens(gatehouse: Gatehouse): Promise<TokenDocument[]> {
  const tokens: TokenDocument[] = []
  for (let cursor: string | null = null; ;) {
    const page = await listTokens(gatehouse, { limit: 1_000, cursor })
    tokens.push(...page.items)
    cursor = page.next_cursor
    if (cursor === null) return tokens
  }
}

const COLUMNS = ['TOKEN', 'NAME', 'STATE', 'SCOPES', 'TEST PATHS', 'CREATED', 'EXPIRES', 'LAST USED']

function tableOf(tokens: readonly TokenDocument[], now: Date): string {
  const rows = tokens.map((token) => [
    token.token_id,
    token.name,
    token.revoked_at !== null
      ? 'revoked'
      : token.expires_at !== null && Date.parse(token.expires_at) <= now.getTime()
        ? 'expired'
        : 'good',
    token.scopes.join(','),
    token.test_path_prefixes?.join(',') ?? 'all',
    toMinute(token.created_at),
    toMinute(token.expires_at),
    toMinute(token.last_used_at),
  ])
  const shown = [COLUMNS, ...rows].map((row) => row.map(printable))
  const widths = COLUMNS.map((_column, index) => Math.max(...shown.map((row) => row[index]!.length)))
  return shown
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** `2026-11-30 18:00Z`. */
function toMinute(time: string | null): string {
  return time === null ? '-' : `${time.slice(0, 10)} ${time.slice(11, 16)}Z`
}

/** A scope given twice is one. */
function scope(text: string, before: readonly Scope[] = []): Scope[] {
  const found = SCOPES.find((known) => known === text)
  if (found === undefined) throw new InvalidArgumentError(`There are ${SCOPES.join(', ')}.`)
  return [...new Set([...before, found])]
}

function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

function days(text: string): number {
  const number = /^(\d{1,5})d$/.exec(text)?.[1]
  if (number === undefined || Number(number) < 1 || Number(number) > MAX_TOKEN_DAYS) {
    throw new InvalidArgumentError(`It must be a number of days from 1d to ${MAX_TOKEN_DAYS}d, as 90d.`)
  }
  return Number(number)
}
