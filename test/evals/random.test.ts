import t from 'tap'
import { Random } from '../../src/evals/random.js'

t.test('the sequence is that of the published generator', async (t) => {
  const random = new Random([1, 2, 3, 4])
  const numbers = new Uint32Array(3)
  random.fill(numbers)
  // The first numbers from this seed, as its authors' C code prints them; and number 102,401, as the engine tests of
  // PHP's random extension expect it (bytes fa 3c 87 2c).
  t.same([...numbers], [641, 1573767, 3222811527])
  const later = new Uint32Array(102_401 - 3)
  random.fill(later)
  t.equal(later.at(-1), 0x2c873cfa)
})

t.test('numbers spread over 32 bits', async (t) => {
  const numbers = new Uint32Array(160_000)
  new Random([9, 8, 7, 0xffffffff]).fill(numbers)
  const bins = new Array<number>(16).fill(0)
  for (const number of numbers) bins[Math.floor(number / 2 ** 28)]!++
  // Ten thousand a bin, with a standard deviation of 97.
  for (const count of bins) t.ok(Math.abs(count - 10_000) < 450, String(count))
  t.throws(() => new Random([0, 0, 0, 0]), RangeError)
})
