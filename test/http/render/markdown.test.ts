import fc from 'fast-check'
import t from 'tap'
import type { CheckDocument } from '../../../src/documents/verdict.js'
import { renderMarkdown } from '../../../src/http/render/markdown.js'
import { MAX_MARKDOWN_BYTES } from '../../../src/http/render/markdown-parts.js'
import { checkDocument, HOSTILE_NAMES, verdictDocument } from '../../support/verdict-document.js'

const failing = (changes: Partial<CheckDocument> = {}) =>
  checkDocument({ status: 'fail', fails_ci: true, value: 0.05, reason: 'above the corridor', ...changes })

t.test('the outcome comes first', async (t) => {
  const lines = renderMarkdown(verdictDocument([failing(), checkDocument({ step: 1 })])).split('\n')
  t.equal(lines[0], '## Gatehouse: FAIL')
  const text = lines.join('\n')
  t.match(text, '1 of 2 checks fail CI.')
  t.match(text, '**Trusted:** no')
  t.match(text, '`tests/e2e/test_ppo.py`, backend `cuda`, suite `stage-c-8-gpu-h100`')
  t.match(text, '`0123456789abcdef0123456789abcdef01234567`')
  t.match(text, '**Cadence:** nightly')
  t.match(text, '**Verdict:** `01936f0c-0000-7000-8000-000000000001`')
  t.match(text, '**Run:** `01936f0c-0000-7000-8000-000000000002`')
  t.match(
    text,
    '| fail | **yes** | `train/ppo_kl` | 0 | 0.05 | +400 % | 0.01 | -0.0095 … 0.0305 | 20 | above the corridor |',
  )
  t.match(text, 'Other checks: 1 (1 pass, 0 inactive')
})

t.test('a dry run, and a file without gates', async (t) => {
  const text = renderMarkdown(verdictDocument([], { verdict_id: null, run_id: null }))
  t.match(text, '## Gatehouse: PASS')
  t.match(text, 'No gate is declared.')
  t.match(text, '**Verdict:** none')
  t.match(text, '**Run:** none')
  t.notMatch(text, '|')
})

t.test('those that fail CI first, then the others, then little history', async (t) => {
  const text = renderMarkdown(
    verdictDocument([
      checkDocument({ metric_key: 'm-young', insufficient_history: true }),
      failing({ metric_key: 'm-not-enforced', enforce: false, fails_ci: false }),
      checkDocument({ metric_key: 'm-young-fail', status: 'fail', insufficient_history: true }),
      checkDocument({ metric_key: 'm-broken', status: 'error', fails_ci: true, value: null, baseline: null }),
      failing({ metric_key: 'm-bad' }),
      checkDocument({ metric_key: 'm-fine' }),
      checkDocument({ metric_key: 'm-cold', status: 'inactive' }),
    ]),
  )
  const named = [...text.matchAll(/`(m-[a-z-]+)`/g)].map(([, name]) => name)
  t.same(named, ['m-broken', 'm-bad', 'm-not-enforced', 'm-young-fail', 'm-young'])
  t.match(text, '### Failing and erroring checks (4)')
  t.match(text, '### Passing on too little history (1)')
  t.match(text, 'Other checks: 2 (1 pass, 1 inactive')
})

t.test('warnings and undeclared metrics, bounded', async (t) => {
  const verdict = verdictDocument([checkDocument()], {
    warnings: [
      { metric_key: null, message: 'nothing was compared', missing_steps: null },
      {
        metric_key: 'a|b',
        message: 'steps are missing',
        missing_steps: Array.from({ length: 30 }, (_, i) => i),
      },
    ],
    undeclared_metrics: Array.from({ length: 50_000 }, (_, i) => `${'x'.repeat(500)}${i}`),
  })
  const text = renderMarkdown(verdict)
  t.match(text, '- The run: nothing was compared')
  t.match(text, /- <code>a&#124;b<\/code>: steps are missing \(missing steps: 0, 1, .*, 19 and 10 more\)/)
  t.match(text, 'not judged (50000)')
  t.match(text, /- and 49\d\d\d more/)
})

t.test('a reference of zero shows a difference', async (t) => {
  const baseline = { n: 3, mean: 0, std: 0, lower: 0, upper: 0, runs: null }
  const text = renderMarkdown(verdictDocument([failing({ value: 0.01, baseline })]))
  t.match(text, '| 0.01 | +0.01 | 0 | 0 … 0 |')
  t.notMatch(text, /NaN|Infinity/)
})

/** Every table row must have as many cells as its head, whatever stands in it. */
function tableRows(markdown: string): string[] {
  return markdown.split('\n').filter((line) => line.includes('|'))
}

t.test('hostile names stay in their cell', async (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...HOSTILE_NAMES), fc.string({ unit: 'binary' }), (name, noise) => {
      const checks = [
        failing({ metric_key: name, reason: noise }),
        failing({ metric_key: noise, reason: name }),
      ]
      const text = renderMarkdown(
        verdictDocument(checks, {
          series: { test_path: name, backend: name, suite: noise },
          undeclared_metrics: [name, noise],
          warnings: [{ metric_key: name, message: name, missing_steps: null }],
        }),
      )
      const rows = tableRows(text)
      if (rows.length !== 4) throw new Error(`${rows.length} rows`)
      for (const row of rows) if (row.split('|').length !== 12) throw new Error(row)
      if (/<(?!\/?code>|!-- -->)/.test(text.replace(/`[^`\n]*`/g, ''))) throw new Error(text)
    }),
  )
  t.pass('no name broke out')
})

t.test('a quarter MiB at most, cut at a row, saying how many were left out', async (t) => {
  const worst = '\u0007'.repeat(512)
  const checks = Array.from({ length: 100_000 }, (_, step) =>
    failing({ metric_key: step % 2 ? worst : `m${step}`, step, reason: `${worst}${worst}${worst}` }),
  )
  const verdict = verdictDocument(checks, {
    series: { test_path: worst, backend: worst.slice(0, 128), suite: worst.slice(0, 128) },
    undeclared_metrics: Array.from({ length: 1_000 }, () => worst),
    warnings: Array.from({ length: 1_000 }, () => ({
      metric_key: worst,
      message: worst,
      missing_steps: null,
    })),
  })
  const started = performance.now()
  const text = renderMarkdown(verdict)
  const took = performance.now() - started
  const bytes = Buffer.byteLength(text)
  t.ok(bytes <= MAX_MARKDOWN_BYTES, `${bytes} bytes`)
  t.ok(bytes > MAX_MARKDOWN_BYTES * 0.9, 'the room is used')
  t.ok(took < 2_000, `${Math.round(took)} ms`)
  const rows = tableRows(text).length - 2
  t.match(text, `${100_000 - rows} more rows were left out`)
})

t.test('short rows fill the room with both tables', async (t) => {
  const checks = Array.from({ length: 100_000 }, (_, step) =>
    step < 1_000 ? failing({ step }) : checkDocument({ step, insufficient_history: true }),
  )
  const text = renderMarkdown(verdictDocument(checks))
  t.ok(Buffer.byteLength(text) <= MAX_MARKDOWN_BYTES)
  t.match(text, '### Failing and erroring checks (1000)')
  t.match(text, '### Passing on too little history (99000)')
  t.match(text, /9\d\d\d\d more rows were left out/)
})
