import t from 'tap'
import { type Literal, type RawDeclaration, canonicalKey } from '../../../src/gate/literal.js'
import { loadPythonReader } from '../../../src/gate/python/load.js'

const readPythonSource = await loadPythonReader()
const GATE = 'register_ci_gate(metric_key="m")'

function declarations(source: string): readonly RawDeclaration[] {
  const outcome = readPythonSource(Buffer.from(source))
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.faults)}`)
  return outcome.value
}

function lines(source: string): (number | null)[] {
  return declarations(source).map(({ line }) => line)
}

function faults(source: string): string[] {
  const outcome = readPythonSource(Buffer.from(source))
  return outcome.ok ? [] : outcome.faults.map(({ where, message }) => `${where} ${message}`)
}

function value(written: string): Literal {
  const field = declarations(`register_ci_gate(x=${written})`)[0]?.fields[0]
  if (!field) throw new Error('no field')
  return field.value
}

t.test('a declaration tells where everything stands', async (t) => {
  const source =
    '\n(\nregister_ci_gate)(\n  metric_key=(\n"m"),\n  constraint={"rel_up": 1,\n   "rel_down": [-2.0, None]},\n)\n'
  t.strictSame(declarations(source), [
    {
      line: 2,
      where: 'test_file:2',
      fields: [
        {
          key: 'metric_key',
          where: 'test_file:4',
          value: { kind: 'string', value: 'm', where: 'test_file:5' },
        },
        {
          key: 'constraint',
          where: 'test_file:6',
          value: {
            kind: 'dict',
            where: 'test_file:6',
            entries: [
              {
                key: 'rel_up',
                where: 'test_file:6',
                value: { kind: 'int', value: 1n, where: 'test_file:6' },
              },
              {
                key: 'rel_down',
                where: 'test_file:7',
                value: {
                  kind: 'list',
                  where: 'test_file:7',
                  items: [
                    { kind: 'float', value: -2, where: 'test_file:7' },
                    { kind: 'none', where: 'test_file:7' },
                  ],
                },
              },
            ],
          },
        },
      ],
    },
  ])
})

t.test('which statements declare a gate', async (t) => {
  for (const one of [
    GATE,
    `(${GATE})`,
    `((${GATE}))`,
    `(register_ci_gate)(metric_key="m")`,
    `x = 1; ${GATE}; y = 2;`,
    `\\\n${GATE}`,
    `\f${GATE}`,
    `   \f${GATE}`,
    `register_ci_gate\\\n  (metric_key="m")`,
    `ｒegister_ci_gate(ｍetric_key="m")`,
    `𝐫egister_ci_gate(metric_key="m")`,
    `if x:\n  pass\n${GATE}`,
    `if x:\n  pass\n\f${GATE}`,
    `def f(): pass\n${GATE}`,
    `print\n${GATE}`,
    `return\n${GATE}`,
    `"""${GATE}"""; ${GATE}`,
    `x = "😀" * 2; ${GATE}`,
  ]) {
    const found = declarations(one)
    t.equal(found.length, 1, one)
    t.match(found[0]?.fields, [{ key: 'metric_key', value: { kind: 'string', value: 'm' } }], one)
  }
})

t.test('which do not', async (t) => {
  for (const none of [
    '',
    '\f\n\t\n# c',
    `# ${GATE}`,
    `'''\n${GATE}\n'''`,
    `x = '${GATE}'`,
    `${GATE},`,
    `${GATE}()`,
    `${GATE}.x`,
    `[${GATE}]`,
    `-${GATE}`,
    `await ${GATE}`,
    `x = ${GATE}`,
    `x: int = ${GATE}`,
    `(x := ${GATE})`,
    `${GATE} if a else b`,
    `lambda: ${GATE}`,
    `a.${GATE}`,
    `if True: pass; ${GATE}`,
    `if x: ${GATE}`,
    `if x:\n  pass\n  ${GATE}`,
    `if x:\n    pass\n\\\n    ${GATE}`,
    `if x:\n    pass\n    \\\n${GATE}`,
    `def f():\n\t${GATE}`,
    `class A: ${GATE}`,
    `@${GATE}\ndef f(): pass`,
    `for x in y: pass\nelse: ${GATE}`,
    `match x:\n  case 1: ${GATE}`,
    `rеgister_ci_gate(metric_key="m")`,
    `register_ci_gates(metric_key="m")`,
    `*${GATE}`,
    `* 1\n${GATE}()`,
  ]) {
    t.strictSame(declarations(none), [], none)
  }
})

