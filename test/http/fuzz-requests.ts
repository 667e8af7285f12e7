/** Hostile requests on the wire, each made from a seed and its number alone. */
import { body, DECLARED, FIELDS, form, record } from './support.js'

export interface FuzzRequest {
  readonly kind: string
  readonly bytes: Buffer
  /**
   * Whether it is one whole HTTP request, so that exactly one answer is due. Of any other the server may say what it
   * likes but a 500, or close.
   */
  readonly isSound: boolean
}

/** mulberry32: small, and the same on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

class Dice {
  readonly #random: () => number
  constructor(seed: number) {
    this.#random = randomFrom(seed)
  }
  /** 0 to `below` - 1. */
  int(below: number): number {
    return Math.floor(this.#random() * below)
  }
  pick<T>(items: readonly T[]): T {
    return items[this.int(items.length)]!
  }
  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.int(256)))
  }
}

const TOKENS = [
  'NaN',
  '-Infinity',
  '1e999',
  '-0',
  '1E-400',
  '9'.repeat(400),
  `0.${'1'.repeat(400)}`,
  '9007199254740993',
  '"\\ud800"',
  '"\\u0000"',
  '"__proto__"',
  '"constructor"',
  'null',
  'true',
  '[[',
  ']}',
  '{"a":{"a":{"a":1}}}',
  '"',
  '\\',
  '\ufeff',
  '\r\n--',
  "'None'",
]
const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  ' ',
  'a\u0000',
  '\ud800',
  '😀',
  'x'.repeat(600),
]
const MEMBERS = [
  'series',
  'provenance',
  'cadence',
  'schedule',
  'labels',
  'declarations',
  'record',
  'test_source',
]
const PATHS = ['/v1/runs', '/v1/runs?dry_run=true', '/v1/runs?on_fail=error', '/v1/declarations/parse']
const PYTHON = `import pytest

@pytest.fixture
def trainer():
    yield make(steps=[1, 2, 3], name="x" "y", lr=1e-3)

def test_ppo(trainer):
    register_ci_gate(metric_key="train/ppo_kl", steps="all", constraint={"abs_up": 0.02, "abs_down": 0.02})
    register_ci_gate(metric_key="loss", steps=[0, -1], constraint={"rel_down": 0.5})
    assert trainer.run(f"{1 + 1}") is not None
`

/** A few random edits: bytes changed, cut out, doubled, tokens put in between. */
function mutate(dice: Dice, text: string | Buffer): Buffer {
  let bytes = Buffer.from(text as string)
  for (let edits = 1 + dice.int(4); edits > 0; edits--) {
    const at = dice.int(bytes.length + 1)
    const end = Math.min(bytes.length, at + dice.int(20))
    const middle = dice.pick([
      () => dice.bytes(1 + dice.int(3)),
      () => Buffer.alloc(0),
      () => Buffer.concat([bytes.subarray(at, end), bytes.subarray(at, end)]),
      () => Buffer.from(dice.pick(TOKENS)),
    ])()
    bytes = Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(dice.pick([at, end]))])
  }
  return dice.int(6) === 0 ? bytes.subarray(0, dice.int(bytes.length + 1)) : bytes
}

interface Content {
  readonly type: string
  readonly payload: Buffer
}

const json = (text: string | Buffer): Content => ({
  type: 'application/json',
  payload: Buffer.from(text as string),
})
const good = () => JSON.stringify(body())

function multipart(parts: ReadonlyArray<readonly [string, string | Buffer]>): Content {
  const { headers, payload } = form(parts)
  return { type: headers['content-type'], payload }
}

const goodForm = () => multipart([...FIELDS, ['declarations', DECLARED], ['record', record(1)]])

