/** The file that was opened, told from whatever stands at its path later. */
import { accessSync, constants, realpathSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StoreUnavailable } from '../errors.js'

/** What SQLite keeps beside the file while it is open; each is written to. */
const BESIDE = ['', '-wal', '-shm']

/**
 * SQLite goes on with a file that was moved away, deleted or replaced: it writes, and nobody will find what it wrote.
 * So the path's device and inode are compared with those of when it was opened, which takes some microseconds.
 * Watching the folder was rejected: a watcher tells it after the transaction that was acknowledged meanwhile.
 */
export class OpenedFile {
  readonly #device: bigint
  readonly #inode: bigint
  #journalInode: bigint | null = null
  /** With no link in it; what SQLite keeps beside the file is beside this. */
  readonly realPath: string

  /** @param path of a file that a connection has just opened */
  constructor(readonly path: string) {
    const { dev, ino } = statSync(path, { bigint: true })
    this.#device = dev
    this.#inode = ino
    this.realPath = realpathSync(path)
  }

  /** Why what is written would not be found at the path; null where it would. */
  lost(): string | null {
    let there: { readonly dev: bigint; readonly ino: bigint } | undefined
    try {
      there = statSync(this.path, { bigint: true, throwIfNoEntry: false })
    } catch (error) {
      return `the path of the database file cannot be followed any more (${(error as NodeJS.ErrnoException).code})`
    }
    if (there === undefined) {
      return 'the database file was moved away or deleted while the server ran; put it back, or start the server again'
    }
    if (there.dev === this.#device && there.ino === this.#inode) return this.#lostJournal()
    return 'the database file was replaced by another while the server ran; start the server again to take that one'
  }

  /** SQLite makes it with the first connection and keeps it until the last one closes. */
  #lostJournal(): string | null {
    const inode = statSync(`${this.realPath}-wal`, { bigint: true, throwIfNoEntry: false })?.ino ?? null
    this.#journalInode ??= inode
    if (inode === this.#journalInode) return null
    return 'the file -wal beside the database was deleted or replaced while the server ran; stop the server in order, which saves what it knows, and start it again'
  }

  /** What the journal takes of the disk, whatever of it is in use. */
  journalBytes(): number {
    return statSync(`${this.realPath}-wal`, { throwIfNoEntry: false })?.size ?? 0
  }

  /** How much its disk can still hold. */
  roomBytes(): number {
    const { bavail, bsize } = statfsSync(dirname(this.realPath))
    return bavail * bsize
  }

  /** Why nothing can be written to it; null where nothing is known that is in the way. */
  readOnly(): string | null {
    for (const suffix of BESIDE) {
      try {
        accessSync(`${this.realPath}${suffix}`, constants.W_OK)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // What is beside it comes and goes.
        if (code === 'ENOENT' && suffix !== '') continue
        const what = suffix === '' ? 'the database file' : `the file ${suffix} beside the database`
        return code === 'EROFS'
          ? `${what} is on a file system that is mounted read-only`
          : `this server's user may not write ${what} (${code})`
      }
    }
    return null
  }

  /** @throws StoreUnavailable where what is written would be lost */
  assertThere(): void {
    const reason = this.lost()
    if (reason !== null) throw new StoreUnavailable(reason)
  }
}
