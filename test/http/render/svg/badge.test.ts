import t from 'tap'
import { visibleText } from '../../../../src/charts/visible-text.js'
import type { SeriesState } from '../../../../src/operations/images.js'
import { renderBadgeSvg } from '../../../../src/http/render/svg/badge.js'
import { textWidth } from '../../../../src/http/render/svg/text-width.js'
import { needs } from '../../../support/requires.js'
import { HOSTILE_NAMES } from '../../../support/verdict-document.js'
import { allElements, parseXml, strangers } from './parse.js'

const SERIES = { testPath: 'tests/e2e/test_ppo.py', backend: 'cuda', suite: 'nightly' }
const state = (outcome: SeriesState['outcome'], trust: SeriesState['trust']): SeriesState => ({
  outcome,
  trust,
  createdAt: '2026-11-30T18:00:00.123456Z',
})

t.test('outcome and trust in words, and a colour beside them', async (t) => {
  const said = (of: SeriesState | null) => {
    const svg = renderBadgeSvg(SERIES, of)
    return [/>([^<]*)<\/text><\/svg>/.exec(svg)?.[1], /<path [^>]*fill="(#\w+)"/.exec(svg)?.[1]]
  }
  const [green, red, amber, grey] = ['#1a7f37', '#cf222e', '#9a6700', '#59636e']
  t.same(said(state('pass', 'trusted')), ['pass · trusted', green])
  t.same(said(state('pass', 'untrusted')), ['pass · untrusted', amber])
  t.same(said(state('pass', 'revoked')), ['pass · revoked', amber])
  t.same(said(state('fail', 'untrusted')), ['fail · untrusted', red])
  t.same(said(state('fail', 'revoked')), ['fail · revoked', red])
  t.same(said(state(null, 'trusted')), ['no verdict · trusted', grey])
  t.same(said(state(null, 'untrusted')), ['no verdict · untrusted', amber])
  t.same(said(null), ['unknown', grey])
  t.match(
    renderBadgeSvg(SERIES, state('pass', 'trusted')),
    /<title>\u2066tests\/e2e\/test_ppo.py\u2069 on \u2066cuda\u2069, \u2066nightly\u2069: pass · trusted \(newest run 2026-11-30 18:00 UTC\)<\/title>/,
  )
  t.match(renderBadgeSvg(SERIES, null), /unknown \(no run is stored\)<\/title>/)
  t.match(renderBadgeSvg({ ...SERIES, testPath: 'a/' }, null), />\u2066a\/\u2069<\/text>/)
})

t.test('every text fits its half, also hostile ones', { skip: needs('python3') }, async (t) => {
  const names = [
    ...HOSTILE_NAMES,
    ...[
      'a.py',
      'W'.repeat(512),
      '漢'.repeat(400),
      'a/שלום.py',
      '<img src=x onerror=alert(1)>',
      '\ud800',
      '\u202e',
      ' ',
    ],
  ]
  const roots = parseXml(
    names.map((name) =>
      renderBadgeSvg({ testPath: name, backend: name, suite: name }, state('fail', 'untrusted')),
    ),
  )
  for (const [index, root] of roots.entries()) {
    t.same(strangers(root), [])
    const elements = allElements(root)
    t.same(
      elements.map(({ name }) => name),
      ['svg', 'title', 'rect', 'path', 'text', 'text'],
    )
    t.ok(elements[1]!.text.startsWith(`\u2066${visibleText(names[index]!)}\u2069 on `))
    const width = Number(root.attributes['width'])
    const [label, message] = elements.filter(({ name }) => name === 'text')
    const seam = Number(/^M(\d+) 0/.exec(elements[3]!.attributes['d']!)?.[1])
    for (const [text, from, to] of [
      [label!, 0, seam],
      [message!, seam, width],
    ] as const) {
      const half =
        Number(text.attributes['textLength'] ?? textWidth(text.text.replace(/[\u2066\u2069]/g, ''), 11)) / 2
      const middle = Number(text.attributes['x'])
      t.ok(middle - half >= from + 4 && middle + half <= to - 4, names[index]!.slice(0, 30))
    }
    t.ok(width <= 400)
  }
})
