import fc from 'fast-check'
import t from 'tap'
import { splitLines } from '../../src/exchange/lines.js'
import { cutsOf, refusal } from './support.js'

async function linesOf(chunks: Iterable<Uint8Array>, maximum?: number): Promise<string[]> {
  const lines: string[] = []
  for await (const { number, raw } of splitLines(chunks, maximum)) {
    lines.push(`${number}:${Buffer.from(raw).toString('latin1')}`)
  }
  return lines
}

t.test('only a line feed ends a line, and the last one needs none', async (t) => {
  t.strictSame(await linesOf([Buffer.from('a\r\n\n\rb\u2028c\nd')]), [
    '1:a\r\n',
    '2:\n',
    '3:\rb\xe2\x80\xa8c\n',
    '4:d',
  ])
  t.strictSame(await linesOf([]), [])
  t.strictSame(await linesOf([Buffer.from(''), Buffer.from('a\n'), Buffer.from('')]), ['1:a\n'])
})

t.test('property: how the bytes are cut plays no part', async (t) => {
  const bytes = fc
    .array(fc.constantFrom(0x0a, 0x0d, 0x41, 0xc3, 0xa9), { maxLength: 60 })
    .map((units) => Uint8Array.from(units))
  await fc.assert(
    fc.asyncProperty(
      bytes.chain((whole) => fc.tuple(fc.constant(whole), cutsOf(whole))),
      async ([whole, chunks]) => {
        const expected = await linesOf([whole])
        t.strictSame(await linesOf(chunks), expected)
        t.equal(
          expected.map((line) => line.slice(line.indexOf(':') + 1)).join(''),
          Buffer.from(whole).toString('latin1'),
        )
      },
    ),
  )
})

t.test('a line beyond the limit is refused as soon as it is, wherever it is cut', async (t) => {
  const long = Buffer.from(`ok\n${'x'.repeat(20)}`)
  t.strictSame(await linesOf([Buffer.from('x'.repeat(9) + '\n')], 10), [`1:${'x'.repeat(9)}\n`])
  for (const size of [1, 3, 100]) {
    let pulled = 0
    function* chunks() {
      for (let i = 0; i < long.length; i += size, pulled++) yield long.subarray(i, i + size)
      throw new Error('read on')
    }
    t.match(await refusal(linesOf(chunks(), 10)), [/^line 2: is longer than 10 bytes/])
  }
})
