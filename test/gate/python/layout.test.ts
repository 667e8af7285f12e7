import t from 'tap'
import { MAX_BRACKET_DEPTH, scanLayout } from '../../../src/gate/python/layout.js'

/** The lines of column zero, each by its first three characters. */
function lines(text: string): string[] {
  return scanLayout(text).columnZero.map((offset) => text.slice(offset, offset + 3))
}

t.test('logical lines of column zero', async (t) => {
  t.strictSame(lines('aaa\n bbb\n\n# c\nddd # e\n'), ['aaa', 'ddd'])
  t.strictSame(lines('aaa(\nb,\n)\nccc'), ['aaa', 'ccc'])
  t.strictSame(lines('aaa \\\nbbb\nccc'), ['aaa', 'ccc'])
  t.strictSame(lines('aaa = """\nbbb\n"""\nccc'), ['aaa', 'ccc'])
  t.strictSame(lines('aaa = r"\\"\nccc'), ['aaa', 'ccc'], 'a raw string ends at its quote')
  t.strictSame(lines("aaa = '\\\nb'\nccc"), ['aaa', 'ccc'])
  t.strictSame(lines('   \fccc'), ['ccc'], 'a form feed sets the column back')
  t.strictSame(lines('\\\nccc'), ['ccc'])
  t.strictSame(lines('  \\\nccc'), [], 'the first backslash keeps its column')
  t.strictSame(lines('\\\n  ccc'), [])
})

t.test('template strings', async (t) => {
  t.strictSame(lines('aaa = f"{(1,\n2)}"\nccc'), ['aaa', 'ccc'])
  t.strictSame(lines('aaa = f"{{"\nccc'), ['aaa', 'ccc'])
  t.strictSame(lines('aaa = f"{x:{y}>(}"\nccc'), ['aaa', 'ccc'], 'a format holds no brackets')
  t.strictSame(lines('aaa = f"{x["(" + f"{y!r:(}"]}"\nccc'), ['aaa', 'ccc'], 'quotes may nest')
  t.strictSame(lines('aaa = f"\\N{BULLET}(\\{x}"\nccc'), ['aaa', 'ccc'])
  t.strictSame(lines("aaa = RF\"\\{x}\" Tr'''{\n}\n('''\nccc"), ['aaa', 'ccc'])
  t.strictSame(lines('aaa = "{("\nccc'), ['aaa', 'ccc'])
  t.strictSame(lines('aaa = f"{x:("\nccc'), ['aaa', 'ccc'], 'an unfinished field ends with its string')
})

t.test('comments', async (t) => {
  const comments = (text: string) => scanLayout(text).comments.map(([start, end]) => text.slice(start, end))
  t.strictSame(comments('# a\nx = "#" # b\n(# c\n)\n"""\n# d"""#e'), ['# a', '# b', '# c', '#e'])
})

t.test('nesting counts code alone', async (t) => {
  const nested = (depth: number) => `x = ${'('.repeat(depth)}${')'.repeat(depth)}\n`
  t.equal(scanLayout(nested(MAX_BRACKET_DEPTH)).tooDeepAt, null)
  t.equal(scanLayout(nested(MAX_BRACKET_DEPTH + 1)).tooDeepAt, 'x = '.length + MAX_BRACKET_DEPTH)
  t.equal(scanLayout(nested(10).repeat(100)).tooDeepAt, null)
  for (const text of [
    `# ${'('.repeat(300)}`,
    `"${'['.repeat(300)}"`,
    `'''\n${'{'.repeat(300)}'''`,
    `f"{x:${'('.repeat(300)}}"`,
  ]) {
    t.equal(scanLayout(text).tooDeepAt, null, text.slice(0, 8))
  }
  t.not(scanLayout(`"" ${'['.repeat(300)}`).tooDeepAt, null)
  t.not(scanLayout(`f"${'{('.repeat(150)}`).tooDeepAt, null)
})

t.test('brackets left open', async (t) => {
  t.equal(scanLayout('a(b[c]\n').unclosedAt, 1)
  t.equal(scanLayout('a(b[c])\n').unclosedAt, null)
})

t.test('returns to an indentation that is not there', async (t) => {
  t.equal(scanLayout('if a:\n  b\n  c\nd\nif e:\n\tf\n        g\n').misindentedAt, null)
  t.equal(scanLayout('if a:\n    b\n  c\n').misindentedAt, 14)
  t.equal(scanLayout('if a:\n    b\n\\\n  c\n').misindentedAt, 16)
})
