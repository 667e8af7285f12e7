import fc from 'fast-check'
import t from 'tap'
import { MalformedQueryValue, parseQuery, readTypedQuery } from '../../src/http/query-string.js'

t.test('parses without guessing', (t) => {
  const parse = (text: string) => ({ ...parseQuery(text) })
  t.same(parse(''), {})
  t.same(parse('a=1&&b=x+y%20z&c'), { a: '1', b: 'x y z', c: '' })
  t.same(parse('a=b=c'), { a: 'b=c' })
  t.same(parse('a=1&a=2&a=3'), { a: ['1', '2', '3'] })
  t.same(parse('=x'), { '': 'x' })
  for (const bad of ['%', '%zz', '%ff', '%ED%A0%80', '%C3'])
    t.ok(parse(`a=${bad}`)['a'] instanceof MalformedQueryValue, bad)
  t.equal(parseQuery('__proto__=1')['__proto__'], '1')
  t.end()
})

t.test('agrees with URLSearchParams on what it encodes', (t) => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' })),
      (params) => {
        const read = parseQuery(new URLSearchParams(params).toString())
        return Object.entries(params).every(([name, value]) => read[name] === value)
      },
    ),
  )
  t.end()
})

t.test('reads integers and booleans in their exact forms only', (t) => {
  const schema = {
    properties: {
      n: { type: 'integer' },
      step: { type: 'integer', minimum: -2 },
      b: { type: 'boolean' },
      s: { type: 'string' },
    },
  }
  const read = (query: Record<string, unknown>) => ({ ...readTypedQuery(query, schema) })
  t.same(read({ n: '007', step: '-1', b: 'true', s: '5' }), { n: 7, step: -1, b: true, s: '5' })
  for (const n of ['', ' 5', '5 ', '+5', '-5', '1e2', '0x1', '1.0', '١', '9'.repeat(17)])
    t.equal(read({ n })['n'], n)
  for (const b of ['', 'TRUE', '1', 'yes']) t.equal(read({ b })['b'], b)
  t.end()
})
