import t from 'tap'
import { readBaselines, type BaselineRow } from '../../../src/store/queries/baselines.js'

const row = (position: number, second: number, value: number | null): BaselineRow => ({
  position,
  run_id: `run-${second}`,
  created_at: `2026-01-01T00:00:0${second}.000000Z`,
  value,
})

t.test('a window is cut at its limit, also where more rows were found', async (t) => {
  const rows = [row(0, 4, 4), row(0, 3, 3), row(0, 2, 2), row(1, 4, 40)]
  const baselines = readBaselines(rows, 3, 2)
  t.same(
    baselines.map(({ values }) => values),
    [[4, 3], [40], []],
  )
})

t.test('non-finite values count where the walk passed them over', async (t) => {
  const rows = [row(0, 5, null), row(0, 4, 4), row(0, 3, 3), row(0, 2, null)]
  t.equal(readBaselines(rows, 1, 2)[0]!.nonFinite, 1, 'older than a full window')
  t.equal(readBaselines(rows, 1, 3)[0]!.nonFinite, 2, 'the window is not full: all of them')
})
