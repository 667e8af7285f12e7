import fc from 'fast-check'
import t from 'tap'
import { normalizeTimestamp } from '../../src/gate/timestamp.js'

t.test('one form: UTC, six decimals', (t) => {
  const cases: ReadonlyArray<readonly [string, string | null]> = [
    ['2026-11-30T18:00:00Z', '2026-11-30T18:00:00.000000Z'],
    ['2026-11-30t18:00:00z', '2026-11-30T18:00:00.000000Z'],
    ['2026-11-30T18:00:00.123456+02:00', '2026-11-30T16:00:00.123456Z'],
    ['2026-01-01T00:30:00.5+01:00', '2025-12-31T23:30:00.500000Z'],
    ['2026-12-31T23:59:59-00:01', '2027-01-01T00:00:59.000000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
    ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000000Z'],
    // Beyond the microsecond both bounds round up.
    ['2026-11-30T18:00:00.1234560001Z', '2026-11-30T18:00:00.123457Z'],
    ['2026-11-30T18:00:00.1234560000Z', '2026-11-30T18:00:00.123456Z'],
    ['2026-12-31T23:59:59.9999999Z', '2027-01-01T00:00:00.000000Z'],
    ['2026-02-29T00:00:00Z', null],
    ['2026-02-30T00:00:00Z', null],
    ['2026-13-01T00:00:00Z', null],
    ['2026-00-01T00:00:00Z', null],
    ['2026-01-00T00:00:00Z', null],
    ['2026-01-01T24:00:00Z', null],
    ['2026-01-01T23:60:00Z', null],
    ['2016-12-31T23:59:60Z', null],
    ['2026-01-01T00:00:00+24:00', null],
    ['2026-01-01T00:00:00+01:60', null],
    ['2026-01-01T00:00:00', null],
    ['2026-01-01', null],
    ['2026-01-01T00:00:00.Z', null],
    ['0001-01-01T00:00:00+01:00', null],
    ['9999-12-31T23:59:59-01:00', null],
    [' 2026-01-01T00:00:00Z', null],
    ['', null],
  ]
  for (const [text, expected] of cases) t.equal(normalizeTimestamp(text), expected, text)
  t.end()
})

t.test('agrees with Date to the millisecond, and is its own normal form', (t) => {
  const offset = fc.tuple(
    fc.constantFrom('+', '-'),
    fc.integer({ min: 0, max: 23 }),
    fc.integer({ min: 0, max: 59 }),
  )
  const two = (number: number) => String(number).padStart(2, '0')
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('0002-01-01T00:00:00Z'),
        max: new Date('9998-12-31T00:00:00Z'),
        noInvalidDate: true,
      }),
      offset,
      (date, [sign, hours, minutes]) => {
        const text = `${date.toISOString().slice(0, -1)}${sign}${two(hours)}:${two(minutes)}`
        const normal = normalizeTimestamp(text)
        return (
          normal !== null &&
          Date.parse(normal) === date.getTime() - (sign === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000 &&
          normalizeTimestamp(normal) === normal
        )
      },
    ),
  )
  t.end()
})
