/** The mark of a cell: a shape of its own for every state, so that the colour only helps. */
import type { CellState } from './cells'

const SIZE = 18

const SHAPES: Readonly<Record<CellState, string>> = {
  passed: 'M5 9.4l2.6 2.6 5.2-6',
  scored: 'M5.5 9h7',
  planned: 'M9 8.9v.2M5.4 8.9v.2M12.6 8.9v.2',
  missing: '',
  errored: 'M5.8 5.8l6.4 6.4M12.2 5.8l-6.4 6.4',
  unscored: 'M6.7 7a2.3 2.3 0 1 1 3.4 2c-.8.4-1.1.8-1.1 1.6M9 13v.2',
  duplicate: 'M6.3 5v8M11.7 5v8',
  unplanned: 'M9 5v8M5 9h8',
}

export function CellMark({ state }: { state: CellState | null }) {
  return (
    <svg
      class={`cell-mark mark-${state ?? 'coming'}`}
      width={SIZE}
      height={SIZE}
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      aria-hidden="true"
    >
      <rect x="1" y="1" width="16" height="16" rx="4" />
      {state !== null && SHAPES[state] !== '' && <path d={SHAPES[state]} />}
    </svg>
  )
}
