import t from 'tap'
import { asciiJsonString, canonicalKey, compareCodePoints, pythonFloat } from '../../src/gate/literal.js'
import { readJsonLiteral } from '../../src/gate/json-literals.js'

t.test('floats print as Python prints them', async (t) => {
  const cases: Array<[number, string]> = [
    [0, '0.0'],
    [-0, '-0.0'],
    [1, '1.0'],
    [0.1, '0.1'],
    [1e-4, '0.0001'],
    [9.999e-5, '9.999e-05'],
    [1e-5, '1e-05'],
    [1e15, '1000000000000000.0'],
    [9999999999999998, '9999999999999998.0'],
    [1e16, '1e+16'],
    [1.5e300, '1.5e+300'],
    [5e-324, '5e-324'],
    [123456789.125, '123456789.125'],
  ]
  for (const [value, text] of cases) t.equal(pythonFloat(value), text)
  t.throws(() => pythonFloat(Infinity), RangeError)
})

t.test('strings are escaped to ASCII, astral characters as two units, DEL too', async (t) => {
  t.equal(asciiJsonString('é😀\u007f\n"'), '"\\u00e9\\ud83d\\ude00\\u007f\\n\\""')
})

t.test('object keys sort by code point, not by UTF-16 unit', async (t) => {
  t.ok(compareCodePoints('\uffff', '😀') < 0, 'U+FFFF stands before U+1F600')
  t.ok('\uffff' > '😀', 'which plain comparison has the other way round')
  t.ok(compareCodePoints('a', 'ab') < 0)
  t.equal(compareCodePoints('a', 'a'), 0)
})

t.test('JSON literals keep 1 apart from 1.0', async (t) => {
  const cases: Array<[string, string]> = [
    ['{"b": 1, "a": 1.0}', '{"a":1.0,"b":1}'],
    ['[1e-5, 1E16, 10000000000000000]', '[1e-05,1e+16,10000000000000000]'],
    ['[0.1000000000000000055511151231257827, 9007199254740993]', '[0.1,9007199254740993]'],
    ['[true, false, null, "x", -0, -0.0]', '[true,false,null,"x",0,-0.0]'],
  ]
  for (const [text, key] of cases) {
    const literal = readJsonLiteral(text, 'x')
    t.ok(literal.ok)
    if (literal.ok) t.equal(canonicalKey(literal.value), key)
  }
})
