/** When the journal is moved, and who waits for it. */
import { copyFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import t from 'tap'
import { StoreUnavailable } from '../../src/store/errors.js'
import { Checkpoints } from '../../src/store/sqlite/checkpoints.js'
import { OpenedFile } from '../../src/store/sqlite/opened-file.js'
import { openSqlite } from '../support/stores.js'

t.test('nothing is begun while the file cannot take what is in the journal', async (t) => {
  const { location } = await openSqlite(t)
  const elsewhere = `${location}-elsewhere`
  const unopened = new (class extends OpenedFile {
    override readonly path = elsewhere
    override assertThere() {}
  })(location)
  const checkpoints = new Checkpoints(unopened, (work) => work())
  t.teardown(() => checkpoints.close())
  await checkpoints.begins()
  checkpoints.ended()
  const reason = () =>
    checkpoints.begins().then(
      () => null,
      (error: unknown) => (error instanceof StoreUnavailable ? error.reason : error),
    )
  let told: unknown = null
  for (let waited = 0; told === null && waited < 5_000; waited += 50) {
    await sleep(50)
    told = await reason()
  }
  t.equal(told, 'the database file cannot be opened or written', 'whoever begins is told why')
  t.not(await reason(), null, 'for as long as it is so')
  copyFileSync(location, elsewhere)
  t.equal(await reason(), null, 'and no longer')
})

t.test('a journal that has grown is moved before somebody adds to it', async (t) => {
  const { location } = await openSqlite(t)
  const checkpoints = new Checkpoints(new OpenedFile(location), (work) => work())
  const writer = new BetterSqlite3(location)
  t.teardown(async () => {
    writer.close()
    await checkpoints.close()
  })
  writer.pragma('wal_autocheckpoint = 0')
  writer.exec('create table ballast (bytes blob)')
  const before = statSync(location).size
  writer.exec('insert into ballast values (zeroblob(1000000))')
  await checkpoints.begins()
  t.equal(statSync(location).size, before, 'a short one may wait')
  writer.exec('insert into ballast values (zeroblob(3000000))')
  await checkpoints.begins()
  t.ok(statSync(location).size >= before + 4_000_000, 'a long one was moved')
})

t.test('a long read that keeps the journal does not fill the disk', async (t) => {
  const { location } = await openSqlite(t)
  const onDisk = new (class extends OpenedFile {
    room = 1e12
    override roomBytes() {
      return this.room
    }
  })(location)
  const checkpoints = new Checkpoints(onDisk, (work) => work())
  const writer = new BetterSqlite3(location)
  const reader = new BetterSqlite3(location, { readonly: true })
  t.teardown(async () => {
    writer.close()
    reader.close()
    await checkpoints.close()
  })
  writer.pragma('wal_autocheckpoint = 0')
  writer.exec('create table ballast (bytes blob)')
  const write = () => writer.exec('insert into ballast values (zeroblob(3000000))')
  reader.exec('begin')
  reader.prepare('select count(*) from ballast').get()
  write()
  await checkpoints.begins()
  write()
  onDisk.room = 7_000_000
  await t.rejects(checkpoints.begins(), { name: 'StoreUnavailable', reason: /a long read keeps the journal/ })
  await t.rejects(checkpoints.begins(), { name: 'StoreUnavailable' }, 'for as long as it is so')
  reader.exec('commit')
  await checkpoints.begins()
  t.ok(statSync(location).size >= 6_000_000, 'there was room for all of it')
})

t.test('what is written while the journal is moved is moved next', async (t) => {
  const { location } = await openSqlite(t)
  const writesOnce = new (class extends OpenedFile {
    passes = 0
    override assertThere() {
      if (++this.passes === 1) checkpoints.ended()
      super.assertThere()
    }
  })(location)
  const checkpoints = new Checkpoints(writesOnce, (work) => work())
  t.teardown(() => checkpoints.close())
  checkpoints.ended()
  checkpoints.ended()
  for (let waited = 0; writesOnce.passes < 2 && waited < 5_000; waited += 50) await sleep(50)
  await sleep(500)
  t.equal(writesOnce.passes, 2, 'once more, and no more than that')
})
