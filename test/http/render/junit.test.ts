import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import t from 'tap'
import type { VerdictDocument } from '../../../src/documents/verdict.js'
import { renderJunit } from '../../../src/http/render/junit.js'
import { needs } from '../../support/requires.js'
import { checkDocument, HOSTILE_NAMES, verdictDocument } from '../../support/verdict-document.js'

const mixed = verdictDocument([
  checkDocument(),
  checkDocument({
    metric_key: 'b',
    step: -1,
    at_step: 7,
    status: 'fail',
    fails_ci: true,
    reason: 'too high',
  }),
  checkDocument({ metric_key: 'c', status: 'fail', enforce: false, reason: 'not enforced' }),
  checkDocument({
    metric_key: 'd',
    step: null,
    status: 'error',
    fails_ci: true,
    value: null,
    baseline: null,
  }),
  checkDocument({ metric_key: 'e', step: -2, status: 'inactive', reason: 'cold start' }),
  checkDocument({
    metric_key: 'f',
    status: 'error',
    enforce: false,
    value: null,
    baseline: null,
    reason: 'gone',
  }),
])

t.test('a case a check; only what fails CI is a failure or an error', async (t) => {
  const text = renderJunit(mixed)
  t.match(text, 'tests="6" failures="1" errors="1" skipped="1"')
  t.match(
    text,
    'classname="tests/e2e/test_ppo.py [cuda, stage-c-8-gpu-h100]" name="train/ppo_kl [step 0]" time="0"/>',
  )
  t.match(
    text,
    /name="b \[last\]" time="0"><failure type="constraint" message="too high">value 0.011, [^<]*<\/failure>/,
  )
  t.match(
    text,
    /name="c \[step 0\]" time="0"><system-out>fail, which does not fail CI: not enforced<\/system-out>/,
  )
  t.match(text, /name="d" time="0"><error type="error" message="ok">/)
  t.match(text, /name="e \[mean\]" time="0"><skipped message="cold start"\/>/)
  t.match(text, /name="f \[step 0\]" time="0"><system-out>error, which does not fail CI: gone<\/system-out>/)
  t.equal(text.match(/<failure /g)?.length, 1)
  t.equal(text.match(/<error /g)?.length, 1)
})

t.test('what XML cannot carry is replaced, the rest escaped', async (t) => {
  const metricKey = 'a<b>&"\'\u0001\ufffe\ud800\n'
  const text = renderJunit(verdictDocument([checkDocument({ metric_key: metricKey })]))
  t.match(text, 'name="a&#60;b&#62;&#38;&#34;&#39;\ufffd\ufffd\ufffd&#10; [step 0]"')
})

const READ_XML = `
import json, sys, xml.etree.ElementTree as ET
out = []
for document in json.load(sys.stdin):
    root = ET.fromstring(document.encode("utf-8"))
    suite = root.find("testsuite")
    cases = [[c.get("classname"), c.get("name"), [child.tag for child in c]] for c in suite.findall("testcase")]
    out.append({"tests": suite.get("tests"), "skipped": suite.get("skipped"), "cases": cases})
print(json.dumps(out))
`

interface ParsedSuite {
  tests: string
  skipped: string
  cases: Array<[classname: string, name: string, children: string[]]>
}

function parse(verdicts: readonly VerdictDocument[]): ParsedSuite[] {
  const input = JSON.stringify(verdicts.map(renderJunit))
  const { stdout, stderr, status } = spawnSync('python3', ['-c', READ_XML], { input, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as ParsedSuite[]
}

t.test('a real parser reads it', { skip: needs('python3') }, async (t) => {
  const noise = fc.sample(fc.string({ unit: 'binary', maxLength: 60 }), 200)
  const names = [...HOSTILE_NAMES, ...noise, 'lone \ud800 surrogate', '\udfff']
  const hostile = names.map((name) =>
    verdictDocument(
      [
        checkDocument({ metric_key: name, status: 'fail', fails_ci: true, reason: name }),
        checkDocument({ metric_key: name, status: 'fail', reason: name }),
        checkDocument({ metric_key: name, status: 'inactive', reason: name }),
      ],
      {
        series: { test_path: name, backend: name, suite: name },
        warnings: [{ metric_key: name, message: name, missing_steps: null }],
      },
    ),
  )
  const [suite, empty, ...others] = parse([mixed, verdictDocument([]), ...hostile])
  t.same(
    suite!.cases.map(([, , children]) => children),
    [[], ['failure'], ['system-out'], ['error'], ['skipped'], ['system-out']],
  )
  t.same(empty, { tests: '0', skipped: '0', cases: [] })
  t.equal(others.length, names.length)
  for (const [i, { cases }] of others.entries()) {
    const carried = names[i]!.replace(/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    t.equal(cases[0]![1], `${carried} [step 0]`)
  }
})
