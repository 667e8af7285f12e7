import { changesTo, contractOf, type Mutant } from './mutant.js'

const LADDERS = ['test/http/ladders.test.ts']
const DECISIONS = ['test/http/ladder-decisions.test.ts']
const REQUESTS = ['test/http/ladder-requests.test.ts']

export const ladderMutants: readonly Mutant[] = [
  ...changesTo('src/store/queries/ladders.ts', contractOf('ladder', 'ladderLog'), [
    [
      'the pointer leaves generations out',
      'const follows = before?.generation === live.generation - 1',
      'const follows = true',
    ],
    [
      'a state may be followed twice',
      'if (inserted.length === 0) throw new LadderMoved(`${version} has changed meanwhile`)',
      '',
    ],
  ]),
  ...changesTo('src/store/queries/ladder-episodes.ts', DECISIONS, [
    [
      'held-out episodes are summed up',
      ".where('e.split', '=', 'selection')\n  const counts",
      '\n  const counts',
    ],
  ]),
  ...changesTo('src/store/queries/ladder-comparisons.ts', LADDERS, [
    [
      'a late cap voids nothing on one side',
      "(${cappedLate('c', 'a')} or ${cappedLate('c', 'b')})",
      "(${cappedLate('c', 'b')})",
    ],
  ]),
  ...changesTo('src/operations/ladders/change.ts', LADDERS, [
    ['the pointer is not moved', 'await writer.writeLive(name, live)', ''],
    ['what did not pass is forgotten', 'await writeNewChecks(writer, name, decisions.checks, now)', ''],
  ]),
  ...changesTo('src/operations/ladders/episodes.ts', REQUESTS, [
    ['a cap is taken back by a retry', '|| repeatsFirst(before, score)', ''],
    ['other content is a duplicate', '} else if (!sameButScore(before, one)) {', '} else if (false) {'],
  ]),
  ...changesTo('src/operations/ladders/comparisons.ts', REQUESTS, [
    ['a second result is taken', 'if (isNew) await writer.writeResult', 'await writer.writeResult'],
  ]),
  ...changesTo('src/operations/ladders/evidence.ts', DECISIONS, [
    ['the drift of every commit counts', 'runs.filter((run) => run.commitSha === commitSha)', 'runs'],
    [
      'the oldest run counts',
      'const byTime = compareCodePoints(one.createdAt, other.createdAt)',
      'const byTime = compareCodePoints(other.createdAt, one.createdAt)',
    ],
  ]),
  ...changesTo('src/operations/revocations.ts', DECISIONS, [
    [
      'a revocation evaluates no ladder',
      "'trust revoked',\n  )\n  await evaluateWatchers(gatehouse, caller, document.run_ids)",
      "'trust revoked',\n  )",
    ],
  ]),
]