t.test('lines count as Python counts them', async (t) => {
  t.strictSame(lines(`\r\n\r${GATE}\n${GATE}; ${GATE}`), [3, 4, 4])
  t.strictSame(lines(`"\u2028\x0b\x0c"\n${GATE}`), [2])
  t.strictSame(lines(`x = "${'😀'.repeat(20_000)}"\n${GATE}`), [2], 'far behind astral characters')
})

t.test('literals', async (t) => {
  const cases: [string, string][] = [
    ['"a" \'b\' """c"""', '"abc"'],
    ['("a"\n  # why\n  "b" \\\n  "c")', '"abc"'],
    [
      '"\\N{BULLET}\\N{latin small letter a}\\N{LF}\\N{QUOTATION MARK}\\N{REVERSE SOLIDUS}"',
      '"\\u2022a\\n\\"\\\\"',
    ],
    ['"a\\0b"', '"a\\u0000b"'],
    ['-1', '-1'],
    ['- (1)', '-1'],
    ['(-0.0)', '-0.0'],
    ['[True, False, None, [], {},]', '[true,false,null,[],{}]'],
    ['{"b": 1, ("a"): 2, "a" "": 3}', '{"a":2,"a":3,"b":1}'],
    [`${'('.repeat(199)}1${')'.repeat(199)}`, '1'],
    [`${'['.repeat(199)}${']'.repeat(199)}`, '['.repeat(199) + ']'.repeat(199)],
  ]
  for (const [written, key] of cases) t.equal(canonicalKey(value(written)), key, written.slice(0, 60))
})

t.test('what is no literal is named with line, argument and reason', async (t) => {
  const cases: [string, string, RegExp][] = [
    ['x', 'x', /the name x is no literal/],
    ['f(1)', 'x', /a call is no literal/],
    ['a.b', 'x', /an attribute/],
    ['a[0]', 'x', /a subscript/],
    ['1 + 1', 'x', /an expression/],
    ['a and b', 'x', /an expression/],
    ['not a', 'x', /an expression/],
    ['1 < 2', 'x', /a comparison/],
    ['1 if a else 2', 'x', /a conditional expression/],
    ['lambda: 1', 'x', /a lambda/],
    ['(yield)', 'x', /a yield/],
    ['await a', 'x', /an await/],
    ['(y := 1)', 'x', /an assignment/],
    ['[i for i in a]', 'x', /a comprehension/],
    ['{i: 1 for i in a}', 'x', /a comprehension/],
    ['{i for i in a}', 'x', /a comprehension/],
    ['(i for i in a)', 'x', /a generator/],
    ['(1,)', 'x', /a tuple.*write a list/],
    ['{1}', 'x', /a set.*write a list/],
    ['...', 'x', /\.\.\. is not taken/],
    ['1j', 'x', /complex/],
    ['+0.5', 'x', /\+0\.5 is no literal; a number may have one minus sign/],
    ['--1', 'x', /--1 is no literal/],
    ['-True', 'x', /-True is no literal/],
    ['~1', 'x', /~1 is no literal/],
    ['f"a"', 'x', /an f-string/],
    ['"a" f"b"', 'x', /an f-string/],
    ['t"a"', 'x', /a t-string/],
    ['b"a"', 'x', /bytes/],
    ['"\\ud800"', 'x', /surrogate/],
    ['[1, *a]', 'x[1]', /a starred item/],
    ['{**a}', 'x', /unpacking/],
    ['{1: 2}', 'x', /a key of a dict must be a plain string/],
    ['{"a": {"b": [y]}}', 'x["a"]["b"][0]', /the name y/],
    ['1e999', 'x', /too large/],
    [`1${'0'.repeat(4300)}`, 'x', /more than 4300/],
  ]
  for (const [written, path, reason] of cases) {
    const [found = '', ...others] = faults(`\nregister_ci_gate(\n  x=\\\n${written})`)
    t.ok(found.startsWith(`test_file:4 argument ${path}: `), found)
    t.match(found, reason)
    t.strictSame(others, [])
  }
})

