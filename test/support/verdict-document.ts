import type { CheckDocument, VerdictDocument } from '../../src/documents/verdict.js'

/** A passing check with a full baseline, and what a test wants otherwise. */
export function checkDocument(changes: Partial<CheckDocument> = {}): CheckDocument {
  return {
    metric_key: 'train/ppo_kl',
    step: 0,
    at_step: 0,
    status: 'pass',
    value: 0.011,
    baseline: { n: 20, mean: 0.01, std: 0.0004, lower: -0.0095, upper: 0.0305, runs: null },
    limit: null,
    enforce: true,
    insufficient_history: false,
    fails_ci: false,
    steps_key: '"all"',
    constraint_key: '{"rel_down":0.8}',
    reason: 'ok',
    ...changes,
  }
}

/** A verdict over these checks, with counts, trust and outcome that follow from them. */
export function verdictDocument(
  checks: readonly CheckDocument[],
  changes: Partial<VerdictDocument> = {},
): VerdictDocument {
  const count = (status: CheckDocument['status']) => checks.filter((check) => check.status === status).length
  const failingCi = checks.filter((check) => check.fails_ci).length
  return {
    verdict_id: '01936f0c-0000-7000-8000-000000000001',
    created_at: '2026-11-30T18:00:00.123456Z',
    series: { test_path: 'tests/e2e/test_ppo.py', backend: 'cuda', suite: 'stage-c-8-gpu-h100' },
    provenance: {
      commit_sha: '0123456789abcdef0123456789abcdef01234567',
      pr_number: null,
      github_run_id: 19876543210,
      github_run_attempt: 1,
      event_name: 'schedule',
      ref: 'refs/heads/main',
    },
    claims: null,
    cadence: 'nightly',
    run_id: '01936f0c-0000-7000-8000-000000000002',
    trusted: count('fail') + count('error') === 0,
    outcome: failingCi > 0 ? 'fail' : 'pass',
    counts: {
      checks: checks.length,
      pass: count('pass'),
      fail: count('fail'),
      error: count('error'),
      inactive: count('inactive'),
      insufficient_history: checks.filter((check) => check.insufficient_history).length,
      failing_ci: failingCi,
    },
    evidence: { runs: [] },
    undeclared_metrics: [],
    warnings: [],
    checks: [...checks],
    ...changes,
  }
}

/** Names that try to be something else than a name. */
export const HOSTILE_NAMES: readonly string[] = [
  'a|b|c',
  'a\\|b',
  '`code` ``` `',
  'two\nlines\r\n| x | y |',
  '<img src=x onerror=alert(1)>',
  '</details></code><script>alert(1)</script>',
  '@octocat and @acme/admins',
  'someone@example.com',
  '[text](https://example.com) ![x](https://example.com/x.png)',
  'https://example.com www.example.com mailto:x@example.com',
  '**bold** _em_ ~~gone~~ $\\alpha$ :tada: #1',
  'left\u202eright\u200f\u2066\u200b',
  '\u0001\u001b[31m\u007f\u0085\ufffe\ufeff.',
  '&lt;b&gt; &amp; ]]>',
  '__proto__',
  'x'.repeat(512),
  '\u{1f600}'.repeat(512),
  '\u0007'.repeat(512),
]
