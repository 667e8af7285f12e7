import fc from 'fast-check'
import t from 'tap'
import { isMeasured, shortened, textWidth } from '../../../../src/http/render/svg/text-width.js'

t.test('widths', async (t) => {
  t.equal(textWidth('', 11), 0)
  t.equal(textWidth('00', 10), 12.72)
  t.equal(textWidth('e\u0301', 10), textWidth('e', 10), 'marks stand on their letters')
  t.ok(textWidth('WWW', 11) > textWidth('iii', 11) * 3)
  t.ok(isMeasured('pass · trusted ~ {W}…'))
  for (const text of ['é', '漢', '😀', '\u2066']) t.notOk(isMeasured(text), text)
})

t.test('a long text keeps its beginning and its end', async (t) => {
  t.equal(shortened('tests/a.py', 200, 11), 'tests/a.py')
  const path = 'tests/very/long/path/of/folders/test_ppo.py'
  t.match(shortened(path, 120, 11), /^tests?.*….*ppo\.py$/)
  t.equal(shortened('W'.repeat(1_024), 1, 11), '…')
})

t.test('never wider than allowed, and no character is cut in two', async (t) => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 200 }).filter((one) => !/\p{Cs}/u.test(one)),
  )
  fc.assert(
    fc.property(text, fc.integer({ min: 12, max: 400 }), (long, width) => {
      const short = shortened(long, width, 11)
      if (textWidth(short, 11) > width + 1e-9 || /\p{Cs}/u.test(short)) return false
      if (short === long) return true
      const [head = '', tail = ''] = short.split('…')
      return short.split('…').length > 2 || (long.startsWith(head) && long.endsWith(tail))
    }),
    { numRuns: 500 },
  )
  t.pass('held')
})
