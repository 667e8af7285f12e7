import { changesTo, type Mutant } from './mutant.js'

export const policyMutants: readonly Mutant[] = [
  ...changesTo(
    'src/policy/cadence.ts',
    ['test/policy/cadence.test.ts'],
    [
      ['facts win over the name', 'if (facts.cadence !== null) return accepted(facts.cadence)', ''],
      ['a schedule on any ref writes', 'facts.ref !== null && policy.baselineRefs.has(facts.ref)', 'true'],
      [
        'an unmapped cron is regular',
        'if (cadence === undefined) {',
        "if (cadence === undefined) return accepted('regular')\n    if (false) {",
      ],
      ['a label works on any event', "facts.eventName === 'pull_request' && facts.labels", 'facts.labels'],
      ['a release writes history', "cadence === 'nightly' || cadence === 'weekly'", "cadence !== 'regular'"],
      ['a weekly run writes nothing', " || cadence === 'weekly'", ''],
    ],
  ),
  ...changesTo(
    'src/auth/open-mode.ts',
    ['test/auth/open-mode.test.ts'],
    [
      ['any host is answered', 'host === undefined || !LOOPBACK_AUTHORITY.test(host)', 'host === undefined'],
      ['a proxy may publish it', 'if (forwarded !== undefined)', 'if (false)'],
      ['a foreign page may ask', 'origin !== undefined && !isOwnOrigin(origin, host)', 'false'],
      ['a cross-site request passes', "includes('cross-site')", "includes('never')"],
      [
        'every address is loopback',
        "return host === 'localhost'",
        "return host !== '' || host === 'localhost'",
      ],
    ],
  ),
]
