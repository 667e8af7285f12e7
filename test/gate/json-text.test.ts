import t from 'tap'
import fc from 'fast-check'
import { scanJsonStructure } from '../../src/gate/json-text.js'

t.test('the members of the root object come with their own text', async (t) => {
  const scanned = scanJsonStructure(' { "a" : 1.0 , "b":{"c":[1,{"d":"}\\""}]}, "c" : "x,y" } ')
  t.ok(scanned.ok && scanned.members.size === 3)
  if (scanned.ok) {
    t.equal(scanned.members.get('a')!.trim(), '1.0')
    t.same(JSON.parse(scanned.members.get('b')!), { c: [1, { d: '}"' }] })
    t.equal(scanned.members.get('c')!.trim(), '"x,y"')
  }
  t.same(scanJsonStructure('[]'), { ok: true, members: new Map() })
  t.same(scanJsonStructure('{}'), { ok: true, members: new Map() })
})

t.test('a repeated key is found at any depth, and by its value, not its spelling', async (t) => {
  const cases: Array<[text: string, pointer: string]> = [
    ['{"a":1,"a":1}', 'a'],
    ['{"a":[0,{"b":1,"\\u0062":2}]}', 'a/1/b'],
    ['[{"x/y~":{"k":1,"k":2}}]', '0/x~1y~0/k'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ]
  for (const [text, pointer] of cases) t.match(scanJsonStructure(text), { ok: false, pointer })
  t.ok(scanJsonStructure('{"a":{"b":1},"b":{"b":1}}').ok, 'the same key in other objects is none')
  t.ok(scanJsonStructure('{"a":"\\"a\\":1,","b":["a","a"]}').ok, 'nor is text in a string')
})

t.test('nesting of 64 is allowed, of 65 it is not', async (t) => {
  t.ok(scanJsonStructure('['.repeat(64) + ']'.repeat(64)).ok)
  t.match(scanJsonStructure('['.repeat(65) + ']'.repeat(65)), { ok: false, message: /64/ })
  t.match(scanJsonStructure('['.repeat(1e6) + ']'.repeat(1e6)), { ok: false }, 'without recursion')
})

t.test(
  'property: a value that JSON.stringify wrote has no fault, and its members parse to its parts',
  async (t) => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const scanned = scanJsonStructure(JSON.stringify(value))
        if (!scanned.ok) throw new Error(scanned.message)
        t.same(Object.keys(value).sort(), [...scanned.members.keys()].sort())
        for (const [key, text] of scanned.members)
          t.same(JSON.parse(text), JSON.parse(JSON.stringify(value[key])))
      }),
      { numRuns: 200 },
    )
  },
)
