import t from 'tap'
import { readNumberToken } from '../../../src/gate/python/number-literal.js'

t.test('integers', async (t) => {
  const cases: [string, bigint][] = [
    ['0', 0n],
    ['0_0', 0n],
    ['000', 0n],
    ['1_000', 1000n],
    ['0x_1F', 31n],
    ['0O17', 15n],
    ['0b1_0', 2n],
    ['123456789012345678901234567890', 123456789012345678901234567890n],
    ['9'.repeat(4300), 10n ** 4300n - 1n],
    [`0x${'0'.repeat(10_000)}1`, 1n],
  ]
  for (const [token, value] of cases)
    t.strictSame(readNumberToken(token), { kind: 'int', value }, token.slice(0, 40))
})

t.test('floats', async (t) => {
  const cases: [string, number][] = [
    ['1.', 1],
    ['.5', 0.5],
    ['00.5', 0.5],
    ['09e1', 90],
    ['1_0.2_5E-1_0', 10.25e-10],
    ['5e-324', 5e-324],
    ['1e-400', 0],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    [`0.${'1'.repeat(100_000)}`, 0.1111111111111111],
  ]
  for (const [token, value] of cases)
    t.strictSame(readNumberToken(token), { kind: 'float', value }, token.slice(0, 40))
})

t.test('what is not taken', async (t) => {
  t.match(readNumberToken('1e400'), { problem: /too large for a double/ })
  t.match(readNumberToken('1j'), { problem: /complex/ })
  t.match(readNumberToken('1.5e3J'), { problem: /complex/ })
  for (const token of [
    '01',
    '1__0',
    '1_',
    '0x',
    '0xg',
    '0b2',
    '1.e',
    '1e',
    '_1',
    '1L',
    '',
    '1_.5',
    '1._5',
    '-1',
  ])
    t.match(readNumberToken(token), { problem: /./ }, token)
})

t.test('huge integers are refused without delay', async (t) => {
  const started = performance.now()
  for (const token of [
    '9'.repeat(262_000),
    `1${'0'.repeat(4300)}`,
    `0x${'f'.repeat(262_000)}`,
    `0b1${'0'.repeat(14_290)}`,
  ])
    t.match(readNumberToken(token), { problem: /more than 4300 decimal digits/ }, token.slice(0, 10))
  t.ok(performance.now() - started < 500)
})
