import { createHash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { readExport } from '../../src/exchange/read-export.js'
import type { ExportedRun } from '../../src/store/exchange.js'
import {
  bytesOf,
  cutsOf,
  exported,
  imported,
  NOW,
  readBack,
  refusal,
  SHA,
  stored,
  storedRuns,
} from './support.js'

/** A body with the trailer that fits it. */
function sealed(body: string, counts: { runs: number; values: number }): string {
  const sha256 = createHash('sha256').update(body).digest('hex')
  return `${body}${JSON.stringify({ end: { ...counts, sha256 } })}\n`
}

t.test('the form is as documented', async (t) => {
  const text = await exported(
    [stored(), stored({ runId: 'z', values: [], cadence: null, declarations: null })],
    {
      testPath: 'tests/test_a.py',
      githubRunId: 2n ** 60n,
      trusted: true,
    },
  )
  const body = [
    `{"gatehouse_export":1,"created_at":"${NOW}","scope":{"test_path":"tests/test_a.py","github_run_id":1152921504606846976,"trusted":true}}`,
    `{"run":{"run_id":"01936f0c-0000-7000-8000-000000000001","series":{"test_path":"tests/test_a.py","backend":"cuda","suite":"nightly"},` +
      `"provenance":{"commit_sha":"${SHA}","pr_number":null,"github_run_id":9007199254740993,"github_run_attempt":1,"event_name":"schedule","ref":"refs/heads/main"},` +
      `"created_at":"2026-11-01T15:00:00.123456Z","trusted":true,"cadence":"nightly"},` +
      `"values":[{"metric_key":"m","step":-1,"value":1.5,"steps_key":"\\"last\\"","constraint_key":"{\\"rel_down\\":1.0}"}],` +
      `"declarations":[{"metric_key": "m", "steps": "last", "constraint": {"rel_down": 1.0}}]}`,
    `{"run":{"run_id":"z","series":{"test_path":"tests/test_a.py","backend":"cuda","suite":"nightly"},` +
      `"provenance":{"commit_sha":"${SHA}","pr_number":null,"github_run_id":9007199254740993,"github_run_attempt":1,"event_name":"schedule","ref":"refs/heads/main"},` +
      `"created_at":"2026-11-01T15:00:00.123456Z","trusted":true,"cadence":null},"values":[],"declarations":null}`,
    '',
  ].join('\n')
  t.equal(text, sealed(body, { runs: 2, values: 1 }))
})

t.test('an empty history is an export too', async (t) => {
  const text = await exported([])
  t.match(text.split('\n')[1], '{"end":{"runs":0,"values":0,')
  t.strictSame(await readBack(bytesOf(text)), [])
  t.strictSame(await imported(bytesOf(text)), [])
})

t.test('the header comes first', async (t) => {
  const { header, runs } = await readExport(
    bytesOf(await exported([stored()], { backend: 'cuda', since: NOW })),
  )
  t.strictSame(header, { createdAt: NOW, scope: { backend: 'cuda', since: NOW } })
  await runs.return(undefined)
})

t.test('declarations that another writer spread over lines stay on one', async (t) => {
  const [run] = await readBack(bytesOf(await exported([stored({ declarations: '[\r\n 1.0\n]' })])))
  t.equal(run!.declarations, '[  1.0 ]')
})

t.test('rows of other writers are read for a replay as they are', async (t) => {
  const foreign = stored({
    runId: 'x'.repeat(100),
    provenance: {
      commitSha: null,
      prNumber: 0,
      githubRunId: null,
      githubRunAttempt: null,
      eventName: '',
      ref: null,
    },
    values: [
      { metricKey: ' padded ', step: -7, value: NaN, stepsKey: '', constraintKey: '' },
      { metricKey: ' padded ', step: -7, value: Infinity, stepsKey: '', constraintKey: '' },
      { metricKey: '', step: 0, value: -Infinity, stepsKey: '', constraintKey: '' },
    ],
    createdAt: '2099-01-01T00:00:00.000000Z',
  })
  const text = await exported([foreign])
  t.strictSame(await readBack(bytesOf(text)), [foreign])
  const faults = await refusal(imported(bytesOf(text)))
  for (const pointer of [
    'run/run_id',
    'run/created_at',
    'values/0/step',
    'values/0/value',
    'values/2/value',
  ]) {
    t.ok(
      faults.some((fault) => fault.startsWith(`line 2: ${pointer}: `)),
      `an import takes no such ${pointer}`,
    )
  }
})

t.test('property: what was written is read, by both readers, however it is cut', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      storedRuns.chain((runs) => fc.tuple(fc.constant(runs), fc.infiniteStream(fc.nat()))),
      async ([runs, random]) => {
        const text = await exported(runs)
        const bytes = Buffer.from(text)
        const size = 1 + (random.next().value! % 40)
        const chunks: Uint8Array[] = []
        for (let i = 0; i < bytes.length; i += size) chunks.push(bytes.subarray(i, i + size))
        t.strictSame(await readBack(chunks), runs)
        const taken = await imported(chunks)
        t.strictSame(
          taken.map(({ where: _, ...run }) => run),
          runs,
        )
        t.strictSame(
          taken.map(({ where }) => where),
          runs.map((_, i) => `line ${i + 2}`),
        )
        t.equal(await exported(taken), text, 'and exported again to the byte')
      },
    ),
    { numRuns: 150 },
  )
})

