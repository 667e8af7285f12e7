import t from 'tap'
import { readRecordParts } from '../../src/gate/record.js'
import { readVectors } from '../support/vectors.js'

interface Row {
  name: string
  parts: string[]
  expected: { merged?: Record<string, Array<[number | null, number]>>; refused?: unknown }
}

for (const { name, parts, expected } of readVectors<Row>('merge')) {
  t.test(name, async (t) => {
    const merged = readRecordParts(parts.map((part) => Buffer.from(part)))
    if (expected.refused) return t.notOk(merged.ok, 'the record is refused')
    if (!merged.ok) return t.fail(JSON.stringify(merged.faults))
    return t.strictSame(
      [...merged.value].map(([metric, { points }]) => [metric, points]),
      Object.entries(expected.merged!),
    )
  })
}
