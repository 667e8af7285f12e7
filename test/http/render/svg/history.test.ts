import fc from 'fast-check'
import t from 'tap'
import { historyChart } from '../../../../src/charts/history-chart.js'
import { POINT_KINDS } from '../../../../src/charts/points.js'
import { visibleText } from '../../../../src/charts/visible-text.js'
import type { HistoryPointDocument } from '../../../../src/documents/history.js'
import { renderHistorySvg, type HistorySubject } from '../../../../src/http/render/svg/history.js'
import { historyItem } from '../../../charts/support.js'
import { needs } from '../../../support/requires.js'
import { HOSTILE_NAMES } from '../../../support/verdict-document.js'
import { allElements, parseXml, strangers, type XmlElement } from './parse.js'

const SUBJECT: HistorySubject = {
  series: { testPath: 'tests/test_ppo.py', backend: 'cuda', suite: 'nightly' },
  metricKey: 'train/loss',
  step: -1,
}
const NAMES = [
  ...HOSTILE_NAMES,
  ...['<img src=x onerror=alert(1)>', ']]>', '&amp;&', '__proto__', 'a\u202eb\u2067c\u2069', 'x'.repeat(512)],
  ...[
    '漢'.repeat(512),
    '😀'.repeat(300),
    'مرحبا/שלום.py',
    'e\u0301\u0302\u0303',
    'lone \ud800',
    '\u0001\ufffe',
  ],
  ...["' onload='x", '" href="javascript:x', 'url(#a)', '<script>x</script>', '<!--', '<![CDATA[', 'a  b'],
]

const double = fc.double({ noNaN: true, noDefaultInfinity: true })
const mostly = fc.oneof({ weight: 3, arbitrary: fc.double({ min: -10, max: 10, noNaN: true }) }, double)
const bound = fc.option(mostly)
const item: fc.Arbitrary<HistoryPointDocument> = fc
  .tuple(
    fc.nat({ max: 400 }),
    fc.record({
      trusted: fc.boolean(),
      value: fc.oneof({ weight: 9, arbitrary: mostly }, fc.constant<'NaN'>('NaN')),
      status: fc.constantFrom<['pass', 'fail', 'inactive', null]>('pass', 'fail', 'inactive', null),
      mean: bound,
      lower: bound,
      upper: bound,
    }),
  )
  .map(([day, fields]) => historyItem(day, fields))
const history = fc
  .tuple(fc.array(item, { maxLength: 40 }), fc.array(fc.nat({ max: 400 })))
  .map(([items, days]) => ({
    items: items.sort((a, b) => (a.created_at < b.created_at ? 1 : -1)),
    revoked: new Set(days.map((day) => `run-${day}`)),
  }))

const texts = (root: XmlElement) =>
  allElements(root)
    .filter(({ name }) => name === 'text')
    .map(({ text }) => text)

t.test(
  'as many marks of each kind as there are points, whatever the history',
  { skip: needs('python3') },
  async (t) => {
    const charts = fc.sample(history, 150).map(({ items, revoked }) => historyChart(items, revoked))
    const roots = parseXml(charts.map((chart) => renderHistorySvg(SUBJECT, chart, { more: false })))
    for (const [index, root] of roots.entries()) {
      const { counts, points, corridor } = charts[index]!
      const elements = allElements(root)
      const legend = elements
        .filter(({ attributes }) => attributes['data-part'] === 'legend')
        .flatMap(allElements)
      const drawn = elements.filter((one) => !legend.includes(one))
      const marks = Object.fromEntries(
        POINT_KINDS.map((kind) => {
          const groups = drawn.filter(({ attributes }) => attributes['data-kind'] === kind)
          return [kind, groups.flatMap(({ children }) => children).length]
        }),
      )
      t.same(marks, counts)
      const told = legend
        .map(({ attributes }) => attributes['data-kind'])
        .filter((kind) => kind !== undefined)
      t.same(
        told,
        POINT_KINDS.filter((kind) => counts[kind] > 0),
        'the legend tells the kinds that there are',
      )
      const part = (name: string) => drawn.find(({ attributes }) => attributes['data-part'] === name)
      const pieces = (name: string) => part(name)?.attributes['d']?.split('M').length ?? 1
      t.equal(pieces('corridor') - 1, corridor.areas.length)
      t.equal(pieces('mean') - 1, corridor.mean.length)
      t.equal(pieces('bounds') - 1, corridor.lower.length + corridor.upper.length)
      t.same(strangers(root), [])
      t.ok(points.length > 0 || texts(root).some((text) => /No values are stored|none of them/.test(text)))
    }
  },
)

