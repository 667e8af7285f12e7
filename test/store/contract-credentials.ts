/** Tokens and sessions. */
import { createHash } from 'node:crypto'
import t from 'tap'
import type { NewToken } from '../../src/store/credentials.js'
import type { MetricHistoryStore } from '../../src/store/store.js'
import { NotStorable } from '../../src/store/write-checks.js'
import type { Backend } from './contract.js'
import { allPages, at, FIRST_PAGE } from './fixtures.js'

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function apiToken(name: string, fields: Partial<NewToken> = {}): NewToken {
  return {
    tokenId: `id-${name}`,
    name,
    tokenHash: hashOf(name),
    scopes: ['runs:submit'],
    testPathPrefixes: null,
    createdAt: at(0),
    createdBy: 'token:ops',
    expiresAt: null,
    ...fields,
  }
}

const LATER = '2099-01-01T00:00:00.000000Z'
const EARLIER = '2020-01-01T00:00:00.000000Z'

export function credentialContract({ name, open }: Backend): void {
  t.test(`${name}: a token is found by its hash, and by its name while it stands`, async (t) => {
    const { store, queries } = await open(t)
    const read = <T>(work: Parameters<typeof store.read<T>>[0]) => store.read(work)
    t.equal(await read((reader) => reader.hasTokens()), false)
    const token = apiToken('ci “x”', {
      scopes: ['runs:submit', 'baselines:write'],
      testPathPrefixes: ['tests/a/', 'b,c'],
      createdAt: at(1, 7),
      expiresAt: LATER,
    })
    await store.write((writer) => writer.writeToken(token))
    t.equal(await read((reader) => reader.hasTokens()), true)
    const { tokenHash, ...kept } = token
    const stored = { ...kept, expired: false, revoked: null }
    queries.length = 0
    t.strictSame(await read((reader) => reader.findToken(tokenHash)), stored)
    t.equal(queries.length, 1, 'one query')
    t.strictSame(await read((reader) => reader.readToken(token.tokenId)), stored)
    t.strictSame(await read((reader) => reader.findNamedToken(token.name)), stored)
    t.equal(await read((reader) => reader.findToken(hashOf('another'))), null)
    t.equal(await read((reader) => reader.readToken('none')), null)
    t.equal(await read((reader) => reader.findNamedToken('ci')), null)

    const revocation = { createdAt: at(2), actor: 'token:boss' }
    await store.write((writer) => writer.writeTokenRevocation(token.tokenId, revocation))
    await store.write((writer) =>
      writer.writeTokenRevocation(token.tokenId, { createdAt: at(3), actor: 'x' }),
    )
    t.strictSame(
      await read((reader) => reader.findToken(tokenHash)),
      { ...stored, revoked: revocation },
      'the first stands',
    )
    t.equal(await read((reader) => reader.findNamedToken(token.name)), null, 'the name is free again')
    t.equal(await read((reader) => reader.hasTokens()), true, 'and open mode stays over')
  })

  t.test(`${name}: a token expires by the store's clock`, async (t) => {
    const { store } = await open(t)
    const now = await store.read((reader) => reader.now())
    await store.write(async (writer) => {
      await writer.writeToken(apiToken('gone', { expiresAt: now }))
      await writer.writeToken(apiToken('good', { expiresAt: LATER }))
      await writer.writeToken(apiToken('for ever'))
    })
    const expired = async (of: string) =>
      (await store.read((reader) => reader.findToken(hashOf(of))))?.expired
    t.equal(await expired('gone'), true, 'at its time it is over')
    t.equal(await expired('good'), false)
    t.equal(await expired('for ever'), false)
    t.match(
      await store.read((reader) => reader.findNamedToken('gone')),
      { expired: true },
      'its name is not free',
    )
  })

  t.test(`${name}: one hash is of one token, and only a hash is taken`, async (t) => {
    const { store } = await open(t)
    await store.write((writer) => writer.writeToken(apiToken('a')))
    const same = apiToken('b', { tokenHash: hashOf('a') })
    await t.rejects(store.write((writer) => writer.writeToken(same)))
    const bad: Array<[string, Partial<NewToken>]> = [
      ['the text itself', { tokenHash: `gatehouse_${'x'.repeat(43)}` }],
      ['a NUL', { name: 'a\0' }],
      ['half a pair', { testPathPrefixes: ['\ud800'] }],
      ['a long name', { name: 'é'.repeat(1_100) }],
      ['a local time', { expiresAt: '2026-01-01T00:00:00Z' }],
    ]
    for (const [what, fields] of bad) {
      await t.rejects(
        store.write((writer) => writer.writeToken(apiToken('c', fields))),
        NotStorable,
        what,
      )
    }
    t.equal((await store.read((reader) => reader.listTokens(FIRST_PAGE))).length, 1)
  })

  t.test(`${name}: tokens are listed newest first, with their newest use`, async (t) => {
    const { store, sql } = await open(t)
    await store.write(async (writer) => {
      for (const [second, one] of ['a', 'B', 'c', 'd'].entries()) {
        await writer.writeToken(apiToken(one, { createdAt: at(Math.floor(second / 2)) }))
      }
    })
    const rows = await allPages(
      store,
      1,
      (reader, page) => reader.listTokens(page),
      (row) => row.tokenId,
    )
    t.strictSame(
      rows.map((row) => row.name),
      ['d', 'c', 'a', 'B'],
      'by code point within one time',
    )
    t.strictSame(
      rows.map((row) => row.lastUsedAt),
      [null, null, null, null],
    )

    await sql(`insert into api_token_uses (token_id, hour, used_at) values ('id-a', 1, $1)`, [EARLIER])
    const before = await store.read((reader) => reader.now())
    await store.write((writer) => writer.writeTokenUse('id-a'))
    const used = async () => {
      const listed = await store.read((reader) => reader.listTokens(FIRST_PAGE))
      return listed.find((token) => token.name === 'a')?.lastUsedAt ?? ''
    }
    const first = await used()
    t.ok(first > before && first < (await store.read((reader) => reader.now())), first)
    await store.write((writer) => writer.writeTokenUse('id-a'))
    const uses = await sql<{ n: number }>(`select cast(count(*) as integer) as n from api_token_uses`)
    // Where an hour ends between the two, there are three.
    t.ok([2, 3].includes(uses[0]?.n ?? 0))
    await t.rejects(
      store.write((writer) => writer.writeTokenUse('id-none')),
      'of a token that is there',
    )
  })

  t.test(`${name}: a session knows its token as it stands`, async (t) => {
    const { store, queries, sql } = await open(t)
    await store.write((writer) => writer.writeToken(apiToken('ci', { testPathPrefixes: ['a/'] })))
    const begin = (id: string, credential: string, expiresAt = LATER) =>
      store.write((writer) =>
        writer.writeSession({
          sessionHash: hashOf(id),
          credentialHash: hashOf(credential),
          createdAt: at(0),
          expiresAt,
        }),
      )
    const find = (id: string) => store.read((reader) => reader.findSession(hashOf(id)))
    await begin('s', 'ci')
    await begin('foreign', 'of the environment')
    await begin('over', 'ci', await store.read((reader) => reader.now()))
    queries.length = 0
    t.match(await find('s'), {
      credentialHash: hashOf('ci'),
      token: {
        tokenId: 'id-ci',
        name: 'ci',
        scopes: ['runs:submit'],
        testPathPrefixes: ['a/'],
        revoked: null,
      },
    })
    t.equal(queries.length, 1, 'one query')
    t.strictSame(await find('foreign'), { credentialHash: hashOf('of the environment'), token: null })
    t.equal(await find('over'), null)
    t.equal(await find('never'), null)

    await store.write((writer) => writer.writeTokenRevocation('id-ci', { createdAt: at(5), actor: 'boss' }))
    t.match(await find('s'), { token: { revoked: { createdAt: at(5), actor: 'boss' } } })
    for (const id of ['s', 's', 'never']) await store.write((writer) => writer.endSession(hashOf(id)))
    t.equal(await find('s'), null)
    t.strictSame(await sql('select session_hash from session_ends'), [{ session_hash: hashOf('s') }])
    await t.rejects(begin('s', 'ci'), 'an id is of one session')
  })

  t.test(`${name}: tokens are made one after the other`, async (t) => {
    const { store, openAnother } = await open(t)
    const stores = [store, await openAnother()]
    const make = (on: MetricHistoryStore, id: number) =>
      on.write(async (writer) => {
        await writer.lockTokens()
        if ((await writer.findNamedToken('one')) !== null) return false
        await writer.writeToken(apiToken('one', { tokenId: `id-${id}`, tokenHash: hashOf(String(id)) }))
        return true
      })
    const made = await Promise.all(Array.from({ length: 10 }, (_none, id) => make(stores[id % 2]!, id)))
    t.equal(made.filter(Boolean).length, 1)
  })
}
