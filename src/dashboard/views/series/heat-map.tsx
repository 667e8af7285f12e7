/**
 * Many steps of the last runs at once: a column a run, a row a step (or some), coloured by how far the value lies from
 * the mean of its corridor; failures bear a cross. Pointing or arrows tell a cell, a click or Enter opens its run.
 */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { HistoryPoint } from '../../api/types'
import { runHref } from '../../hrefs'
import { Readout, readoutText } from '../../parts/chart/readout'
import { plural } from '../../parts/number'
import { stepPhrase, stepWord } from '../../parts/step'
import { fullTime } from '../../parts/time'
import { navigate } from '../../router'
import { colour, useTheme } from '../../theme'
import { type HeatMap as Cells, heatMap } from './heat-cells'

const HEIGHT = 420
const MOST_RUNS = 90
const LEFT = 64
const BOTTOM = 24
const LABEL_PX = 96

interface Place {
  readonly row: number
  readonly column: number
}

interface Props {
  readonly items: readonly HistoryPoint[]
  readonly revoked: ReadonlySet<string>
  readonly metric: string
}

export function HeatMap({ items, revoked, metric }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [width, setWidth] = useState(0)
  const [place, setPlace] = useState<Place | null>(null)
  const theme = useTheme()
  const map = useMemo(() => heatMap(items, revoked, { mostRuns: MOST_RUNS, mostRows: 96 }), [items, revoked])
  const columns = map.runs.length
  const rows = map.bands.length

  useLayoutEffect(() => {
    const element = canvas.current
    if (element === null) return
    const follow = () => setWidth(element.clientWidth)
    follow()
    const resized = new ResizeObserver(follow)
    resized.observe(element)
    return () => resized.disconnect()
  }, [])
  useLayoutEffect(() => {
    if (canvas.current !== null && width > 0) draw(canvas.current, width, map, place)
  }, [map, width, theme, place])

  function at(event: MouseEvent): Place | null {
    const { left, top } = canvas.current!.getBoundingClientRect()
    const column = Math.floor(((event.clientX - left - LEFT) / (width - LEFT)) * columns)
    const row = rows - 1 - Math.floor(((event.clientY - top) / (HEIGHT - BOTTOM)) * rows)
    return column >= 0 && column < columns && row >= 0 && row < rows ? { row, column } : null
  }

  function walk(event: KeyboardEvent) {
    const { row, column } = place ?? { row: 0, column: columns - 1 }
    const moved = {
      ArrowLeft: { row, column: column - 1 },
      ArrowRight: { row, column: column + 1 },
      ArrowUp: { row: row + 1, column },
      ArrowDown: { row: row - 1, column },
      Home: { row, column: 0 },
      End: { row, column: columns - 1 },
    }[event.key]
    if (moved !== undefined) {
      setPlace({
        row: Math.min(Math.max(moved.row, 0), rows - 1),
        column: Math.min(Math.max(moved.column, 0), columns - 1),
      })
    } else if (event.key === 'Enter' && place) open(place)
    else return
    event.preventDefault()
  }

  function open({ column }: Place) {
    const run = map.runs[column]
    if (run) navigate(runHref(run.runId))
  }

  const cell = place && map.cells[place.row]?.[place.column]
  return (
    <div
      class="heat"
      role="slider"
      tabIndex={0}
      aria-label={`${metric}: ${plural(rows, 'row')} of steps in ${plural(columns, 'run')}. Arrows walk the cells, Enter opens the run.`}
      aria-valuemin={1}
      aria-valuemax={columns}
      aria-valuenow={(place?.column ?? columns - 1) + 1}
      aria-valuetext={
        place
          ? cell
            ? `${stepPhrase(cell.point.item.step)}: ${readoutText(cell.point)}`
            : 'no value'
          : 'no cell chosen'
      }
      onKeyDown={walk}
    >
      <canvas
        ref={canvas}
        class="heat-canvas"
        onMouseMove={(event) => setPlace(at(event))}
        onMouseLeave={() => setPlace(null)}
        onClick={(event) => {
          const clicked = at(event)
          if (clicked) open(clicked)
        }}
      />
      {place && (
        <div
          class={`readout ${place.row < rows / 2 ? 'readout-high' : 'readout-low'}`}
          style={place.column < columns / 2 ? { right: '8px' } : { left: `${LEFT + 8}px` }}
        >
          {cell ? (
            <>
              <p class="heat-step">{stepPhrase(cell.point.item.step)}</p>
              <Readout point={cell.point} />
            </>
          ) : (
            <p>
              This run has no value here.{' '}
              <span class="muted">{fullTime(map.runs[place.column]!.createdAt)}</span>
            </p>
          )}
        </div>
      )}
    </div>
  )
}

