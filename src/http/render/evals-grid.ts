import type { CellDocument, GridDocument } from '../../documents/evals-grid.js'
import { junitText, type JunitCase } from './junit-text.js'
import { markdownCode } from './markdown-escape.js'
import { markdownBudget, markdownTable } from './markdown-parts.js'
import { NO_VALUE, shortNumber } from '../../charts/numbers.js'

const FAULTY = ['missing', 'errored', 'unscored', 'duplicate', 'unplanned'] as const
type Faulty = (typeof FAULTY)[number]

const MEANING: Readonly<Record<Faulty, string>> = {
  missing: 'planned cells without a row',
  errored: 'rows with an error',
  unscored: 'rows whose reward is no score',
  duplicate: 'rows beyond the first of a cell',
  unplanned: 'rows of no planned cell',
}

/** A grid as a GitHub job summary: the outcome, the cells that stand in its way, then the figures. */
export function renderGridMarkdown(grid: GridDocument): string {
  const head = headLines(grid)
  const listed = FAULTY.flatMap((kind) => grid.cells[kind].map((cell) => ({ kind, ...cell })))
  const total = FAULTY.reduce((sum, kind) => sum + grid.counts[kind], 0)
  let budget = markdownBudget(head)
  const cells = markdownTable(
    'Cells in the way',
    ['What', 'Task', 'Harness', 'Repeat'],
    listed,
    budget,
    ({ kind, task, harness, repeat }) => [kind, markdownCode(task), markdownCode(harness), String(repeat)],
    total,
  )
  budget -= cells.bytes
  const byHarness = markdownTable(
    'By harness',
    ['Harness', ...FIGURES],
    grid.by_harness,
    budget / 2,
    (one) => [markdownCode(one.harness), ...figures(one)],
  )
  budget -= byHarness.bytes
  const byTask = markdownTable('By task', ['Task', ...FIGURES], grid.by_task, budget, (one) => [
    markdownCode(one.task),
    ...figures(one),
  ])
  return [...head, ...cells.lines, ...byHarness.lines, ...byTask.lines].join('\n')
}

function headLines(grid: GridDocument): string[] {
  const { counts } = grid
  const dry = grid.dry_run ? ', a dry run' : ''
  return [
    `## Gatehouse: ${grid.outcome === 'fail' ? 'FAIL' : 'PASS'}`,
    '',
    summary(grid),
    '',
    `- **Grid:** ${grid.name === null ? '' : `${markdownCode(grid.name)}, `}${markdownCode(grid.grid_id)}`,
    `- **Planned:** ${counts.planned_cells} cells, ${grid.repeats} of each task and harness${dry}`,
    `- **Mean reward:** ${number(grid.mean_reward)} over ${grid.scored_n} scored cells`,
    `- **Pass rate:** ${percent(grid.pass_rate)} (reward from ${shortNumber(grid.pass_threshold)}) of ${grid.scored_n} scored cells`,
    '',
  ]
}

function summary({ complete, counts, dry_run: dryRun }: GridDocument): string {
  if (complete)
    return dryRun
      ? 'The grid is complete: a dry run, which scores nothing.'
      : 'The grid is complete: every planned cell has one row, and a score.'
  const faults = FAULTY.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`)
  // A row of a dry run under a plan that is none, say, is told by no count of its own.
  return `The grid is not complete, and no result: ${faults.join(', ')}.`
}

const FIGURES = ['Mean reward', 'Pass rate', 'Scored', 'Planned', 'Errored', 'Unscored', 'Missing']

function figures(group: GridDocument['by_task'][number] | GridDocument['by_harness'][number]): string[] {
  return [
    number(group.mean_reward),
    percent(group.pass_rate),
    ...[group.scored_n, group.planned_cells, group.errored, group.unscored, group.missing].map(String),
  ]
}

function number(value: number | null): string {
  return value === null ? NO_VALUE : shortNumber(value)
}

function percent(value: number | null): string {
  return value === null ? NO_VALUE : `${Number((value * 100).toPrecision(4))} %`
}

/** A grid as JUnit XML: one test case for each way in which it may fall short, the same ones in every grid. */
export function renderGridJunit(grid: GridDocument): string {
  const suite = grid.name === null ? 'grid' : `grid ${grid.name}`
  return junitText({
    name: `gatehouse: ${grid.outcome === 'fail' ? 'FAIL' : 'PASS'}`,
    suite,
    createdAt: grid.created_at,
    properties: [
      ['outcome', grid.outcome],
      ['complete', String(grid.complete)],
      ['grid_id', grid.grid_id],
      ['planned_cells', String(grid.counts.planned_cells)],
      ['mean_reward', grid.mean_reward === null ? null : String(grid.mean_reward)],
      ['pass_rate', grid.pass_rate === null ? null : String(grid.pass_rate)],
      ['scored_n', String(grid.scored_n)],
    ],
    cases: FAULTY.map((kind) => gridCase(kind, grid.counts[kind], grid.cells[kind])),
    output: null,
  })
}

function gridCase(kind: Faulty, count: number, cells: readonly CellDocument[]): JunitCase {
  const name = `no ${kind} cells`
  if (count === 0) return { name, result: 'pass' }
  const lines = cells.map(({ task, harness, repeat }) => `${task} / ${harness} / ${repeat}`)
  if (count > lines.length) lines.push(`and ${count - lines.length} more`)
  return {
    name,
    result: kind === 'errored' ? 'error' : 'failure',
    type: kind,
    message: `${count} ${kind}: ${MEANING[kind]}`,
    text: lines.join('\n'),
  }
}
