/** Generates Python files around gate calls, the same ones every time: sound ones, odd ones, and broken ones. */

/** A small seeded generator (mulberry32), so that a failure can be run again. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
}

const STRINGS = [
  '"m"', "'train/loss'", '"""a\nb"""', "'''it's'''", 'r"\\d\\n"', 'R\'\\\'\'', 'u"x"', '"\\x6d\\155\\u006d\\U0000006d"',
  '"\\N{BULLET}\\N{latin small letter a}"', '"a\\\nb"', '"\\q\\8\\400"', '"é😀\u2028"', '"\\0"', '"\\ud800"', '"tab\there"',
  '""', '"a" "b"', '("a"\n  # why\n  \'b\')', '"a" \\\n "b"', '"\\"\'"', "r'''\\'''", '"#"', '"\\a\\b\\f\\v\\r\\\\"', '"\x7f\x0b"',
] // prettier-ignore

const NUMBERS = [
  '0', '00', '1', '-1', '- 1', '-(1)', '(-1)', '1_000', '0x1F', '0X_1f', '0o17', '0b1_0', '-0', '-0.0', '1.', '.5', '1e5', '1E-7',
  '1_0.2_5e1_0', '5e-324', '1.7976931348623157e308', '1e400', '123456789012345678901234567890', '0.1', '1e16', '1e22', '00.5', '09.5',
  '1e0', '-1.5e+3', '9007199254740993', '0xffffffffffffffffffff', '1.0', '1e-5', '0_0', '00e1',
] // prettier-ignore

const ODD = [
  'x', 'f()', 'a.b', 'a[0]', 'f"m"', 'f"{x}"', '"a" f"b"', 'b"m"', 'b"a" b"b"', '1j', '-1j', '(1,)', '()', '{1}', '...', '[*a]', '{**a}', '{}', '[]',
  '[i for i in a]', '{i: 1 for i in a}', '(i for i in a)', '(x := 1)', '1 if x else 2', '+1', '~1', '--1', '-True', '-"a"', 'not 1', '1 + 1',
  '"a" + "b"', '"a" % 1', '1 < 2', 'a and b', 'lambda: 1', '{1: 2}', '{None: 1}', '{b"a": 1}', '{"a" "b": 1}', '{("a"): (1)}', 'None.x', '1 .real', '"a".b',
  '"a"[0]', '-1 ** 2', '{"a": 1, "a": 2}', '(yield)', 'await x', '01', '1__0', '0x', '1_', '"\\x1"', '"\\u12"', '"\\N{no such}"', 'Ｔrue', '"', "'''",
] // prettier-ignore

const NAMES = [
  'metric_key',
  'steps',
  'constraint',
  'hard_ref',
  'enforce',
  'x',
  'match',
  'print',
  'ｓteps',
  'π',
  '_',
] as const

const CALLEES = [
  'register_ci_gate', 'register_ci_gate', 'register_ci_gate', 'register_ci_gate ', '(register_ci_gate)', '((register_ci_gate))', 'ｒegister_ci_gate',
  '𝐫egister_ci_gate', 'register_ci_gate\\\n', 'rеgister_ci_gate', 'x.register_ci_gate', 'register_ci_gate()', 'register_ci_gates', 'await register_ci_gate',
] // prettier-ignore

/** Files with `@` where the call goes. */
const FRAMES = [
  '@', '@', '@\n', '@;\n', '@; @\n', 'x = 1; @; y = 2\n', '(@)\n', '((@))\n', '(\n@\n)\n', '@,\n', '[@]\n', 'x = @\n', '-@\n', '@ if a else b\n', 'a or @\n',
  'if x: @\n', 'if x: pass; @\n', 'if x: pass\n@\n', 'if x:\n    @\n', 'if x:\n    pass\n@\n', 'if x:\n    pass\nelse:\n    @\n@\n', 'def f():\n  @\n@\n',
  'class A:\n\t@\n@\n', 'async def f():\n    await x\n    @\n', 'with a as b:\n  @\n', 'try:\n  @\nexcept A:\n  pass\nfinally:\n  @\n@\n', 'for x in y: @\nelse: @\n',
  'while x:\n  pass\n@\n', '\f@\n', 'if x:\n  pass\n\f@\n', 'if x:\n  pass\n  \f@\n', '\\\n@\n', 'x\\\n;@\n', 'if x:\n    pass\n\\\n@\n', 'if x:\n    pass\n\\\n    @\n',
  'if x:\n    pass\n    \\\n@\n', '  @\n', '# c\n@ # c\n# c', '"""\n@\n"""\n', "x = '@'\n", '@\n\n\n', 'lambda: @\n', 'return\n@\n', 'yield @\n', '@decorator\ndef f(): pass\n@',
  'import a\nfrom b import (c,\n d)\n@\n', 'match x:\n  case 1:\n    @\n  case _: pass\n@\n', 'x = [\n1,\n]\n@\n', 'x = {"a": [1, (2)]}; @\n', '@\r\n@\r', '\ufeff@\n',
  '# -*- coding: utf-8 -*-\n@\n', '# coding=latin-1\n@\n', '\n# vim: set fileencoding=utf8 :\n@', '#\n#\n# coding: ascii\n@', 'x\n# coding: ascii\n@', '# coding: UTF_8\n@',
  'print (@)\n', 'print\n@\n', 'x = """a\n@""" \n@', 'break\n@\n', 'nonlocal x\n@\n', 'def f(a, a): pass\n@\n', 'f(a=1, a=2)\n@\n', '*a = 1\n@\n', 'x: int = 1\n@\n',
  'global x; @\n', 'if x:\n  if y:\n    @\n  @\n@\n', '@ # a\\\n@\n', 'x = 1 \\\n  + 2\n@\n', 'assert x, (\n"a")\n@\n', '@\nif x:\n  pass\n# c\n  # c\n@\n', "'''a''' '''\n@'''\n@",
  '@\\\n\n@\n', '\t\n@\n', ' \f \n@\n', '@\n\x1a', '@\n\0', 'f"{x}"\n@\n', "f'{x!r:>{y}}' \"@\"\n@\n", 'f"""\n{x:\n}"""\n@\n', 'rf"\\{x}"; @\n', 'f"{{"; @\n', 'f"\\N{BULLET}{x}"; @\n',
] // prettier-ignore

