/** Drives a ladder over HTTP, as a CI job, a judge and a router do. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type {
  EpisodesTakenDocument,
  LadderDocument,
  LiveDocument,
  RegisteredDocument,
  TransitionDocument,
  VariantDocument,
} from '../../src/documents/ladder.js'
import type {
  BracketDocument,
  EvaluationDocument,
  LadderTestDocument,
  ResultTakenDocument,
  StrengthsDocument,
} from '../../src/documents/ladder-reports.js'
import type { Winner } from '../../src/promotion/comparison.js'

export const GOOD = { validated: true, sandbox_clean: true }
export const CAPPED = { kind: 'capped', violations: ['deleted a file outside its folder'] }

export type Sent = Readonly<Record<string, unknown>> & { readonly variant: string }
type Call = (options: InjectOptions | string) => Promise<LightMyRequestResponse>
export type Pair = BracketDocument['comparisons'][number]

export class LadderClient {
  #episodes = 0

  constructor(
    readonly call: Call,
    readonly name = 'summarizer',
    readonly prefix = '',
  ) {}

  get url(): string {
    return `/v1/ladders/${encodeURIComponent(this.name)}`
  }

  post(path: string, payload?: object): Promise<LightMyRequestResponse> {
    return this.call({ method: 'POST', url: this.url + path, ...(payload && { payload }) })
  }

  async #expect<T>(status: number, answer: Promise<LightMyRequestResponse>): Promise<T> {
    const response = await answer
    if (response.statusCode === status) return response.json<T>()
    throw new Error(`${response.statusCode} instead of ${status}: ${response.body.slice(0, 500)}`)
  }

  create(config: object = {}, live = 'v1'): Promise<LadderDocument> {
    const payload = { ladder: this.name, live: { version: live }, ...config }
    return this.#expect(201, this.call({ method: 'POST', url: '/v1/ladders', payload }))
  }

  register(version: string, more: object = {}): Promise<RegisteredDocument> {
    return this.#expect(201, this.post('/variants', { version, parents: ['v1'], facts: GOOD, ...more }))
  }

  /** What is not said of an episode is a good one of the split `selection`, with an id of its own. */
  episodes(...sent: readonly Sent[]): Promise<EpisodesTakenDocument> {
    const episodes = sent.map((one) => ({
      episode_id: `${this.prefix}e${String(++this.#episodes).padStart(5, '0')}`,
      group_id: 'alone',
      split: 'selection',
      score: { kind: 'scored', value: 0.5 },
      ...one,
    }))
    return this.#expect(201, this.post('/episodes', { episodes }))
  }

  bracket(groupId: string): Promise<BracketDocument> {
    return this.#expect(201, this.post(`/groups/${encodeURIComponent(groupId)}/bracket`))
  }

  result(comparisonId: string, winner: Winner): Promise<ResultTakenDocument> {
    return this.#expect(200, this.post(`/comparisons/${comparisonId}/result`, { winner }))
  }

  override(variant: string, toRung: string, reason = 'seen by hand'): Promise<LightMyRequestResponse> {
    return this.post('/override', { variant, to_rung: toRung, reason })
  }

  evaluate(): Promise<EvaluationDocument> {
    return this.#expect(200, this.post('/evaluate'))
  }

  get<T>(path = ''): Promise<T> {
    return this.#expect(200, this.call(this.url + path))
  }

  ladder(): Promise<LadderDocument> {
    return this.get()
  }

  live(): Promise<LiveDocument> {
    return this.get('/live')
  }

  variant(version: string): Promise<VariantDocument> {
    return this.get(`/variants/${encodeURIComponent(version)}`)
  }

  test(version: string): Promise<LadderTestDocument> {
    return this.get(`/test?variant=${encodeURIComponent(version)}`)
  }

  strengths(): Promise<StrengthsDocument> {
    return this.get('/strengths')
  }

  /** Oldest first. */
  async transitions(): Promise<TransitionDocument[]> {
    const page = await this.get<{ items: TransitionDocument[] }>('/transitions?limit=1000')
    return page.items.reverse()
  }

  /** One group: an episode of each version, all comparisons, each judged until something moves. */
  async round(
    groupId: string,
    versions: readonly string[],
    judge: (pair: Pair) => Winner,
  ): Promise<ResultTakenDocument | null> {
    await this.episodes(...versions.map((variant) => ({ variant, group_id: groupId })))
    let last: ResultTakenDocument | null = null
    for (const pair of (await this.bracket(groupId)).comparisons) {
      last = await this.result(pair.comparison_id, judge(pair))
    }
    return last
  }

  /** Brings a registered variant into trial: one good shadow episode. */
  async toTrial(version: string): Promise<void> {
    await this.episodes({ variant: version })
    const { rung } = await this.variant(version)
    if (rung !== 'trial') throw new Error(`${version} is on ${rung}`)
  }

  /** Lets a variant in trial win until it is live. */
  async toCurrent(version: string, most = 100): Promise<void> {
    const { version: live } = await this.live()
    for (let n = 0; n < most; n++) {
      const side = (pair: Pair): Winner => (pair.a.variant === version ? 'a' : 'b')
      const taken = await this.round(`${version}-${n}`, [version, live], side)
      if (taken?.live.version === version) return
    }
    throw new Error(`${version} is not live after ${most} wins`)
  }
}

/** A seeded judge, by whom `better` wins with a probability. */
export function seededJudge(better: string, rate: number, seed: number): (pair: Pair) => Winner {
  let state = seed
  return ({ a }) => {
    // Park and Miller's generator: enough to be fair, and the same on every machine.
    state = (state * 48_271) % 2_147_483_647
    const wins = state / 2_147_483_647 < rate
    return (a.variant === better) === wins ? 'a' : 'b'
  }
}
