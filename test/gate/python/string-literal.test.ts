import t from 'tap'
import { readStringToken } from '../../../src/gate/python/string-literal.js'

const names = new Map([['BULLET', '•']])
const read = (token: string) => readStringToken(token, (name) => names.get(name) ?? null)

t.test('values', async (t) => {
  const cases: [string, string][] = [
    ['""', ''],
    ["''''''", ''],
    ['"a"', 'a'],
    ["'''it's \"it\"'''", 'it\'s "it"'],
    ['u"é"', 'é'],
    ['R"\\n\\""', '\\n\\"'],
    ['"\\a\\b\\f\\n\\r\\t\\v\\\\\\\'\\""', '\x07\b\f\n\r\t\v\\\'"'],
    ['"\\0\\12\\1234\\400\\777"', '\0\nS4\u0100\u01ff'],
    ['"\\x41\\u0042\\U0001F600"', 'AB😀'],
    ['"\\N{BULLET}"', '•'],
    ['"a\\\nb"', 'ab'],
    ['"\\q\\8\\é\\😀"', '\\q\\8\\é\\😀'],
    ['"\u2028\x7f"', '\u2028\x7f'],
  ]
  for (const [token, value] of cases) t.strictSame(read(token), { value }, encodeURI(token))
})

t.test('what is no text', async (t) => {
  t.match(read('f"a"'), { problem: /f-string/ })
  t.match(read('Rf"a"'), { problem: /f-string/ })
  t.match(read('t"a"'), { problem: /t-string/ })
  t.match(read('b"a"'), { problem: /bytes/ })
})

t.test('escapes that stand for no character', async (t) => {
  t.match(read('"\\ud800"'), { problem: /\\ud800 is a surrogate/ })
  t.match(
    read('"\\ud83d\\ude00"'),
    { problem: /\\ud83d is a surrogate/ },
    'a pair is two characters to Python',
  )
  t.match(read('"\\U0000dfff"'), { problem: /surrogate/ })
  t.match(read('"\\U00110000"'), { problem: /beyond/ })
  t.match(read('"\\N{nonsense}"'), { problem: /no character has the name nonsense/ })
  for (const token of ['"\\x1"', '"\\u12"', '"\\U0001"', '"\\N"', '"\\N{}"'])
    t.match(read(token), { problem: /./ }, token)
})

t.test('what is not one string is never read as one', async (t) => {
  for (const token of ['"a', 'a"', '"', '"""a"', '"a" "b"', '"a\\"', 'x', '""" """"', 'br"a"', 'q"a"'])
    t.match(read(token), { problem: /./ }, token)
})
