/** The outcomes of the last runs side by side: tall is failed, short is passed, hollow is not trusted. */
export interface StripRun {
  readonly outcome: 'pass' | 'fail' | null
  readonly trusted: boolean
}

const WIDTH = 4
const GAP = 2
const HEIGHT = 20

/** @param runs oldest first; @param places how many fit, so that strips line up */
export function RunStrip({ runs, places = 24 }: { runs: readonly StripRun[]; places?: number }) {
  const shown = runs.slice(-places)
  const failed = shown.filter(({ outcome }) => outcome === 'fail').length
  const untrusted = shown.filter(({ trusted }) => !trusted).length
  const width = places * (WIDTH + GAP) - GAP
  return (
    <svg
      class="strip"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={`last ${shown.length} runs: ${failed} failed, ${untrusted} not trusted`}
    >
      {shown.map(({ outcome, trusted }, index) => {
        const height = outcome === 'fail' ? HEIGHT - 1 : 9
        const kind = outcome === 'fail' ? 'fail' : outcome === 'pass' ? 'pass' : 'unknown'
        const inset = trusted ? 0 : 0.5
        return (
          <rect
            key={index}
            class={`strip-${kind}${trusted ? '' : ' strip-hollow'}`}
            x={(places - shown.length + index) * (WIDTH + GAP) + inset}
            y={HEIGHT - height + inset - 0.5}
            width={WIDTH - 2 * inset}
            height={height - 2 * inset}
            rx={1}
          />
        )
      })}
    </svg>
  )
}
