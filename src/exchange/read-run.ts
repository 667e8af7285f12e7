import { isObject } from '../gate/is-object.js'
import { CADENCES, type Cadence, type Series, type Timestamp } from '../gate/run.js'
import { readStoredDeclarations } from '../gate/stored-declarations.js'
import { normalizeTimestamp } from '../gate/timestamp.js'
import type { ExportedRun } from '../store/exchange.js'
import { deriveRunId } from './derive-run-id.js'
import { LineFaults } from './line-faults.js'
import { placeOf } from './lines.js'
import { literalAt, type ParsedLine } from './parse-line.js'
import { readProvenance } from './read-provenance.js'
import { ValuesReader } from './read-values.js'
import { runIdFault, seriesFault, seriesPartFault, type RunRules } from './rules.js'

/** A run and the place of its line in the file. */
export type ReadRun = ExportedRun & { readonly where: string }

const SERIES_PARTS = ['test_path', 'backend', 'suite'] as const
const PLAIN_MEMBERS = ['series', 'provenance', 'created_at', 'trusted', 'values', 'run_id']
const LINE_MEMBERS = ['run', 'values', 'declarations']
const RUN_MEMBERS = ['run_id', 'series', 'provenance', 'created_at', 'trusted', 'cadence']

/** Reads the lines of one file, each a run. */
export class RunReader {
  readonly #rules: RunRules
  readonly #values: ValuesReader
  /** Read last: the runs of a test mostly bring the same ones. */
  #soundDeclarations: string | null = null

  constructor(rules: RunRules) {
    this.#rules = rules
    this.#values = new ValuesReader(rules)
  }

  /**
   * A line of the plain form: `{"series", "provenance", "created_at", "trusted", "values", "run_id"?}`.
   * @throws InputFault that names every fault of the line
   */
  readPlain(line: ParsedLine): ReadRun {
    const faults = new LineFaults(line)
    faults.addUnknown('', line.value, PLAIN_MEMBERS)
    const run = {
      ...this.#readCommon(line.value, '', () => literalAt(line, 'provenance', 'github_run_id'), faults),
      values: this.#values.read(line.value['values'] ?? undefined, faults),
    }
    const given = line.value['run_id'] ?? null
    const runId = given === null ? null : this.#readRunId(given, 'run_id', faults)
    faults.throwIfAny()
    return {
      runId: runId ?? deriveRunId(run),
      ...run,
      cadence: null,
      declarations: null,
      where: placeOf(line),
    }
  }

  /**
   * A line of an export: `{"run", "values", "declarations"}`.
   * @throws InputFault that names every fault of the line
   */
  readExported(line: ParsedLine): ReadRun {
    const faults = new LineFaults(line)
    faults.addUnknown('', line.value, LINE_MEMBERS)
    const head = line.value['run']
    if (!isObject(head)) faults.add('run', head === undefined ? 'is missing' : 'must be an object')
    const fields = isObject(head) ? head : {}
    faults.addUnknown('run/', fields, RUN_MEMBERS)
    const run: ReadRun = {
      runId: this.#readRunId(fields['run_id'], 'run/run_id', faults),
      ...this.#readCommon(
        fields,
        'run/',
        () => literalAt(line, 'run', 'provenance', 'github_run_id'),
        faults,
      ),
      values: this.#values.read(line.value['values'], faults),
      cadence: readCadence(fields['cadence'] ?? null, faults),
      declarations: this.#readDeclarations(line, faults),
      where: placeOf(line),
    }
    faults.throwIfAny()
    return run
  }

  #readCommon(
    fields: Readonly<Record<string, unknown>>,
    at: string,
    githubRunIdText: () => string | undefined,
    faults: LineFaults,
  ) {
    const { trusted = null } = fields
    if (typeof trusted !== 'boolean') {
      faults.add(`${at}trusted`, trusted === null ? 'is missing; say true or false' : 'must be true or false')
    }
    return {
      series: this.#readSeries(fields['series'], `${at}series`, faults),
      provenance: readProvenance(
        fields['provenance'],
        `${at}provenance`,
        githubRunIdText,
        this.#rules,
        faults,
      ),
      createdAt: this.#readTime(fields['created_at'] ?? null, `${at}created_at`, faults),
      trusted: trusted === true,
    }
  }

  #readSeries(value: unknown, pointer: string, faults: LineFaults): Series {
    if (!isObject(value)) {
      faults.add(
        pointer,
        value === undefined || value === null
          ? 'is missing'
          : 'must be an object with test_path, backend, suite',
      )
      return { testPath: '', backend: '', suite: '' }
    }
    faults.addUnknown(`${pointer}/`, value, SERIES_PARTS)
    const [testPath, backend, suite] = SERIES_PARTS.map((name) => {
      const text = value[name] ?? null
      const problem =
        text === null
          ? 'is missing'
          : typeof text === 'string'
            ? seriesPartFault(name, text, this.#rules)
            : 'must be a string'
      if (problem !== null) faults.add(`${pointer}/${name}`, problem)
      return typeof text === 'string' ? text : ''
    }) as [string, string, string]
    const problem = seriesFault(testPath + backend + suite, this.#rules)
    if (problem !== null) faults.add(pointer, problem)
    return { testPath, backend, suite }
  }

  #readTime(value: unknown, pointer: string, faults: LineFaults): Timestamp {
    const time = typeof value === 'string' ? normalizeTimestamp(value) : null
    const { importAt } = this.#rules
    if (value === null) faults.add(pointer, 'is missing; say when the run was made')
    else if (time === null) {
      faults.add(pointer, 'is no RFC 3339 time with an offset; write it like 2026-11-30T18:00:00Z')
    } else if (importAt !== null && time > importAt) {
      faults.add(pointer, `lies in the future (it is ${importAt} now)`)
    }
    return time ?? ''
  }

  /**
   * Declarations as written: `1` and `1.0` are two literals. An import takes none that could not be replayed: they would
   * stand in the way of every replay without declarations of its own.
   */
  #readDeclarations(line: ParsedLine, faults: LineFaults): string | null {
    const value = line.value['declarations'] ?? null
    if (value === null) return null
    if (!Array.isArray(value)) faults.add('declarations', 'must be a list or null')
    const text = literalAt(line, 'declarations') ?? null
    if (
      !Array.isArray(value) ||
      text === null ||
      this.#rules.importAt === null ||
      text === this.#soundDeclarations
    )
      return text
    const read = readStoredDeclarations(text, 'declarations')
    if (read.ok) this.#soundDeclarations = text
    else for (const { where, message } of read.faults) faults.add(where, message)
    return text
  }

  #readRunId(value: unknown, pointer: string, faults: LineFaults): string {
    const problem =
      typeof value === 'string'
        ? runIdFault(value, this.#rules)
        : value === undefined || value === null
          ? 'is missing'
          : 'must be a string'
    if (problem !== null) faults.add(pointer, problem)
    return typeof value === 'string' ? value : ''
  }
}

function readCadence(value: unknown, faults: LineFaults): Cadence | null {
  const cadence = CADENCES.find((known) => known === value) ?? null
  if (value !== null && cadence === null) {
    faults.add('run/cadence', `must be ${CADENCES.join(', ')} or null`)
  }
  return cadence
}
