import type { Readable } from 'node:stream'
import { Parser, type Result } from 'tap-parser'

export interface TestCounts {
  passed: number
  failed: number
  skipped: number
}

/** The one line that a test run closes with. */
export function closingLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * Reads the TAP of a whole run: a line for each file, below it what failed with its diagnostics and what was skipped
 * with its reason. Counts single assertions.
 *
 * tap calls a file without tests skipped and ends with 0; here it has failed: nobody writes one on purpose. The
 * same goes for a run without any test.
 */
export function reportTap(input: Readable, print: (line: string) => void): Promise<TestCounts> {
  const counts: TestCounts = { passed: 0, failed: 0, skipped: 0 }
  return new Promise((resolve) => {
    const parser = new Parser((results) => {
      if (!results.ok && counts.failed === 0) {
        counts.failed++
        print(`FAIL  the run: ${results.bailout ? String(results.bailout) : 'its output is not complete'}`)
      }
      if (counts.passed + counts.failed + counts.skipped === 0) {
        counts.failed++
        print('FAIL  no tests ran')
      }
      resolve(counts)
    })
    let details: string[] = []
    watch(parser, (result, isLeaf) => {
      const isFile = parser === result.parser
      const outcome = outcomeOf(result.point, isFile)
      if (isLeaf) counts[outcome]++
      if (!isFile) {
        if (isLeaf && outcome !== 'passed') details.push(...describe(result.point, result.path, outcome))
        return
      }
      // A file may fail beside its tests: by a crash, a time-out, or output that breaks the plan.
      if (outcome === 'failed' && !details.some((line) => line.includes('not ok'))) {
        if (!isLeaf) counts.failed++
        details.push(...describe(result.point, [], outcome))
      }
      const time = result.point.time === null ? '' : ` (${Math.round(result.point.time)} ms)`
      print(`${outcome === 'failed' ? 'FAIL' : 'ok  '}  ${result.point.name}${time}`)
      for (const line of details) print(`      ${line}`)
      details = []
    })
    input.pipe(parser)
  })
}

interface Watched {
  readonly parser: Parser
  readonly point: Result
  readonly path: readonly string[]
}

/** Calls back for each test point, innermost first; a point that closes a subtest is no leaf. */
function watch(
  parser: Parser,
  onPoint: (watched: Watched, isLeaf: boolean) => void,
  path: readonly string[] = [],
) {
  let closesSubtest = false
  parser.on('child', (child: Parser) => {
    // tap prints an empty subtest for a file without tests: that file's own point is the leaf then.
    child.on('assert', () => (closesSubtest = true))
    watch(child, onPoint, [...path, child.name])
  })
  parser.on('assert', (point: Result) => {
    const isLeaf = !closesSubtest
    closesSubtest = false
    onPoint({ parser, point, path }, isLeaf)
  })
}

function outcomeOf(point: Result, isFile: boolean): keyof TestCounts {
  if (isFile && point.skip) return 'failed'
  if (point.skip || point.todo) return 'skipped'
  return point.ok ? 'passed' : 'failed'
}

function describe(point: Result, path: readonly string[], outcome: 'failed' | 'skipped'): string[] {
  const name = [...path.slice(1), point.name].join(' > ')
  const directive =
    [point.skip, point.todo].find((text) => typeof text === 'string' && text !== '') ?? 'no reason given'
  if (outcome === 'skipped') return [`skipped: ${String(directive)} (${name})`]
  const what = point.skip ? 'no tests in this file' : name
  return [`not ok: ${what}`, ...diagnostics(point.diag)]
}

const WORTH_PRINTING = [
  'error',
  'diff',
  'found',
  'wanted',
  'stack',
  'at',
  'exitCode',
  'signal',
  'expired',
  'source',
]

function diagnostics(diag: unknown): string[] {
  if (typeof diag !== 'object' || diag === null) return []
  return Object.entries(diag)
    .filter(([key]) => WORTH_PRINTING.includes(key))
    .flatMap(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return text.includes('\n')
        ? [
            `  ${key}:`,
            ...text
              .trimEnd()
              .split('\n')
              .map((line) => `    ${line}`),
          ]
        : [`  ${key}: ${text}`]
    })
}
