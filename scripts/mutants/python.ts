import { changesTo, type Mutant } from './mutant.js'

const READER = ['test/gate/python/load.test.ts', 'test/gate/python/vectors.test.ts']

export const pythonMutants: readonly Mutant[] = [
  ...changesTo('src/gate/python/declaration.ts', READER, [
    ['a repeated keyword passes', 'if (earlier !== undefined)', 'if (false)'],
    [
      'an unread argument is left out',
      "literal ?? { kind: 'unread', where }",
      "literal ?? { kind: 'none', where }",
    ],
  ]),
  ...changesTo('src/gate/python/number-literal.ts', READER, [
    ['a float may overflow', 'if (Number.isFinite(value)) return', 'if (true) return'],
  ]),
  ...changesTo('src/gate/python/layout.ts', READER, [
    ['brackets nest without end', 'MAX_BRACKET_DEPTH = 200', 'MAX_BRACKET_DEPTH = 200_000'],
  ]),
  ...changesTo('src/gate/python/gate-calls.ts', READER, [
    ['another function declares gates', "GATE_NAME = 'register_ci_gate'", "GATE_NAME = 'register_cuda_ci'"],
  ]),
]