/** How bodies come about. Python is rare: each file goes to a parser of its own process. */
const CONTENTS: ReadonlyArray<readonly [weight: number, kind: string, make: (dice: Dice) => Content]> = [
  [6, 'good', (dice) => (dice.int(2) === 0 ? json(good()) : goodForm())],
  [18, 'mutated JSON', (dice) => json(mutate(dice, good()))],
  [18, 'mutated form', (dice) => ({ ...goodForm(), payload: mutate(dice, goodForm().payload) })],
  [
    8,
    'random bytes',
    (dice) => ({ type: dice.pick([json('').type, goodForm().type]), payload: dice.bytes(dice.int(300)) }),
  ],
  [
    8,
    'replaced member',
    (dice) =>
      json(JSON.stringify({ ...body(), [dice.pick(MEMBERS)]: 0 }).replace(':0', `:${dice.pick(TOKENS)}`)),
  ],
  [8, 'hostile keys', (dice) => json(`{${JSON.stringify(dice.pick(KEYS))}: 1, ${good().slice(1)}`)],
  [
    8,
    'hostile metrics',
    (dice) => {
      const metric = dice.pick(KEYS)
      const line = JSON.stringify({
        metric,
        series: [[dice.int(3), dice.pick([1, 'NaN', 'Infinity', null])]],
      })
      const declared = JSON.stringify([
        {
          metric_key: metric,
          steps: dice.pick(['all', 'last', 'mean', [0], [-1]]),
          constraint: { rel_down: 1 },
        },
      ])
      return multipart([...FIELDS, ['declarations', declared], ['record', `${line}\n${line}`]])
    },
  ],
  [
    4,
    'huge numbers',
    (dice) =>
      json(
        good()
          .replace(/0\.5/, dice.pick(TOKENS.slice(0, 8)))
          .replace('[0,1]', `[${dice.pick(TOKENS.slice(0, 8))},${dice.pick(TOKENS.slice(0, 8))}]`),
      ),
  ],
  [
    4,
    'deep nesting',
    (dice) => {
      const depth = dice.pick([63, 64, 65, 1_000, 100_000])
      const open = dice.pick(['[', '{"a":'])
      const deep = open.repeat(depth)
      return dice.int(2) === 0
        ? json(`{"${dice.pick(MEMBERS)}": ${deep}`)
        : multipart([...FIELDS, ['declarations', deep], ['record', `{"metric": "a", "series": ${deep}`]])
    },
  ],
  [1, 'Python', (dice) => multipart([...FIELDS, ['test_file', mutate(dice, PYTHON)], ['record', record(1)]])],
  [
    1,
    'Python in JSON',
    (dice) =>
      json(
        JSON.stringify({
          ...body(),
          declarations: null,
          test_source: mutate(dice, PYTHON).toString('latin1'),
        }),
      ),
  ],
]

/** How a body is framed; most are sound, so that what is in them is read. */
const FRAMES: ReadonlyArray<
  readonly [
    weight: number,
    kind: string,
    isSound: boolean,
    frame: (dice: Dice, payload: Buffer) => [string, Buffer],
  ]
> = [
  [60, '', true, (_dice, payload) => [`Content-Length: ${payload.length}`, payload]],
  [12, 'in chunks', true, (dice, payload) => ['Transfer-Encoding: chunked', chunked(dice, payload)]],
  [2, 'cut off', false, (dice, payload) => [`Content-Length: ${payload.length + 1 + dice.int(50)}`, payload]],
  [
    2,
    'longer than declared',
    false,
    (dice, payload) => [
      `Content-Length: ${dice.int(payload.length + 1)}`,
      Buffer.concat([payload, Buffer.from('\r\n')]),
    ],
  ],
  [
    1,
    'of a senseless length',
    false,
    (dice, payload) => [
      `Content-Length: ${dice.pick(['-1', '1e3', '0x10', '', '1, 2', '99999999999999999999', '40000000'])}`,
      payload,
    ],
  ],
  [
    1,
    'with two lengths',
    false,
    (dice, payload) => [
      `Content-Length: ${payload.length}\r\nTransfer-Encoding: chunked`,
      chunked(dice, payload),
    ],
  ],
  [
    1,
    'in broken chunks',
    false,
    (dice, payload) => ['Transfer-Encoding: chunked', mutate(dice, chunked(dice, payload))],
  ],
  [
    1,
    'with a broken head',
    false,
    (dice, payload) => [
      mutate(dice, `Content-Length: ${payload.length}\r\nX-Y: z`).toString('latin1'),
      payload,
    ],
  ],
]

function chunked(dice: Dice, payload: Buffer): Buffer {
  const pieces: Buffer[] = []
  // A few pieces of any size; deep nesting has a hundred thousand bytes.
  for (let at = 0, size = 0; at < payload.length; at += size) {
    size = Math.min(payload.length - at, 1 + dice.int(Math.ceil(payload.length / 3)))
    pieces.push(Buffer.from(`${size.toString(16)}\r\n`), payload.subarray(at, at + size), Buffer.from('\r\n'))
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')])
}

function weighted<T extends readonly [number, ...unknown[]]>(dice: Dice, entries: readonly T[]): T {
  let rest = dice.int(entries.reduce((sum, [weight]) => sum + weight, 0))
  return entries.find(([weight]) => (rest -= weight) < 0)!
}

/** The request of this number, whichever were sent before it. */
export function fuzzRequest(seed: number, number: number): FuzzRequest {
  const dice = new Dice(Math.imul(seed, 0x9e3779b1) + number)
  const [, content, make] = weighted(dice, CONTENTS)
  const [, frame, isSound, framed] = weighted(dice, FRAMES)
  const { type, payload } = make(dice)
  const [length, wire] = framed(dice, payload)
  const path = dice.pick(PATHS)
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`
  return {
    kind: `${content}${frame === '' ? '' : `, ${frame}`}, to ${path}`,
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), wire]),
    isSound,
  }
}