t.test('property: an export that is cut anywhere is refused, by both readers', async (t) => {
  await fc.assert(
    fc.asyncProperty(storedRuns, fc.double({ min: 0, max: 1, noNaN: true }), async (runs, share) => {
      const bytes = Buffer.from(await exported(runs))
      // The line feed after the trailer may go.
      const cut = bytes.subarray(0, Math.floor(share * (bytes.length - 1)))
      if (cut.length === bytes.length - 1) return
      t.ok((await refusal(readBack([cut]))).length > 0)
      t.ok((await refusal(imported([cut]))).length > 0)
    }),
    { numRuns: 300 },
  )
})

t.test('every cut of a small export is refused', async (t) => {
  const bytes = Buffer.from(await exported([stored(), stored({ runId: 'z' })]))
  for (let end = 0; end < bytes.length - 1; end++) {
    const cut = [bytes.subarray(0, end)]
    if ((await refusal(readBack(cut))).length === 0 || (await refusal(imported(cut))).length === 0)
      t.fail(`${end}`)
  }
  t.equal((await readBack([bytes.subarray(0, -1)])).length, 2, 'but for the last line feed')
})

t.test('every byte that is changed is found', async (t) => {
  const bytes = Buffer.from(await exported([stored({ values: [] })]))
  for (let at = 0; at < bytes.length - 1; at++) {
    for (const flip of [1, 0x20]) {
      const altered = Buffer.from(bytes)
      altered[at]! ^= flip
      if ((await refusal(readBack([altered]))).length === 0) t.fail(`${at}`)
      if ((await refusal(imported([altered]))).length === 0) t.fail(`${at}`)
    }
  }
  t.pass()
})

t.test('property: a byte more or less is found', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      storedRuns,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(' ', '\n', '0', '{}\n'),
      async (runs, share, extra) => {
        const bytes = Buffer.from(await exported(runs))
        const at = Math.floor(share * bytes.length)
        const more = Buffer.concat([bytes.subarray(0, at), Buffer.from(extra), bytes.subarray(at)])
        // White space within the trailer changes nothing that it says.
        const start = bytes.lastIndexOf('{"end"')
        if (at > start && extra === ' ') return
        t.ok((await refusal(readBack([more]))).length > 0)
        if (at < 1 || at >= bytes.length) return
        const less = Buffer.concat([bytes.subarray(0, at - 1), bytes.subarray(at)])
        t.ok((await refusal(readBack([less]))).length > 0)
      },
    ),
    { numRuns: 200 },
  )
})

