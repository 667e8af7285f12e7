import fc from 'fast-check'
import t from 'tap'
import { utf8Text } from '../../src/gate/decode.js'

const decoded = (decode: (bytes: Uint8Array) => string, bytes: Uint8Array) => {
  try {
    return decode(bytes)
  } catch (error) {
    return (error as Error).name
  }
}

t.test('bytes are the text that a decoder makes of them, wherever they lie', async () => {
  const ascii = fc.uint8Array({ max: 127 })
  const text = fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text))
  const bytes = fc.oneof(ascii, text, fc.uint8Array(), fc.constant(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)))
  fc.assert(
    fc.property(bytes, fc.nat(5), (bytes, before) => {
      const within = Buffer.concat([Buffer.alloc(before, 'x'), bytes, Buffer.from('y')])
      const own = within.subarray(before, before + bytes.length)
      const expected = decoded((all) => new TextDecoder('utf-8', { fatal: true }).decode(all), own)
      return decoded(utf8Text, own) === expected
    }),
    { numRuns: 1_000 },
  )
})
