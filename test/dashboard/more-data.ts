/** Evals, ladders and revocations, made through the API as jobs make them; names may be hostile. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { ComparisonDocument } from '../../src/documents/evals-comparison.js'
import type { GridDocument } from '../../src/documents/evals-grid.js'
import { CAPPED, LadderClient, seededJudge } from '../support/ladder-client.js'
import type { Server } from '../support/server.js'
import { ask } from './support.js'

/** What no page may take for its own: markup, another direction of writing, a name of an object's own. */
export const HOSTILE = '<img src=x onerror=alert(1)>'
export const REVERSED = 'evil‮gnp.exe'
export const LONG = 'long-'.repeat(102)

/** Calls a server as the tests of the API call one without a socket. */
function caller(server: Server) {
  return async (options: InjectOptions | string): Promise<LightMyRequestResponse> => {
    const { method = 'GET', url: path, payload } = typeof options === 'string' ? { url: options } : options
    const answer = await fetch(`${server.url}${path as string}`, {
      method,
      ...(payload !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payload),
      }),
    })
    const body = await answer.text()
    const read = { statusCode: answer.status, body, json: () => JSON.parse(body) as unknown }
    return read as unknown as LightMyRequestResponse
  }
}

function post<T>(server: Server, path: string, body: object): Promise<T> {
  return ask<T>(server, path, { method: 'POST', body })
}

export const MISSING = { task: 'sort-numbers-23', harness: 'docker', repeat: 2 }

/** Some tasks, three harnesses, three repeats; one cell has no row, others failed in their ways. */
export async function makeGrid(server: Server): Promise<GridDocument> {
  const tasks = [
    ...Array.from({ length: 37 }, (_, n) => `sort-numbers-${String(n + 1).padStart(2, '0')}`),
    HOSTILE,
    REVERSED,
    '__proto__',
    LONG,
  ]
  const harnesses = ['docker', 'local', 'remote sandbox']
  const results = tasks.flatMap((task, t) =>
    harnesses.flatMap((harness, h) =>
      [1, 2, 3]
        .filter((repeat) => task !== MISSING.task || harness !== MISSING.harness || repeat !== MISSING.repeat)
        .map((repeat) => {
          const place = t * 9 + h * 3 + repeat
          const error = place % 67 === 0 ? 'the sandbox died before the verifier could answer' : null
          const reward = place % 89 === 0 ? 'NaN' : place % 7 === 0 ? 0 : 1
          return {
            task,
            harness,
            repeat,
            reward: error === null ? reward : null,
            error,
            metrics: { seconds: place },
          }
        }),
    ),
  )
  results.push({ ...results[4]! }, { ...results[0]!, task: 'nobody-planned-this' })
  return post(server, '/v1/evals/grids', {
    name: 'nightly coding',
    plan: { tasks, harnesses, repeats: 3 },
    reward_range: { min: 0, max: 1 },
    results,
  })
}

export async function makeCompleteGrid(server: Server): Promise<GridDocument> {
  return post(server, '/v1/evals/grids', {
    name: 'smoke',
    plan: { tasks: ['add', 'sort'], harnesses: ['docker'], repeats: 2 },
    results: ['add', 'sort'].flatMap((task) =>
      [1, 2].map((repeat) => ({ task, harness: 'docker', repeat, reward: 1 })),
    ),
  })
}

/** A run of questions whose scores lie about 7, lowered by `drop` for those that it names. */
function evalRun(questions: number, drop: (n: number) => number) {
  return {
    answer_model: { provider: 'acme', model: 'm-1' },
    judge: { kind: 'single', provider: 'acme', model: 'j-1' },
    questions: Array.from({ length: questions }, (_, n) => ({
      question_id: n === 3 ? HOSTILE : `question-${String(n + 1).padStart(3, '0')}`,
      context_score: Number((7 + ((n * 7) % 11) / 10 - drop(n)).toFixed(2)),
      baseline_score: 4,
    })),
  }
}

export interface Comparisons {
  readonly inconclusive: ComparisonDocument
  readonly regression: ComparisonDocument
  readonly pass: ComparisonDocument
  readonly incomparable: ComparisonDocument
}

export async function makeComparisons(server: Server): Promise<Comparisons> {
  const put = (name: string, body: object) =>
    ask(server, `/v1/evals/runs/${encodeURIComponent(name)}`, { method: 'PUT', body })
  await put(
    'main',
    evalRun(60, () => 0),
  )
  await put(
    'uneven',
    evalRun(60, (n) => (n % 6 === 0 ? 2.4 : -0.35)),
  )
  await put(
    'worse',
    evalRun(60, (n) => 0.8 + (n % 5) / 10),
  )
  await put(
    'alike',
    evalRun(60, (n) => ((n % 3) - 1) / 50),
  )
  const compare = (current: object, gates: object) =>
    post<ComparisonDocument>(server, '/v1/evals/comparisons', {
      baseline: { name: 'main' },
      current,
      gates,
    })
  return {
    inconclusive: await compare({ name: 'uneven' }, { max_context_drop: 0.2, max_lift_drop: 1.5 }),
    pass: await compare({ name: 'alike' }, { max_context_drop: 0.2 }),
    regression: await compare({ name: 'worse' }, { max_context_drop: 0.2, max_lift_drop: 0.2 }),
    incomparable: await compare(
      evalRun(40, () => 0),
      { max_context_drop: 0.2 },
    ),
  }
}

/** A version becomes live, one is given up, one is in trial, one waits, and one breaks the core. */
export async function makeLadder(server: Server, name = 'summarizer'): Promise<LadderClient> {
  const ladder = new LadderClient(caller(server), name)
  await ladder.create({ resource_budget: { memory_mib: 2_048 } })
  const climbs = async (version: string, live: string, rate: number, seed: number, most: number) => {
    await ladder.register(version, {
      parents: [live],
      facts: { validated: true, sandbox_clean: true, resource_profile: { memory_mib: 512 } },
    })
    await ladder.toTrial(version)
    const judge = seededJudge(version, rate, seed)
    for (let n = 0; n < most; n++) {
      const taken = await ladder.round(`${version}-${n}`, [version, live], judge)
      if (taken === null || taken.test?.decision !== 'continue') return
    }
  }
  await climbs('v2', 'v1', 0.78, 7, 80)
  await climbs('v3', 'v2', 0.42, 11, 80)
  await climbs('v4', 'v2', 0.6, 5, 9)
  await ladder.register('v5', { parents: ['v2'], facts: { validated: false, sandbox_clean: true } })
  await ladder.register(HOSTILE, { parents: ['v2'] })
  await ladder.episodes({ variant: HOSTILE, score: CAPPED })
  return ladder
}

/** The other test, and the other mode. */
export async function makeTournament(server: Server): Promise<LadderClient> {
  const ladder = new LadderClient(caller(server), 'router')
  await ladder.create({ mode: 'tournament', test: { kind: 'sprt' } })
  for (const version of ['a1', 'a2']) await ladder.register(version)
  const judge = seededJudge('a1', 0.75, 3)
  for (let n = 0; n < 14; n++) await ladder.round(`g${n}`, ['v1', 'a1', 'a2'], judge)
  return ladder
}

/** Whose name, and whose versions' names, are no names that a page would choose. */
export async function makeHostileLadder(server: Server): Promise<LadderClient> {
  const ladder = new LadderClient(caller(server), HOSTILE)
  await ladder.create({}, REVERSED)
  await ladder.register('__proto__', { parents: [REVERSED] })
  await ladder.register('v'.repeat(256), { parents: [REVERSED, '__proto__'] })
  return ladder
}
