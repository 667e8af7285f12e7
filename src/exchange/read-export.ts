import { compareCodePoints } from '../gate/literal.js'
import { isExportHeader, readHeader, runLines, type ExportHeader } from './export-lines.js'
import { faultOf, parseLine, textOf } from './parse-line.js'
import { splitLines, type Chunks, type Line } from './lines.js'
import { RunReader, type ReadRun } from './read-run.js'

/** An export that is being read. */
export interface ExportInput {
  readonly header: ExportHeader
  /**
   * The runs, oldest first. They are told before the end shows that the file is whole: nothing may rest on them until
   * the iteration has ended.
   */
  readonly runs: AsyncGenerator<ReadRun>
}

/**
 * Reads an export as it is, values that are not finite and rows of other writers included.
 * @throws InputFault, also while the runs are read, for anything but a whole export
 */
export async function readExport(
  chunks: Chunks,
  { maxLineBytes }: { readonly maxLineBytes?: number } = {},
): Promise<ExportInput> {
  const lines = splitLines(chunks, maxLineBytes)
  try {
    const first = await lines.next()
    if (first.done) throw faultOf({ number: 1 }, 'is missing: the file is empty')
    const parsed = parseLine(first.value, textOf(first.value))
    if (!isExportHeader(parsed)) {
      throw faultOf(parsed, 'is no export\'s header {"gatehouse_export": 1, …}; is this an export?')
    }
    return { header: readHeader(parsed), runs: readRuns(first.value, lines) }
  } catch (error) {
    await lines.return(undefined)
    throw error
  }
}

async function* readRuns(header: Line, lines: AsyncGenerator<Line>): AsyncGenerator<ReadRun> {
  try {
    const reader = new RunReader({ names: 'stored', importAt: null })
    let last: ReadRun | null = null
    for await (const line of runLines(header, lines)) {
      const run = reader.readExported(line)
      if (last !== null && !isLater(run, last)) {
        throw faultOf(line, 'is not newer than the line before; an export holds each run once, oldest first')
      }
      last = run
      yield run
    }
  } finally {
    await lines.return(undefined)
  }
}

function isLater(run: ReadRun, last: ReadRun): boolean {
  if (run.createdAt !== last.createdAt) return run.createdAt > last.createdAt
  return compareCodePoints(run.runId, last.runId) > 0
}
