import { Readable } from 'node:stream'
import t from 'tap'
import { closingLine, reportTap } from '../../scripts/report-tap.js'

async function report(tap: string) {
  const lines: string[] = []
  const counts = await reportTap(Readable.from([tap]), (line) => lines.push(line))
  return { closing: closingLine(counts), text: lines.join('\n') }
}

const PASSING = `TAP version 14
# Subtest: build/test/a.test.js
    # Subtest: outer
        ok 1 - inner
        ok 2 - other
        1..2
    ok 1 - outer
    ok 2 - alone
    1..2
ok 1 - build/test/a.test.js # time=12.3ms
1..1
`

t.test('assertions are counted, not the subtests around them', async (t) => {
  const { closing, text } = await report(PASSING)
  t.equal(closing, '3 passed, 0 failed')
  t.equal(text, 'ok    build/test/a.test.js (12 ms)')
})

t.test('a failure is printed with its diagnostics, a skip with its reason', async (t) => {
  const { closing, text } = await report(`TAP version 14
# Subtest: build/test/a.test.js
    # Subtest: outer
        not ok 1 - inner
          ---
          diff: |
            -1
            +2
          ...
        ok 2 - pooled # SKIP needs pgbouncer
        1..2
    not ok 1 - outer
    1..1
not ok 1 - build/test/a.test.js
1..1
`)
  t.equal(closing, '0 passed, 1 failed, 1 skipped')
  t.match(text, 'FAIL  build/test/a.test.js')
  t.match(text, 'not ok: outer > inner')
  t.match(text, '-1')
  t.match(text, 'skipped: needs pgbouncer (outer > pooled)')
})

t.test('a file without tests has failed', async (t) => {
  const { closing, text } = await report(`TAP version 14
# Subtest: build/test/none.test.js
    1..0 # no tests found
ok 1 - build/test/none.test.js # SKIP no tests found
1..1
`)
  t.equal(closing, '0 passed, 1 failed')
  t.match(text, 'no tests in this file')
})

t.test('a file that ends badly after good tests has failed', async (t) => {
  const { closing, text } = await report(`TAP version 14
# Subtest: build/test/a.test.js
    ok 1 - fine
    1..1
not ok 1 - build/test/a.test.js
  ---
  exitCode: 1
  ...
1..1
`)
  t.equal(closing, '1 passed, 1 failed')
  t.match(text, 'exitCode: 1')
})

t.test('a run that is cut off, and one without tests, have failed', async (t) => {
  t.match((await report(PASSING.replace('1..1\n', ''))).closing, / 1 failed$/)
  t.equal((await report('TAP version 14\n1..0\n')).closing, '0 passed, 1 failed')
})
