import t from 'tap'
import { execForm, parseDockerfile } from '../../scripts/parse-dockerfile.js'

t.test('stages, flags, comments and lines that go on', async (t) => {
  const stages = parseDockerfile(`# a comment
FROM node:20 AS build
COPY --from=other --chown=1:2 /a ./b
RUN one \\
  # in between
  && two
from node:20-slim
CMD ["node", "x.js"]
`)
  t.match(stages, [
    { base: 'node:20', name: 'build' },
    { base: 'node:20-slim', name: null },
  ])
  const [copy, run] = stages[0]!.instructions
  t.match(copy, { line: 3, name: 'COPY', text: '/a ./b' })
  t.same(Object.fromEntries(copy!.flags), { from: 'other', chown: '1:2' })
  t.match(run, { line: 4, name: 'RUN', text: 'one && two' })
  t.same(execForm(stages[1]!.instructions[0]!), ['node', 'x.js'])
})

t.test('what the rehearsal could not carry out is refused', async (t) => {
  t.throws(() => parseDockerfile('RUN x'), /before any FROM/)
  t.throws(() => parseDockerfile('FROM x\nRUN y \\'), /backslash/)
  const [stage] = parseDockerfile('FROM x\nCMD node server.js')
  t.throws(() => execForm(stage!.instructions[0]!), /wants the form/)
})
