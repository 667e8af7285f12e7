/** A drop as a bar from zero: to the right what fell, hollow to the left what rose. */
const WIDTH = 220
const HEIGHT = 16
const MIDDLE = WIDTH / 2

export function DropBar({ drop, most }: { drop: number; most: number }) {
  const length = most === 0 ? 0 : (Math.abs(drop) / most) * (MIDDLE - 2)
  return (
    <svg class="drop-bar" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path class="drop-zero" d={`M${MIDDLE} 0V${HEIGHT}`} />
      {length > 0 && (
        <rect
          class={drop > 0 ? 'drop-fell' : 'drop-rose'}
          x={drop > 0 ? MIDDLE : MIDDLE - length}
          y={3}
          width={Math.max(1.5, length)}
          height={HEIGHT - 6}
          rx={1.5}
        />
      )}
    </svg>
  )
}
