import { isObject } from '../gate/is-object.js'
import { createHash, type Hash } from 'node:crypto'
import type { Timestamp } from '../gate/run.js'
import { normalizeTimestamp } from '../gate/timestamp.js'
import { LineFaults } from './line-faults.js'
import type { Line } from './lines.js'
import { faultOf, isBlank, parseLine, textOf, type ParsedLine } from './parse-line.js'
import { SCOPE_MEMBERS, type ExportScope } from './scope.js'
import { EXPORT_VERSION } from './write-export.js'

export interface ExportHeader {
  readonly createdAt: Timestamp
  readonly scope: ExportScope
}

/** Whether the first line of a file begins an export. */
export function isExportHeader({ value }: ParsedLine): boolean {
  return Object.hasOwn(value, 'gatehouse_export')
}

/** @throws InputFault for another version, or a header that is not whole */
export function readHeader(line: ParsedLine): ExportHeader {
  const version = line.value['gatehouse_export']
  if (version !== EXPORT_VERSION) {
    throw faultOf(
      line,
      `is an export of version ${JSON.stringify(version)}; this program reads version ${EXPORT_VERSION}`,
    )
  }
  const { created_at: time, scope } = line.value
  const faults = new LineFaults(line)
  faults.addUnknown('', line.value, ['gatehouse_export', 'created_at', 'scope'])
  const createdAt = typeof time === 'string' ? normalizeTimestamp(time) : null
  if (createdAt === null) faults.add('created_at', 'must be an RFC 3339 time')
  if (!isObject(scope)) faults.add('scope', 'must be an object, {} for all runs')
  else {
    faults.addUnknown('scope/', scope, SCOPE_MEMBERS)
    for (const [name, value] of Object.entries(scope)) {
      if (!['string', 'number', 'boolean'].includes(typeof value)) {
        faults.add(`scope/${name}`, 'must be a filter')
      }
    }
  }
  faults.throwIfAny()
  return { createdAt: createdAt!, scope: scope as ExportScope }
}

/**
 * The lines between header and trailer, which are told as they come: that all of them came, and as they were written,
 * shows at the end.
 * @throws InputFault where the export is cut off, was changed, or goes on after its end
 */
export async function* runLines(header: Line, lines: AsyncIterator<Line>): AsyncGenerator<ParsedLine> {
  const hash = createHash('sha256').update(header.raw)
  let { number } = header
  let runs = 0
  let values = 0
  for (;;) {
    const next = await lines.next()
    if (next.done) {
      throw faultOf(
        { number },
        'is the last one, and the trailer {"end": …} is missing: the export is cut off; make it again',
      )
    }
    const line = next.value
    number = line.number
    const parsed = parseLine(line, textOf(line))
    if (Object.hasOwn(parsed.value, 'end')) {
      checkTrailer(parsed, { runs, values, hash })
      const extra = await lines.next()
      if (!extra.done) throw faultOf(extra.value, extraMessage(extra.value))
      return
    }
    hash.update(line.raw)
    runs++
    const held = parsed.value['values']
    if (Array.isArray(held)) values += held.length
    yield parsed
  }
}

function extraMessage(line: Line): string {
  const what = isBlank(textOf(line)) ? 'a blank line' : 'more data'
  return `is ${what} after the trailer; an export ends with it`
}

function checkTrailer(line: ParsedLine, seen: { runs: number; values: number; hash: Hash }): void {
  const faults = new LineFaults(line)
  faults.addUnknown('', line.value, ['end'])
  const { end } = line.value
  if (!isObject(end)) faults.add('end', 'must be an object with runs, values and sha256')
  else {
    faults.addUnknown('end/', end, ['runs', 'values', 'sha256'])
    for (const name of ['runs', 'values'] as const) {
      if (end[name] === seen[name]) continue
      const told = JSON.stringify(end[name])
      faults.add(
        `end/${name}`,
        `tells ${told}, and the file holds ${seen[name]}: it is not as it was exported`,
      )
    }
    if (end['sha256'] !== seen.hash.digest('hex')) {
      faults.add(
        'end/sha256',
        'does not fit what comes before: the file is not as it was exported (were its line ends converted?)',
      )
    }
  }
  faults.throwIfAny()
}
