import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { encodeInTurns } from '../../src/http/encode-in-turns.js'

t.test('what comes out is the UTF-8 of the whole, wherever it is cut', async (t) => {
  const texts = ['', 'a', '😀é😀', ',', 'b😀'.repeat(7), '', '{"\u2028":1}', 'plain text that is long', '😀']
  const whole = Buffer.from(texts.join(''))
  for (let chunk = 1; chunk <= 40; chunk++) {
    const pieces = await encodeInTurns(texts, chunk)
    t.strictSame(Buffer.concat(pieces), whole, `in chunks of ${chunk}`)
    // A pair that would be cut stays whole: one character more, of four bytes in place of one.
    t.ok(
      pieces.every((piece) => piece.length > 0 && piece.length <= 3 * chunk + 4),
      `no piece is larger than a chunk of ${chunk}`,
    )
  }
  t.strictSame(await encodeInTurns([]), [])
})

t.test('timers have their turn between pieces', async (t) => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  t.teardown(() => clearInterval(timer))
  await sleep(5)
  ticks = 0
  const work = encodeInTurns(['x'.repeat(60 * 500_000)], 500_000)
  await work
  t.ok(ticks >= 5, `${ticks} ticks within sixty pieces`)
})
