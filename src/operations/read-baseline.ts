import type { BaselineDocument } from '../documents/baseline.js'
import { wireDouble } from '../documents/json.js'
import type { Coordinate, Series } from '../gate/run.js'
import { mean, sampleStd } from '../gate/statistics.js'
import type { Gatehouse } from './gatehouse.js'

/** The newest trusted values of one coordinate, exactly as a verdict would read them. */
export async function readBaseline(
  { store }: Gatehouse,
  series: Series,
  coordinate: Coordinate,
  limit: number,
): Promise<BaselineDocument> {
  const [baseline] = await store.read((reader) => reader.recentTrustedValues(series, [coordinate], limit))
  const { values, runs } = baseline ?? { values: [], runs: [] }
  const center = values.length === 0 ? null : mean(values)
  const std = center === null ? null : sampleStd(values, center)
  return {
    values: runs.map(({ runId, createdAt }, i) => ({
      run_id: runId,
      created_at: createdAt,
      value: values[i]!,
    })),
    n: values.length,
    mean: center,
    std: std === null ? null : wireDouble(std),
  }
}
