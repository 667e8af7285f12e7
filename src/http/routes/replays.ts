import { Type } from 'typebox'
import { ReplaySchema } from '../../documents/replay.js'
import { invalidInput } from '../../errors.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { replayHistory } from '../../operations/replay-history.js'
import { readDeclaredSeries } from '../../replay/read-declared.js'
import type { App } from '../app-types.js'
import { OneAtATime } from '../one-at-a-time.js'
import { Absent, BackendField, Body, SuiteField, TestPathField } from '../schemas/fields.js'
import { readTimeRange, TimeParameter } from '../schemas/query.js'
import { json, problems } from '../schemas/responses.js'

const ReplayBodySchema = Body({
  declarations: Absent(
    Type.Array(Type.Unknown(), {
      description:
        'a list of {"series", "declarations"}; left out, each series is replayed by those of its newest writing run',
    }),
  ),
  series: Absent(
    Body({ test_path: Absent(TestPathField), backend: Absent(BackendField), suite: Absent(SuiteField) }),
  ),
  since: Absent(TimeParameter),
  until: Absent(TimeParameter),
})

/** Is the stored history consistent with itself? */
export function replayRoutes(app: App, gatehouse: Gatehouse): void {
  const replaying = new OneAtATime('a replay')
  app.post(
    '/v1/replays',
    {
      config: { scopes: ['history:read'], publicRead: false },
      schema: {
        operationId: 'replayHistory',
        tags: ['history'],
        summary: "What would today's declarations have said of the stored history?",
        description: 'Reads one snapshot, judges every stored value as the gate does, and writes nothing.',
        body: ReplayBodySchema,
        response: { 200: json(ReplaySchema, 'The report'), ...problems(400, 413, 415, 422, 429) },
      },
    },
    async ({ body, jsonMembers, principal }) => {
      const { series, since, until } = body
      // The literals as written: 1 and 1.0 are other keys.
      const text =
        body.declarations === undefined || body.declarations === null
          ? null
          : jsonMembers.get('declarations')!
      const declared =
        text === null ? null : readDeclaredSeries(text, 'declarations', gatehouse.settings.gateDefaults)
      if (declared !== null && !declared.ok) throw invalidInput(declared.faults)
      const bounds = readTimeRange({ ...(since && { since }), ...(until && { until }) })
      const leave = replaying.enter(principal.owner)
      try {
        return await replayHistory(gatehouse, {
          declarations: declared && declared.value,
          series: {
            ...(series?.test_path && { testPath: series.test_path }),
            ...(series?.backend && { backend: series.backend }),
            ...(series?.suite && { suite: series.suite }),
          },
          since: bounds.since ?? null,
          until: bounds.until ?? null,
        })
      } finally {
        leave()
      }
    },
  )
}