function draw(
  canvas: HTMLCanvasElement,
  width: number,
  { runs, bands, cells }: Cells,
  chosen: Place | null,
): void {
  const ratio = devicePixelRatio
  const label = labelFor(runs)
  canvas.width = Math.round(width * ratio)
  canvas.height = HEIGHT * ratio
  const ctx = canvas.getContext('2d')
  if (ctx === null) return
  ctx.scale(ratio, ratio)
  const above = colour('--heat-above')
  const below = colour('--heat-below')
  const [none, fail, ground, muted, text] = [
    colour('--neutral-tint'),
    colour('--fail'),
    colour('--panel'),
    colour('--muted'),
    colour('--text'),
  ]
  const cellWidth = (width - LEFT) / Math.max(1, runs.length)
  const cellHeight = (HEIGHT - BOTTOM) / Math.max(1, bands.length)
  const gap = Math.min(cellWidth, cellHeight) > 5 ? 1 : 0
  const topOf = (row: number) => HEIGHT - BOTTOM - (row + 1) * cellHeight
  for (const [row, line] of cells.entries()) {
    for (const [column, cell] of line.entries()) {
      if (cell === null) continue
      const [x, y] = [LEFT + column * cellWidth, topOf(row)]
      ctx.globalAlpha = 1
      ctx.fillStyle = none
      ctx.fillRect(x, y, cellWidth - gap, cellHeight - gap)
      if (cell.off !== null) {
        ctx.globalAlpha = Math.min(1, Math.abs(cell.off)) * 0.85
        ctx.fillStyle = cell.off > 0 ? above : below
        ctx.fillRect(x, y, cellWidth - gap, cellHeight - gap)
      }
      ctx.globalAlpha = 1
      if (cell.point.kind === 'failed') cross(ctx, x, y, cellWidth - gap, cellHeight - gap, fail, ground)
    }
  }
  if (chosen) {
    ctx.strokeStyle = text
    ctx.lineWidth = 2
    ctx.strokeRect(LEFT + chosen.column * cellWidth, topOf(chosen.row), cellWidth, cellHeight)
  }
  ctx.fillStyle = muted
  ctx.font = '12px system-ui, sans-serif'
  ctx.textAlign = 'right'
  ctx.textBaseline = 'middle'
  const every = Math.ceil(bands.length / 16)
  for (let row = 0; row < bands.length; row += every) {
    ctx.fillText(stepWord(bands[row]!.from), LEFT - 8, topOf(row) + cellHeight / 2)
  }
  ctx.textBaseline = 'bottom'
  ctx.textAlign = 'left'
  // At even distances, so that no two of them touch; a run stands where its column begins.
  for (let x = 0; x <= width - LEFT - LABEL_PX / 2; x += LABEL_PX) {
    const column = Math.min(runs.length - 1, Math.floor(x / cellWidth))
    const run = runs[column]
    if (run !== undefined) ctx.fillText(label(run.createdAt), LEFT + column * cellWidth, HEIGHT)
  }
}

/** The day in UTC, or its time where all runs are of a day or two. */
function labelFor(runs: Cells['runs']): (iso: string) => string {
  const [first, last] = [runs[0], runs.at(-1)].map((run) => Date.parse(run?.createdAt ?? ''))
  const isShort = (last ?? 0) - (first ?? 0) < 2 * 86_400_000
  return (iso) => (isShort ? `${iso.slice(11, 16)} UTC` : iso.slice(0, 10))
}

/** A failure, whatever its colour: crossed out, or where that has no room, struck through. */
function cross(
  ctx: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  fail: string,
  ground: string,
): void {
  ctx.fillStyle = fail
  ctx.fillRect(x, y, width, height)
  const reach = Math.min(width, height) / 2 - 1.5
  const [middle, level] = [x + width / 2, y + height / 2]
  if (reach < 1.5) {
    ctx.fillStyle = ground
    ctx.fillRect(x + width / 4, level - 0.5, width / 2, 1)
    return
  }
  ctx.strokeStyle = ground
  ctx.lineWidth = 1.5
  ctx.beginPath()
  ctx.moveTo(middle - reach, level - reach)
  ctx.lineTo(middle + reach, level + reach)
  ctx.moveTo(middle + reach, level - reach)
  ctx.lineTo(middle - reach, level + reach)
  ctx.stroke()
}
