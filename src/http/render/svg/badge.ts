import { isolated, visibleText } from '../../../charts/visible-text.js'
import type { Series } from '../../../gate/run.js'
import type { SeriesState } from '../../../operations/images.js'
import { AMBER, DARK, GREEN, GREY, GROUND, RED } from './colours.js'
import { element, picture } from './element.js'
import { textLine } from './text.js'
import { shortened, textWidth } from './text-width.js'

const HEIGHT = 20
const SIZE = 11
const PAD = 7
const LONGEST_NAME = 170
const FONTS = "Verdana, 'DejaVu Sans', Geneva, sans-serif"

/**
 * The newest run of a series in two words, for the top of a README: the test's name, then outcome and trust.
 * @param state null where the series has no run
 */
export function renderBadgeSvg(series: Series, state: SeriesState | null): string {
  const name = shortened(visibleText(fileName(series.testPath)), LONGEST_NAME, SIZE)
  const { message, colour } = state === null ? { message: 'unknown', colour: GREY } : said(state)
  const left = Math.ceil(textWidth(name, SIZE)) + 2 * PAD
  const right = Math.ceil(textWidth(message, SIZE)) + 2 * PAD
  const width = left + right
  const [path, backend, suite] = [series.testPath, series.backend, series.suite].map((text) =>
    isolated(visibleText(text)),
  )
  const time =
    state === null ? 'no run is stored' : `newest run ${state.createdAt.slice(0, 16).replace('T', ' ')} UTC`
  const line = { y: 14, size: SIZE, fill: GROUND, anchor: 'middle' as const }
  return picture(
    { width, height: HEIGHT, fonts: FONTS },
    { title: `${path} on ${backend}, ${suite}: ${message} (${time})` },
    element('rect', { width, height: HEIGHT, rx: 4, fill: DARK }),
    // Square where the two meet, round at the other end.
    element('path', { d: `M${left} 0H${width - 4}a4 4 0 0 1 4 4V16a4 4 0 0 1 -4 4H${left}Z`, fill: colour }),
    textLine(isolated(name), { ...line, x: left / 2 }),
    textLine(message, { ...line, x: left + right / 2 }),
  )
}

function said({ outcome, trust }: SeriesState): { message: string; colour: string } {
  const message = `${outcome ?? 'no verdict'} · ${trust}`
  if (outcome === 'fail') return { message, colour: RED }
  if (trust !== 'trusted') return { message, colour: AMBER }
  return { message, colour: outcome === 'pass' ? GREEN : GREY }
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1) || path
}
