/** The values of a run that has no verdict: it came by an import, or from another writer. */
import type { Run } from '../../api/types'
import { seriesHref } from '../../hrefs'
import { Name } from '../../parts/name'
import { Value } from '../../parts/number'
import { stepWord } from '../../parts/step'
import { VirtualTable } from '../../parts/table'

export function ValuesTable({ run }: { run: Run }) {
  return (
    <VirtualTable
      id="values"
      label="Values"
      rows={run.values}
      keyOf={({ metric_key: metric, step, value }) => `${metric} ${step} ${value}`}
      rowHeight={{ wide: 40, narrow: 40 }}
      columns={[
        {
          id: 'metric',
          head: 'Metric',
          cell: ({ metric_key: metric, step }) => (
            <a href={seriesHref(run.series, { metric, step })}>
              <Name text={metric} />
            </a>
          ),
        },
        { id: 'step', head: 'Step', align: 'end', cell: ({ step }) => stepWord(step) },
        { id: 'value', head: 'Value', align: 'end', cell: ({ value }) => <Value value={value} /> },
      ]}
    />
  )
}
