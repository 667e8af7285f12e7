import t from 'tap'
import { afterPrefix } from '../../../src/store/queries/series.js'

t.test('the first text after all that begin so', async (t) => {
  t.equal(afterPrefix('tests/a'), 'tests/b')
  t.equal(afterPrefix('a%'), 'a&')
  t.equal(afterPrefix('\ud7ff'), '\ue000', 'surrogates are passed over')
  t.equal(afterPrefix('\uffff'), '\u{10000}')
  t.equal(afterPrefix('a\u{10ffff}\u{10ffff}'), 'b')
  t.equal(afterPrefix('\u{10ffff}'), null)
  t.equal(afterPrefix(''), null)
})
