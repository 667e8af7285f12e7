import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { readConfigFile } from '../../src/config-file.js'
import { PULLED, SCHEDULED } from '../support/local-issuer.js'
import { temporaryFolder } from '../support/server.js'
import { openGithubService } from './github.js'
import { checkout, GATES, GITHUB_SHELL, loss, runStep } from './support.js'

/** The page shows one workflow and one configuration: they must work together as they are printed. */

interface Config {
  readonly cadence: object
  readonly oidc: ReadonlyArray<{ readonly issuer: string; readonly audience: string; rules: object[] }>
}
interface Workflow {
  readonly on: { readonly schedule: ReadonlyArray<{ readonly cron: string }> }
  readonly env: Readonly<Record<string, string>>
}

const PAGE = readFileSync('docs/github-oidc.md', 'utf8')

/** The first block of a language that holds a text. */
function block(language: string, holds: string): string {
  const blocks = [...PAGE.matchAll(/^```(\w+)\n(.*?)^```/gms)]
  const found = blocks.find(([, name, text = '']) => name === language && text.includes(holds))
  if (found?.[2] === undefined) throw new Error(`the page has no ${language} with ${holds}`)
  return found[2]
}

const CONFIG = JSON.parse(block('json', '"oidc"')) as Config
const WORKFLOW = parse(block('yaml', 'id-token')) as Workflow
const SUBMISSION = block('sh', 'gatehouse_submit')

t.test('the configuration is good as it is printed', (t) => {
  t.match(readConfigFile(block('json', '"oidc"')), { ok: true })
  t.match(CONFIG.oidc, [{ issuer: 'https://token.actions.githubusercontent.com', audience: 'gatehouse' }])
  t.end()
})

t.test('the jobs of the workflow get what the page says', async (t) => {
  const folder = temporaryFolder(t)
  const server = await openGithubService(t, folder, CONFIG.cadence, CONFIG.oidc[0]?.rules ?? [])
  checkout(folder, '.github/gatehouse.sh', { 'tests/e2e/test_ppo.py': GATES, 'record.jsonl': loss(0.5) })
  t.same(Object.keys(WORKFLOW.env), ['GATEHOUSE_URL', 'SCHEDULE', 'LABELS'])
  const [{ cron = '' } = {}] = WORKFLOW.on.schedule
  const submit = async (claims: Readonly<Record<string, unknown>>, SCHEDULE: string, LABELS: string) =>
    runStep(GITHUB_SHELL, SUBMISSION, {
      cwd: folder,
      env: { GATEHOUSE_URL: server.url, SCHEDULE, LABELS, ...(await server.identity(claims)) },
    })
  const stored = async () => {
    const headers = { authorization: `Bearer ${server.token}` }
    const answer = await fetch(`${server.url}/v1/runs`, { headers })
    return ((await answer.json()) as { items: unknown[] }).items.length
  }

  t.match(await submit(SCHEDULED, cron, ''), { code: 0, log: /PASS \(trusted\)/ })
  t.equal(await stored(), 1, 'the night is history')
  t.match(await submit(PULLED, '', ''), { code: 0, log: /PASS/ })
  t.match(await submit(PULLED, '', 'nightly'), { code: 2, log: /HTTP 403/ })
  t.equal(await stored(), 1, 'a pull request is judged, and writes nothing')
  const approved = { ...PULLED, run_id: '19876543212', environment: 'nightly' }
  t.match(await submit(approved, '', 'nightly'), { code: 0, log: /PASS/ })
  t.equal(await stored(), 2)
  t.match(await submit(SCHEDULED, '5 5 * * *', ''), { code: 2, log: /HTTP 422/ }, 'another cron')
})

t.test('one request, without the shell function', async (t) => {
  const folder = temporaryFolder(t)
  const server = await openGithubService(t, folder, CONFIG.cadence, CONFIG.oidc[0]?.rules ?? [])
  const asked = await runStep(GITHUB_SHELL, block('sh', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'), {
    cwd: folder,
    env: { ...(await server.identity(SCHEDULED)) },
  })
  const { value } = JSON.parse(asked.log) as { value: string }
  const whoami = await fetch(`${server.url}/v1/whoami`, { headers: { authorization: `Bearer ${value}` } })
  t.match(await whoami.json(), { rule: 'nightly on main', scopes: ['runs:submit', 'baselines:write'] })
})
