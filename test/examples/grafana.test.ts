import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { gatehouse } from '../cli/support.js'
import { startServer, temporaryFolder } from '../support/server.js'

/** Every query of the dashboard is asked as the Infinity data source asks it. */

interface Query {
  readonly type: 'json' | 'csv'
  readonly url: string
  readonly root_selector?: string
  readonly url_options: {
    readonly params: ReadonlyArray<{ readonly key: string; readonly value: string }>
    readonly headers?: ReadonlyArray<{ readonly key: string; readonly value: string }>
  }
  readonly columns: ReadonlyArray<{ readonly selector: string; readonly type: string }>
}
interface Dashboard {
  readonly templating: {
    readonly list: ReadonlyArray<{
      readonly name: string
      readonly query: string | { readonly infinityQuery: Query }
    }>
  }
  readonly panels: ReadonlyArray<{ readonly title: string; readonly targets?: readonly Query[] }>
}

const VARIABLES: Readonly<Record<string, string>> = {
  test_path: 'tests/perf/test_throughput.py',
  backend: 'cuda',
  suite: 'stage-c-8-gpu-h100',
  metric_key: 'perf/tokens_per_s',
  step: '-1',
  '__from:date:iso': new Date(Date.now() - 60 * 86_400_000).toISOString(),
  '__to:date:iso': new Date().toISOString(),
}

t.test('grafana-dashboard.json', async (t) => {
  const folder = temporaryFolder(t)
  await gatehouse(['demo'], { cwd: folder })
  const server = await startServer({ DATABASE_URL: `sqlite:${join(folder, 'data/demo.db')}` })
  t.teardown(() => server.stop())
  const dashboard = JSON.parse(readFileSync('examples/grafana-dashboard.json', 'utf8')) as Dashboard

  const ask = async ({ url, url_options: { params, headers = [] } }: Query) => {
    const address = new URL(url, server.url)
    for (const { key, value } of params) {
      const filled = value.replace(/\$\{([^}]+)\}/g, (_match, name: string) => {
        t.ok(name in VARIABLES, `the variable ${name} is there`)
        return VARIABLES[name]!
      })
      address.searchParams.set(key, filled)
    }
    const response = await fetch(address, {
      headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
    })
    t.equal(response.status, 200, address.href)
    return response
  }
  const rowsOf = async (query: Query): Promise<Array<Record<string, unknown>>> => {
    const response = await ask(query)
    if (query.type === 'json') {
      const body = (await response.json()) as Record<string, unknown>
      return body[query.root_selector!] as Array<Record<string, unknown>>
    }
    const [header = '', ...lines] = (await response.text()).trim().split(/\r?\n/)
    return lines.map((line) => {
      const cells = line.split(',')
      return Object.fromEntries(header.split(',').map((name, i) => [name, cells[i]]))
    })
  }
  const cellOf = (row: Record<string, unknown>, selector: string) =>
    selector.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], row)

  for (const { name, query } of dashboard.templating.list) {
    if (typeof query === 'string') continue
    const rows = await rowsOf(query.infinityQuery)
    const [column] = query.infinityQuery.columns
    t.ok(
      rows.some((row) => row[column!.selector] === VARIABLES[name]),
      `${name} can be chosen`,
    )
  }
  const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map((query) => [title, query] as const),
  )
  t.equal(queries.length, 3)
  for (const [title, query] of queries) {
    const rows = await rowsOf(query)
    t.ok(rows.length > 10, `${title}: ${rows.length} rows`)
    for (const { selector, type } of query.columns) {
      const values = rows
        .map((row) => cellOf(row, selector))
        .filter((value) => value !== null && value !== '')
      t.ok(values.length > 0, `${title}: ${selector}`)
      if (type === 'number')
        t.ok(
          values.every((value) => Number.isFinite(Number(value))),
          `${selector} is a number`,
        )
      if (type === 'timestamp') t.ok(values.every((value) => !Number.isNaN(Date.parse(String(value)))))
    }
  }
})
