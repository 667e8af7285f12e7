import fc from 'fast-check'
import t from 'tap'
import { isolated, visibleText } from '../../src/charts/visible-text.js'

t.test('what would not be seen is spelt out', async (t) => {
  t.equal(visibleText('train/loss a  b'), 'train/loss a  b')
  t.equal(
    visibleText('a\u202eb\u2069\u200bc\u00a0d\ud800\n\t\0'),
    'a\\u202eb\\u2069\\u200bc\\u00a0d\\ud800\\n\\t\\u0000',
  )
  t.equal(visibleText('\u{e0001}'), '\\u{e0001}')
  t.equal(visibleText('漢字 مرحبا é 😀'), '漢字 مرحبا é 😀')
})

t.test('no text leaves its isolate, or holds a control or half a character', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      const shown = isolated(visibleText(text))
      return !/(?! )[\p{C}\p{Z}]/u.test(shown.slice(1, -1))
    }),
  )
  t.equal(isolated('a'), '\u2066a\u2069')
})