const MUTATIONS = [
  '(', ')', '[', ']', '{', '}', ',', ';', ':', '=', '\n', '\\', '\\\n', '"', "'", '"""', '#', ' ', '\t', '\f', '*', '**', '.', '-', '1', 'x', 'b', 'f', 'r', 'u', '_', ' if ', ' else ',
  ' for ', ' in ', '@', '\r', '\u00a0', '\ufeff', '\u2028', '0', 'e', 'j', 'None', 'not ', '~', 'é', '\\N', '\n  ', '!', '|',
] // prettier-ignore

function literal(dice: Dice, depth: number): string {
  const kind = dice.below(depth > 2 ? 7 : 10)
  if (kind < 3) return dice.pick(STRINGS)
  if (kind < 6) return dice.pick(NUMBERS)
  if (kind === 6) return dice.pick(['True', 'False', 'None', '(True)', '(None)'])
  if (kind === 7) return `(${dice.pick(['', ' ', '\n', '#c\n'])}${literal(dice, depth + 1)})`
  const items = Array.from({ length: dice.below(4) }, () => literal(dice, depth + 1))
  const comma = items.length > 0 ? dice.pick(['', ',', ', # end\n']) : ''
  if (kind === 8) return `[${items.join(dice.pick([', ', ',', ',\n\t']))}${comma}]`
  return `{${items.map((item) => `${dice.pick(STRINGS)}: ${item}`).join(', ')}${comma}}`
}

function call(dice: Dice): string {
  const given = Array.from({ length: dice.below(4) }, () => {
    const value = dice.below(12) === 0 ? dice.pick(ODD) : literal(dice, 0)
    const form = dice.below(60)
    if (form === 0) return value
    if (form === 1) return dice.pick(['*a', '**a', '*["m"]', '**{"a": 1}', 'x for x in y'])
    return `${dice.pick(NAMES)}${dice.pick(['=', ' = ', '=\\\n', '= '])}${value}`
  })
  return `${dice.pick(CALLEES)}(${given.join(dice.pick([', ', ',\n    ', ',  # c\n']))}${dice.pick(['', '', ',', '\n'])})`
}

/** One file; every other one is broken in one to three places. */
export function pythonFile(dice: Dice): string {
  let text = dice.pick(FRAMES).replaceAll('@', () => call(dice))
  for (let mutations = Math.max(0, dice.below(8) - 4); mutations > 0; mutations--) {
    const at = dice.below(text.length + 1)
    const kind = dice.below(4)
    const cut = kind === 0 ? 0 : 1 + dice.below(3)
    const inserted = kind === 1 ? '' : kind === 2 ? text.slice(at, at + cut).repeat(2) : dice.pick(MUTATIONS)
    text = text.slice(0, at) + inserted + text.slice(at + cut)
  }
  return text
}