t.test('arguments go by name, once', async (t) => {
  t.match(faults('register_ci_gate("m")'), [/^test_file:1 argument 1 has no name; .*metric_key=/])
  t.match(faults('register_ci_gate(x=1,\n*a)'), [/^test_file:2 argument \*: /])
  t.match(faults('register_ci_gate(x=1,\n**a)'), [/^test_file:2 argument \*\*: /])
  t.match(faults('register_ci_gate(x for x in y)'), [/argument 1 has no name/])
  t.match(faults('register_ci_gate(x=1,\nｘ=2)'), [
    /^test_file:2 argument x: given twice \(first at test_file:1\)/,
  ])
})

t.test('all faults are told, up to a hundred', async (t) => {
  t.match(faults('register_ci_gate(a, x=b,\ny=[c, 1, d])\nregister_ci_gate(z=e)'), [
    /^test_file:1 argument 1 has/,
    /^test_file:1 argument x: the name b/,
    /^test_file:2 argument y\[0\]: the name c/,
    /^test_file:2 argument y\[2\]: the name d/,
    /^test_file:3 argument z: the name e/,
  ])
  t.equal(faults('register_ci_gate(a)\n'.repeat(500)).length, 100)
})

t.test('syntax errors', async (t) => {
  const cases: [string, RegExp][] = [
    [`${GATE}\ndef f(:\n  pass`, /^test_file:2 syntax error: /],
    [`# é\n${GATE}\n# ü\nx = = 1 # ö`, /^test_file:4 syntax error: /],
    [`\nregister_ci_gate(x=[1\n\n\n`, /^test_file:2 syntax error: \[ is never closed/],
    [`x = '''\n`, /^test_file:1 syntax error: /],
    [`${GATE}\n  x = 1`, /^test_file:2 syntax error: /],
    [`if x:\n    pass\n\\\n  ${GATE}`, /^test_file:3 syntax error: /],
    [
      `if x:\n \t  pass\n\\\n    ${GATE}`,
      /^test_file:4 syntax error: the line is indented like no line around it/,
    ],
    [`x = "\\N{nonsense}"`, /^test_file:1 syntax error: a string holds a malformed escape/],
    ['# ruff: noqa\n# flake8: noqa\nx = = 1  # noqa', /^test_file:3 syntax error: /],
    ['# fmt: off\n# ruff: disable[invalid-syntax]\nx = = 1  # type: ignore', /^test_file:3 syntax error: /],
    ['\nprint "x"', /^test_file:2 syntax error: /],
    ['x = \u00a01', /^test_file:1 syntax error: /],
  ]
  for (const [source, fault] of cases) t.match(faults(source), [fault], source)
})

t.test('what only the compiler refuses is no syntax error', async (t) => {
  for (const source of [
    'return 1',
    'break',
    'yield',
    'await x',
    'nonlocal x',
    'def f(a, a): pass',
    'f(a=1, a=1)',
    '*a = 1',
    '__debug__ = 1',
    'from __future__ import nonsense',
    'match x:\n  case a: pass\n  case b: pass',
    '# é\n*a = 1  # ü ö ä',
  ]) {
    t.strictSame(lines(`${source}\n${GATE}`), [source.split('\n').length + 1], source)
  }
})

t.test('syntax of the newest Python', async (t) => {
  for (const source of [
    'type X[T = int] = list[T]',
    'def f[T = int](x): pass',
    'class A[*T = *int]: pass',
    'x = t"{y}"',
    "x = f'{a['b']}'",
    'try: pass\nexcept A, B: pass',
    'lazy import a',
    'x = {**a for a in b}',
  ]) {
    t.strictSame(lines(`${GATE}\n${source}\n${GATE}`), [1, source.split('\n').length + 2], source)
  }
})

t.test('a gate beside syntax that the tree has no notion of is never lost', async (t) => {
  t.match(faults(`type X[T = int] = T; ${GATE}`), [
    /^test_file:1 register_ci_gate is mentioned in a statement/,
  ])
  t.match(faults(`\nlazy import a; ${GATE}`), [/^test_file:2 register_ci_gate is mentioned in a statement/])
  t.strictSame(lines(`def f[T = int]():\n  ${GATE}\n${GATE}`), [3])
})

t.test('nesting', async (t) => {
  t.match(faults(`\nx = ${'('.repeat(201)}${')'.repeat(201)}`), [
    /^test_file:2 brackets are nested more than 200 levels/,
  ])
  t.match(faults('('.repeat(100_000)), [/nested/])
  t.strictSame(lines(`x = ${'['.repeat(200)}${']'.repeat(200)}\n# ${'('.repeat(300)}\n${GATE}`), [3])
})

t.test('memory stays flat', async (t) => {
  const file = Buffer.from(`${GATE}\n`.repeat(40) + '*a = 1\n')
  const broken = Buffer.from(`${GATE}\n`.repeat(40) + 'register_ci_gate(x=\n')
  const externalAfter = (times: number) => {
    for (let i = 0; i < times; i++) {
      readPythonSource(file)
      readPythonSource(broken)
    }
    // WebAssembly's memory counts as external.
    return process.memoryUsage().external / 2 ** 20
  }
  const before = externalAfter(50)
  const grown = externalAfter(500) - before
  t.ok(grown < 4, `${grown.toFixed(1)} MiB more after 1,000 files`)
})

t.test('an argument that cannot be read stands as unread, beside its fault', async (t) => {
  const outcome = readPythonSource(
    Buffer.from(
      'register_ci_gate(metric_key=KEY, steps="last")\nregister_ci_gate(metric_key="b", enforce=1)\n',
    ),
  )
  t.match(outcome, {
    ok: false,
    faults: [{ where: 'test_file:1', message: /metric_key/ }],
    partial: [
      {
        fields: [
          { key: 'metric_key', value: { kind: 'unread' } },
          { key: 'steps', value: { kind: 'string' } },
        ],
      },
      { fields: [{ key: 'metric_key', value: { kind: 'string', value: 'b' } }, { value: { kind: 'int' } }] },
    ],
  })
})

t.test('what looks like a gate and declares none is told with its line', async (t) => {
  const told = (source: string) => {
    const outcome = readPythonSource(Buffer.from(source))
    return outcome.ok ? (outcome.ignored ?? []).map(({ where }) => where) : ['refused']
  }
  const call = 'register_ci_gate(metric_key="m")'
  t.same(told(`${GATE}\n(${GATE})\n`), [], 'gates are none of them')
  t.same(told(`# ${call}\ns = '${call}'\n`), [], 'nor are comments and strings')
  t.same(
    told(
      `if True:\n    ${call}\ndef f():\n    ${call}\nclass C:\n    ${call}\nci.${call}\nx = ${call}\n(${call},)\n`,
    ),
    ['test_file:2', 'test_file:4', 'test_file:6', 'test_file:7', 'test_file:8', 'test_file:9'],
  )
  t.same(
    told('ci.\\\n  regiﬆer_ci_gate(metric_key="m")\n'),
    ['test_file:1'],
    'names are compared as Python does',
  )
  t.same(told(`${GATE}\nother(${call})\n`), ['test_file:2'])
  t.equal(told(`ci.${call}\n`.repeat(300)).length, 100)
})
