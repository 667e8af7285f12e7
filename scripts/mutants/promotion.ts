import { changesTo, type Mutant } from './mutant.js'

const test = (name: string) => `test/promotion/${name}.test.ts`
const PAIRWISE = [test('pairwise')]
const ROLLBACK = [test('rollback')]
const TOURNAMENT = [test('tournament')]
const FACTS = [test('fact-predicates')]
const CAPPED = [test('capped-exclusion')]

export const promotionMutants: readonly Mutant[] = [
  ...changesTo(
    'src/promotion/episode.ts',
    [test('episode')],
    [['held-out episodes are evidence', 'episodes.filter(isSelection)', 'episodes.filter(() => true)']],
  ),
  ...changesTo(
    'src/promotion/score.ts',
    [...ROLLBACK, ...CAPPED],
    [
      [
        'a low score is a violation',
        "score.kind === 'capped'",
        "score.kind === 'capped' || score.value <= 0",
      ],
      ['nothing is capped', "return score.kind === 'capped'", 'return false'],
    ],
  ),
  ...changesTo(
    'src/promotion/comparison.ts',
    [test('comparison'), test('evidence'), ...CAPPED],
    [
      [
        'the winner is always a',
        "comparison[winner].variant === variant ? 'win'",
        "a.variant === variant ? 'win'",
      ],
      ['voided ones count', '!comparison.voided && !capped', '!capped'],
      ['a capped side a counts', '!capped.has(comparison.a.episodeId) && ', ''],
      ['a capped side b counts', ' && !capped.has(comparison.b.episodeId)', ''],
      ['voided again each time', '!comparison.voided && !isStanding', '!isStanding'],
      ['a second result is stored', "comparison.winner === winner ? 'same' : 'different'", "'store'"],
    ],
  ),
  ...changesTo(
    'src/promotion/bracket.ts',
    [test('bracket'), ...CAPPED],
    [
      ['capped episodes are compared', '.filter(({ score }) => !isCapped(score))', ''],
      ['the live one meets itself', 'versions.filter((version) => version !== live)', 'versions'],
      ['a tournament is pairwise', "mode === 'pairwise'\n", 'true\n'],
      ['rows decide the order', '|| compareText(left.episodeId, right.episodeId)', ''],
    ],
  ),
  ...changesTo(
    'src/promotion/evidence.ts',
    [test('evidence'), ...PAIRWISE],
    [
      ['evidence of other generations', 'generation !== live.generation || ', ''],
      ['evidence against anybody', '(a.variant !== live.version && b.variant !== live.version)', 'false'],
      ['rows decide the order of results', '.sort((left, right) => left.sequence! - right.sequence!)', ''],
      ['capped comparisons stand', ' && isStanding(comparison, capped)', ''],
      ['every episode is one of shadow', "rung === 'shadow'", 'rung !== null'],
      ['whoever was verified passed', 'verifierPassed === true', 'verifierPassed !== null'],
    ],
  ),
  ...changesTo('src/promotion/fact-predicates.ts', FACTS, [
    ['unknown is validated', 'facts.validated === true', 'facts.validated !== false'],
    ['unknown is clean', 'facts.sandboxClean === true', 'facts.sandboxClean !== false'],
    ['undeclared fits', 'need !== null && need <= limit', 'need === null || need <= limit'],
    ['inherited keys count', 'Object.hasOwn(declared, dimension)', 'dimension in declared'],
    ['one dimension is enough', 'dimensions.every', 'dimensions.some'],
    ['one series is enough', 'series.every(({ clean }) => clean)', 'series.some(({ clean }) => clean)'],
    ['a revoked run is clean', ' && run.trusted', ''],
    ['a failed run is clean', " && run.outcome === 'pass'", ''],
    ['no run is clean', 'run !== null && run.trusted &&', 'run === null || run.trusted &&'],
    ['any backend will do', 'series.backend === wanted.backend &&', ''],
  ]),
  ...changesTo(
    'src/promotion/evidence-predicates.ts',
    [...PAIRWISE, ...ROLLBACK, ...TOURNAMENT],
    [
      ['a violation passes', 'passed: capped.length === 0', 'passed: true'],
      ['one shadow episode is enough', 'shadowEpisodes >= required', 'shadowEpisodes >= 1'],
      ['an undecided test promotes', "test.decision === 'accept' && sinceEntry", 'sinceEntry'],
      ['trial without a result', "'accept' && sinceEntry > 0", "'accept'"],
      ['nobody is given up', "test.decision !== 'reject'", 'true'],
      ['an undecided test rejects', "test.decision !== 'reject'", "test.decision === 'accept'"],
      ['exactly the margin rolls back', 'passRateMargin + 1e-9', 'passRateMargin'],
      ['any fall rolls back', 'fall <= passRateMargin', 'fall <= 0'],
      ['few own episodes will do', 'own.n >= minVerified && ', ''],
      ['few of the other will do', ' && other.n >= minVerified', ' && other.n > 0'],
      ['the live one competes with itself', ': predecessorOf(ladder, variant.version)', ': variant'],
      ['an interval around zero beats', 'lead.lower > 0', 'lead.lower > -1'],
      ['no interval beats', 'lead.lower !== null && ', 'lead.lower === null || '],
      ['unknown costs are within', 'mean !== null && mean <= budget', 'mean === null || mean <= budget'],
      ['the budget is exclusive', 'mean <= budget', 'mean < budget'],
      ['sustained looks at all groups', '.slice(-required)', '.slice(0)'],
      ['fewer groups sustain', 'byGroup.size >= required && ', ''],
      ['even sustains', 'wins > losses,', 'wins >= losses,'],
      ['results of earlier rungs count', 'sequence > variant.since.sequence && ', ''],
      ['an error is a result of the rung', " && standing !== 'error'", ''],
    ],
  ),
  ...changesTo(
    'src/promotion/traffic-predicates.ts',
    [...PAIRWISE, ...TOURNAMENT, test('override')],
    [
      ['two in trial', 'passed: inTrial === undefined', 'passed: true'],
      ['the ramp is blocked', ' + keptFree <= SLOTS', ' <= SLOTS'],
      ['the rung stays when the live version changes', 'since.generation === ladder.live.generation', 'true'],
      ['who was lowered goes up', "placed !== 'lowered'", 'true'],
    ],
  ),
  ...changesTo(
    'src/promotion/criteria.ts',
    [...PAIRWISE, ...TOURNAMENT, ...FACTS],
    [
      [
        'pairwise swaps without the test',
        '? sequentialTestAccepts(context, variant)\n',
        '? minShadowEpisodes(context, variant)\n',
      ],
      ['the swap ignores drift', '    driftClean(context, variant),\n', ''],
      ['the ramp is free of cost', '      costWithinBudget(context, variant),\n', ''],
      [
        'the ramp needs no test',
        '      sequentialTestAccepts(context, variant),\n      ...held',
        '      ...held',
      ],
      ['both steps at once', 'rampStep === 0 ? []', 'rampStep !== null ? []'],
      ['canary without a lead', '      beatsCurrent(context, variant),\n', ''],
      ['the trial slot is not asked for', '      trialSlotFree(context, variant),\n', ''],
      ['one step of the ramp', 'step < config.rampShares.length', 'step < 1'],
    ],
  ),
  ...changesTo(
    'src/promotion/moves.ts',
    [...ROLLBACK, ...TOURNAMENT, ...FACTS],
    [
      [
        'superseded ones are never rolled back',
        "variant.rung === 'rolled_back' || variant",
        "variant.rung === 'superseded' || variant.rung === 'rolled_back' || variant",
      ],
      ['an alarm each time', 'if (capped.length <= live.alarmedCaps) return null', ''],
      ['one alarm in all', 'capped.length <= live.alarmedCaps', 'live.alarmedCaps > 0'],
      ['no capped live version', '  rollBackCappedLive,\n', ''],
      ['no pass rates', '  rollBackByPassRate,\n', ''],
      [
        'the live one has no pass rate',
        "!isChallenger(variant) && variant.rung !== 'current'",
        '!isChallenger(variant)',
      ],
      ['canaries stay', '  startAnew,\n', ''],
      ['shadow is never lost', '  loseShadow,\n', ''],
      ['futility rejects nobody', '  reject,\n', ''],
      ['the ramp restarts', 'rampStep: target.rampStep }', 'rampStep: 0 }'],
    ],
  ),
  ...changesTo(
    'src/promotion/transition.ts',
    [...ROLLBACK, ...PAIRWISE, ...TOURNAMENT],
    [
      ['the generation stays', 'live.generation + 1', 'live.generation'],
      ['the swap forgets the predecessor', 'predecessor: old.version, slots', 'slots'],
      [
        'the old one stays current',
        "enter(old, 'superseded', live, occasion)",
        "enter(old, 'current', live, occasion)",
      ],
      ['the winner keeps its slots', 'predecessor: old.version, slots: []', 'predecessor: old.version'],
      ['alarms are forgotten', 'alarmedCaps: capped.length', 'alarmedCaps: live.alarmedCaps'],
      ['the entry is not remembered', 'sequence: evidence.sequence', 'sequence: 0'],
    ],
  ),
  ...changesTo(
    'src/promotion/ladder.ts',
    [test('ladder'), ...ROLLBACK],
    [
      [
        'rolled-back ones are restored',
        "if (variant.rung !== 'rolled_back') return variant",
        'return variant',
      ],
      [
        'an id comes back',
        "if (findVariant(ladder, registration.version)) return { ok: false, why: 'known_version' }",
        '',
      ],
      ['parents may be unknown', 'unknown.length > 0', 'false'],
    ],
  ),
  ...changesTo(
    'src/promotion/override.ts',
    [test('override')],
    [
      ['past a core violation', "toRung === 'current' && capped.length > 0", 'false'],
      ['two in trial by hand', "toRung === 'trial' && inTrial !== undefined", 'false'],
      ['down by any number', 'to === at - 1', 'to < at'],
      ['up by any number', 'if (to === at + 1)', 'if (to > at)'],
      ['back from an end', 'if (at === -1) return null', ''],
      [
        'the pointer may be empty',
        "variant.rung === 'current' && predecessorOf",
        "variant.rung === 'shadow' && predecessorOf",
      ],
      [
        'rules undo a person',
        'const placed = { ...variantOf(applied.ladder, version), placed: step.placed }',
        'const placed = variantOf(applied.ladder, version)',
      ],
    ],
  ),
  ...changesTo(
    'src/promotion/shares.ts',
    [test('shares'), ...TOURNAMENT],
    [
      ['nothing is kept free', 'Math.max(0, slotsOfShare(config.rampShares.at(-1)!) - most)', '0'],
      ['the first step for all', 'config.rampShares[rampStep ?? 0]!', 'config.rampShares[0]!'],
    ],
  ),
  ...changesTo('src/promotion/reports.ts', CAPPED, [
    ['strengths of what is voided', 'gatherEvidence(view).comparisons', 'view.comparisons'],
  ]),
]
