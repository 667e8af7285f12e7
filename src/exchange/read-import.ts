import type { Timestamp } from '../gate/run.js'
import type { ImportedRun } from '../store/exchange.js'
import { isExportHeader, readHeader, runLines } from './export-lines.js'
import { faultOf, isBlank, parseLine, textOf } from './parse-line.js'
import { splitLines, type Chunks, type Line } from './lines.js'
import { RunReader } from './read-run.js'

export interface ImportOptions {
  /** The store's clock: no run is of a later time. */
  readonly now: Timestamp
  readonly maxLineBytes?: number
}

/**
 * Reads a file of runs in either form: an export, or the plain one with a run a line. The first line tells which.
 * Runs are told as they come; a fault further on takes the whole file back.
 * @throws InputFault that names the line
 */
export async function* readImport(
  chunks: Chunks,
  { now, maxLineBytes }: ImportOptions,
): AsyncGenerator<ImportedRun> {
  const lines = splitLines(chunks, maxLineBytes)
  try {
    for (;;) {
      const next = await lines.next()
      if (next.done) throw faultOf({ number: 1 }, 'is missing: the file holds no run')
      const text = textOf(next.value)
      if (isBlank(text)) continue
      const first = parseLine(next.value, text)
      if (isExportHeader(first)) {
        if (first.number > 1) throw faultOf(first, 'begins an export, which has nothing before its header')
        readHeader(first)
        yield* readExportedRuns(next.value, lines, now)
      } else {
        const reader = new RunReader({ names: 'written', importAt: now })
        yield reader.readPlain(first)
        yield* readPlainRuns(reader, lines)
      }
      return
    }
  } finally {
    await lines.return(undefined)
  }
}

async function* readExportedRuns(
  header: Line,
  lines: AsyncGenerator<Line>,
  now: Timestamp,
): AsyncGenerator<ImportedRun> {
  const reader = new RunReader({ names: 'stored', importAt: now })
  for await (const line of runLines(header, lines)) yield reader.readExported(line)
}

async function* readPlainRuns(reader: RunReader, lines: AsyncGenerator<Line>): AsyncGenerator<ImportedRun> {
  for await (const line of lines) {
    const text = textOf(line)
    if (!isBlank(text)) yield reader.readPlain(parseLine(line, text))
  }
}
