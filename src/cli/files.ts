/** Files of a command line, where `-` is standard input or output. */
import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { realpath, rename, rm, stat } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { badInput } from './failure.js'
import type { Terminal } from './terminal.js'

/** A whole text in memory; a longer one is no record of one run. */
const MAX_TEXT_BYTES = 512 * 1_024 * 1_024

export interface Input {
  readonly name: string
  /** Bytes in all; null for standard input. */
  readonly size: number | null
  readonly chunks: AsyncIterable<Uint8Array>
}

/** @throws CliFailure where there is no such file */
export async function openInput(terminal: Terminal, path: string): Promise<Input> {
  if (path === '-') return { name: 'standard input', size: null, chunks: terminal.stdin }
  const size = await sizeOf(path)
  return { name: path, size, chunks: createReadStream(path, { highWaterMark: 1 << 18 }) }
}

/** The size of a file. @throws CliFailure where there is no such file */
export async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((cause: unknown) => {
    const { code, message } = cause as NodeJS.ErrnoException
    throw badInput(code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read: ${message}`)
  })
  if (found.isDirectory()) throw badInput(`${path} is a folder, not a file`)
  return found.size
}

/** The text of a file. @throws CliFailure where it is too long, or no UTF-8 */
export async function readText({ name, chunks }: Input): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    bytes += chunk.length
    if (bytes > MAX_TEXT_BYTES) throw badInput(`${name} is larger than ${MAX_TEXT_BYTES / 1_048_576} MiB`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))
  } catch {
    throw badInput(`${name} is not UTF-8 text`)
  }
}

/**
 * Writes text as it comes, never faster than it is taken. A file gets its name when it is whole, so that a broken
 * run leaves no half of one. What is no file (a pipe, a device) is written to as it stands: renaming would replace it.
 * @throws CliFailure where nothing can be written there
 */
export async function writeOutput(
  terminal: Terminal,
  path: string,
  chunks: AsyncIterable<string>,
): Promise<void> {
  // The streams of a process outlive what is written to them.
  if (path === '-') return pipeline(Readable.from(chunks), terminal.stdout, { end: false })
  const target = await realpath(path).catch(() => path)
  const there = await stat(target).catch(() => null)
  if (there?.isDirectory()) throw badInput(`${path} is a folder, not a file`)
  if (there !== null && !there.isFile())
    return writeTo(path, createWriteStream(target, { flags: 'a' }), chunks)

  const partial = `${target}.${process.pid}.partial`
  const file = createWriteStream(partial, { flags: 'wx' })
  const signals = Object.entries({ SIGINT: 130, SIGTERM: 143 }).map(([signal, code]) => {
    const leave = () => {
      rmSync(partial, { force: true })
      process.exit(code)
    }
    process.on(signal, leave)
    return () => process.off(signal, leave)
  })
  try {
    await writeTo(path, file, chunks)
    await rename(partial, target)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  } finally {
    for (const unlisten of signals) unlisten()
  }
}

async function writeTo(path: string, stream: Writable, chunks: AsyncIterable<string>): Promise<void> {
  let opened = false
  stream.once('open', () => (opened = true))
  try {
    await pipeline(Readable.from(chunks), stream)
  } catch (error) {
    if (opened) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw badInput(`${path} cannot be written: ${code === 'ENOENT' ? 'there is no such folder' : message}`)
  }
}

/** In pieces, so that a pipe's reader sets the pace. */
export async function* inPieces(text: string): AsyncGenerator<string> {
  const piece = 1 << 16
  for (let at = 0; at < text.length; at += piece) yield text.slice(at, at + piece)
}