t.test('everything stands within the picture', { skip: needs('python3') }, async (t) => {
  const charts = fc.sample(history, 100).map(({ items }) => historyChart(items))
  const roots = parseXml(charts.map((chart) => renderHistorySvg(SUBJECT, chart, { more: true })))
  const outside = roots.flatMap(allElements).filter(({ attributes: { x, y, cx, cy } }) => {
    const isOut = (place: string | undefined, from: number, to: number) =>
      place !== undefined && !(Number(place) >= from && Number(place) <= to)
    // The lines of the legend count from where it begins.
    return isOut(cx ?? x, 0, 800) || isOut(cy ?? y, -6, 340)
  })
  t.same(outside, [])
})

t.test('names from outside are text and nothing else', { skip: needs('python3') }, async (t) => {
  const noise = fc.sample(fc.string({ unit: 'binary', maxLength: 60 }), 60)
  const names = [...NAMES, ...noise]
  const chart = historyChart([historyItem(1), historyItem(0, { trusted: false })])
  const pictures = names.map((name) =>
    renderHistorySvg(
      { series: { testPath: name, backend: name, suite: name }, metricKey: name, step: 3 },
      chart,
      { more: false },
    ),
  )
  const shape = (root: XmlElement) => allElements(root).map(({ name }) => name)
  const [plain, ...roots] = parseXml([renderHistorySvg(SUBJECT, chart, { more: false }), ...pictures])
  for (const [index, root] of roots.entries()) {
    const name = visibleText(names[index]!)
    t.same(shape(root), shape(plain!), JSON.stringify(name.slice(0, 40)))
    t.same(strangers(root), [])
    const [title] = root.children
    t.equal(title?.name, 'title')
    t.ok(
      title?.text.startsWith(`\u2066${name}\u2069, step 3: \u2066${name}\u2069 on `),
      'the title tells it in full',
    )
    for (const text of texts(root)) {
      const inside = text.replace(/\u2066([^\u2066\u2069]*)\u2069/g, '$1')
      t.notMatch(inside, /[\u202a-\u202e\u2066-\u2069]/, 'isolates come in pairs')
    }
  }
})

t.test('size, words and empty', async (t) => {
  const items = [historyItem(2, { value: 3.5, trusted: false, status: 'fail' }), historyItem(0)]
  const svg = renderHistorySvg({ ...SUBJECT, step: -2 }, historyChart(items), { more: true })
  t.match(
    svg,
    /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="800" height="340" viewBox="0 0 800 340" role="img"/,
  )
  t.match(svg, /<desc>The newest 2 values, from 2026-10-01 to 2026-10-03 \(UTC\): 1 trusted, 1 failed\./)
  t.match(svg, />step mean<\/text>/)
  t.match(svg, />Newest: 3\.5 \(failed; mean 2, corridor 1 to 3\)<\/text>/)
  t.match(svg, />newest 2 values<\/text>/)
  t.match(svg, />UTC<\/text>/)
  t.match(svg, />Oct 2, 2026<\/text>/)
  t.notMatch(svg, /<style|<script|href|<image|foreignObject/)
  const empty = renderHistorySvg(SUBJECT, historyChart([]), { more: false })
  t.match(empty, />No values are stored\.<\/text>/)
  t.match(empty, /<desc>No values are stored\.<\/desc>/)
  t.notMatch(empty, /UTC<|data-kind/)
})
