import t from 'tap'
import { MAX_SOURCE_BYTES, decodeSource } from '../../../src/gate/python/decode.js'

function decode(bytes: string | Uint8Array) {
  const outcome = decodeSource(typeof bytes === 'string' ? Buffer.from(bytes) : bytes)
  return outcome.ok ? outcome.value : outcome.faults
}

t.test('line ends become LF, and one byte order mark is dropped', async (t) => {
  t.equal(decode('a\r\nb\rc\n\r\r\n'), 'a\nb\nc\n\n\n')
  t.equal(decode('\ufeffx'), 'x')
  t.match(decode('\ufeff\ufeffx'), [{ where: 'test_file:1', message: /second byte order mark/ }])
  t.equal(decode(''), '')
  t.equal(decode('a\u2028b\x0bc\x85d'), 'a\u2028b\x0bc\x85d')
})

t.test('what is not UTF-8 is refused with its line', async (t) => {
  const cases: [Uint8Array, string, RegExp][] = [
    [Buffer.from([0x61, 0x0a, 0xff]), 'test_file:2', /byte 0xff at offset 2/],
    [Buffer.from('# \xe9"\n', 'latin1'), 'test_file:1', /byte 0xe9 at offset 2/],
    [Buffer.from('é\r\nx\rabc\xc3', 'latin1'), 'test_file:1', /byte 0xe9 at offset 0/],
    [Buffer.from([0x0d, 0x0a, 0x0d, 0xf0, 0x9f, 0x98]), 'test_file:3', /byte 0xf0 at offset 3/],
    [Buffer.from([0xed, 0xa0, 0x80]), 'test_file:1', /byte 0xed at offset 0/],
    [Buffer.from([0xc0, 0x80]), 'test_file:1', /byte 0xc0 at offset 0/],
  ]
  for (const [bytes, where, message] of cases) t.match(decode(bytes), [{ where, message }])
})

t.test('NUL is refused with its line', async (t) => {
  t.match(decode("a\n\nx = '\0'"), [{ where: 'test_file:3', message: /NUL/ }])
})

t.test('the coding cookie may name UTF-8 only, and only where Python looks for it', async (t) => {
  for (const cookie of ['utf-8', 'UTF8', 'utf_8', 'U8', 'utf-8-sig', 'cp65001']) {
    t.type(decode(`#!/usr/bin/python\r# -*- coding: ${cookie} -*-\n`), 'string', cookie)
  }
  for (const cookie of ['latin-1', 'ascii', 'utf-16', 'utf-8x', 'nonsense']) {
    t.match(
      decode(`# vim: set fileencoding=${cookie} :`),
      [{ where: 'test_file:1', message: /cookie names/ }],
      cookie,
    )
  }
  t.match(decode('\n \t\f# coding:latin-1\n'), [{ where: 'test_file:2', message: /drop the cookie/ }])
  t.type(decode('\n\n# coding: latin-1\n'), 'string', 'third line')
  t.type(decode('x = 1\n# coding: latin-1\n'), 'string', 'after code')
  t.type(decode('x = 1  # coding: latin-1\n'), 'string', 'beside code')
  t.type(decode('# coding latin-1, codings: latin-1\n'), 'string', 'no cookie')
  t.match(
    decode(Buffer.from('# coding: latin-1\n# \xe9', 'latin1')),
    [{ message: /latin-1/ }],
    'comes before the bytes',
  )
  t.type(decode('\ufeff# coding: utf-8\n'), 'string')
  t.match(decode('\ufeff# coding: utf8\n'), [{ message: /beside a byte order mark/ }])
})

t.test('256 KiB are read, a byte more is not', async (t) => {
  t.type(decode('#'.repeat(MAX_SOURCE_BYTES)), 'string')
  t.match(decode('#'.repeat(MAX_SOURCE_BYTES + 1)), [
    { where: 'test_file', message: /262145 bytes.*256 KiB/ },
  ])
})
