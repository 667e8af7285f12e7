import t from 'tap'
import { readJsonLiteral } from '../../src/gate/json-literals.js'
import { readRecordParts } from '../../src/gate/record.js'
import { select } from '../../src/gate/selection.js'
import { readSteps } from '../../src/gate/steps.js'
import { readVectors } from '../support/vectors.js'

interface Row {
  name: string
  record: string
  steps: unknown
  expected: {
    selected?: Array<{ step: number; at_step: number | null; value: number }>
    error?: true
    refused?: true
  }
}

for (const { name, record, steps, expected } of readVectors<Row>('selection')) {
  t.test(name, async (t) => {
    const merged = readRecordParts([Buffer.from(record)])
    if (expected.refused) return t.notOk(merged.ok, 'the record is refused')
    if (!merged.ok) return t.fail(JSON.stringify(merged.faults))
    const literal = readJsonLiteral(JSON.stringify(steps), 'steps')
    if (!literal.ok) return t.fail('the steps are JSON')
    const selection = select(readSteps(literal.value, [])!, merged.value.get('m'))
    if (expected.error) return t.equal(selection.ok, false, 'an error check')
    if (!selection.ok) return t.fail(selection.reason)
    return t.same(
      selection.values.map(({ step, atStep, value }) => ({ step, at_step: atStep, value })),
      expected.selected,
    )
  })
}