t.test('refusals say what is wrong with an export', async (t) => {
  const whole = await exported([stored(), stored({ runId: 'z' })])
  const [header = '', first = '', second = '', trailer = ''] = whole.split('\n')
  const sealedAs = (lines: string[], counts: { runs: number; values: number }) =>
    sealed(lines.map((line) => `${line}\n`).join(''), counts)
  const cases: ReadonlyArray<readonly [text: string, fault: RegExp]> = [
    ['', /^line 1: is missing: the file is empty/],
    ['{}\n', /^line 1: is no export's header/],
    [`${header.replace(':1,', ':2,')}\n`, /^line 1: is an export of version 2; this program reads version 1/],
    [
      `${header.replace('"scope":{}', '"scope":{"branch":"x"}')}\n`,
      /^line 1: scope\/"branch": is not known here/,
    ],
    [`${header.replace('"scope":{}', '"scope":[]')}\n`, /^line 1: scope: must be an object/],
    [
      `${header.replace('"scope":{}', '"scope":{"suite":null}')}\n`,
      /^line 1: scope\/suite: must be a filter/,
    ],
    [`${header.replace(NOW, 'today')}\n`, /^line 1: created_at: must be an RFC 3339 time/],
    [`${header}\n${first}\n${second}\n`, /^line 3: is the last one, and the trailer {"end": …} is missing/],
    [`${header}\n${first}\n${second.slice(0, 50)}`, /^line 3: ends in the middle/],
    [`${header}\n${first}\n${trailer}\n`, /^line 3: end\/runs: tells 2, and the file holds 1/],
    [`${header}\n${second}\n${first}\n${trailer}\n`, /^line 3: is not newer than the line before/],
    [whole.replace('1.5', '1.6'), /^line 4: end\/sha256: does not fit/],
    [whole.replaceAll('\n', '\r\n'), /were its line ends converted/],
    [`\ufeff${whole}`, /^line 4: end\/sha256/],
    [`${whole}\n`, /^line 5: is a blank line after the trailer/],
    [`${whole}${first}\n`, /^line 5: is more data after the trailer/],
    [whole.replace('"end":', '"more":1,"end":'), /^line 4: "more": is not known here/],
    [whole.replace('"runs":2', '"runs":"2"'), /^line 4: end\/runs: tells "2", and the file holds 2/],
    [`${header}\n\n${first}\n${second}\n${trailer}\n`, /^line 2: is blank/],
    [`${header}\n[]\n`, /^line 2: is no JSON object/],
    [`${header}\n{"run":1,"run":2}\n`, /^line 2: run: the key stands here twice/],
    [`${header}\n{"run":${'['.repeat(70)}${']'.repeat(70)}}\n`, /^line 2: run.*: nests deeper than 64/],
    [sealedAs([header, first, first], { runs: 2, values: 2 }), /^line 3: is not newer than the line before/],
    [
      sealedAs([header, '{"values":[],"declarations":null}'], { runs: 1, values: 0 }),
      /^line 2: run: is missing/,
    ],
    [
      sealedAs([header, first.replace('"declarations":[', '"declarations":{"a":[').replace(/\}$/, '}}')], {
        runs: 1,
        values: 1,
      }),
      /^line 2: declarations: must be a list or null/,
    ],
    [
      sealedAs([header, first.replace('"nightly"},"values"', '"daily"},"values"')], { runs: 1, values: 1 }),
      /^line 2: run\/cadence: must be nightly, /,
    ],
  ]
  for (const [text, fault] of cases)
    t.match(await refusal(readBack(bytesOf(text))), [fault], text.slice(0, 200))
})

t.test('bytes that are no UTF-8 are refused with their line', async (t) => {
  const bytes = Buffer.from(await exported([stored()]))
  bytes[bytes.indexOf('nightly')] = 0xff
  t.match(await refusal(readBack([bytes])), [/^line 2: is not UTF-8/])
})

t.test('a reader that stops lets go of the file', async (t) => {
  let closed = 0
  async function* chunks() {
    try {
      yield Buffer.from(await exported([stored(), stored({ runId: 'z' })]))
      yield Buffer.from('more')
    } finally {
      closed++
    }
  }
  const { runs } = await readExport(chunks())
  for await (const _ of runs) break
  t.equal(closed, 1)
  await refusal(
    readExport(
      (async function* () {
        try {
          yield Buffer.from('{}\n{}\n')
        } finally {
          closed++
        }
      })(),
    ),
  )
  t.equal(closed, 2)
})

t.test('property: chunks of any size give the same refusal', async (t) => {
  const broken: ExportedRun = stored({ series: { testPath: 'é😀', backend: 'b', suite: 's' } })
  const bytes = Buffer.from((await exported([stored(), broken])).replace('"trusted":true', '"trusted":"yes"'))
  const expected = await refusal(readBack([bytes]))
  await fc.assert(
    fc.asyncProperty(cutsOf(bytes), async (chunks) => {
      t.strictSame(await refusal(readBack(chunks)), expected)
    }),
    { numRuns: 50 },
  )
})
