import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { startServer, temporaryFolder, type Server } from '../support/server.js'
import { PULLED, SCHEDULED } from '../support/local-issuer.js'
import { openGithubService } from './github.js'
import { checkout, GATES, GITHUB_SHELL, loss, record, runStep, SHA, type Step } from './support.js'

/** The scripts of both CI examples, as they stand in the YAML, with the environment that the services document. */

interface WorkflowStep {
  readonly name?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}
interface Workflow {
  readonly on: {
    readonly schedule: ReadonlyArray<{ readonly cron: string }>
    readonly workflow_run: { readonly workflows: readonly string[] }
  }
  readonly name: string
  readonly permissions: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, WorkflowJob>>
}
interface WorkflowJob {
  readonly needs?: string[]
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps: WorkflowStep[]
}

const CRON = '0 15 * * 0-5'
/** As docs/github-oidc.md has them. */
const RULES = [
  {
    claims: { repository: 'acme/rl', event_name: 'schedule', ref: 'refs/heads/main' },
    scopes: ['runs:submit', 'baselines:write'],
  },
  { claims: { repository: 'acme/rl', event_name: 'workflow_run' }, scopes: ['runs:submit'], on_behalf: true },
  { claims: { repository: 'acme/rl' }, scopes: ['runs:submit', 'history:read'] },
]
const FORK_NOTICE = /::notice title=Gatehouse::Gates? skipped: a pull request from a fork/

async function start(t: Parameters<typeof temporaryFolder>[0]): Promise<{ server: Server; folder: string }> {
  const folder = temporaryFolder(t)
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ cadence: { schedules: { [CRON]: 'nightly' } } }),
  )
  const server = await startServer({
    DATABASE_URL: `sqlite:${join(folder, 'g.db')}`,
    GATEHOUSE_CONFIG: join(folder, 'config.json'),
  })
  t.teardown(() => void server.stop())
  return { server, folder }
}

/** What a runner puts for the expressions of the example. */
function evaluate(expression: string, context: Readonly<Record<string, string>>): string {
  return expression.replace(/\$\{\{ (.*?) \}\}/g, (_match, inner: string) => {
    const value = inner
      .split(' || ')
      .map((name) => context[name] ?? '')
      .find((text) => text !== '')
    return value ?? ''
  })
}

t.test('GitHub Actions', async (t) => {
  const workflow = parse(readFileSync('examples/github-actions.yml', 'utf8')) as Workflow
  const forks = parse(readFileSync('examples/github-actions-forks.yml', 'utf8')) as Workflow
  const folder = temporaryFolder(t)
  const server = await openGithubService(t, folder, { schedules: { [CRON]: 'nightly' } }, RULES)
  t.same(workflow.on.schedule, [{ cron: CRON }])
  checkout(folder, '.github/gatehouse.sh', {
    'tests/e2e/test_ppo.py': GATES,
    'tests/evals/test_math.py': GATES,
  })
  const summary = join(folder, 'summary.md')

  const step = async (
    job: string,
    context: Readonly<Record<string, string>>,
    runner: Readonly<Record<string, string>> = {},
    { jobs, env: common = {} }: Pick<Workflow, 'jobs'> & Partial<Workflow> = workflow,
  ): Promise<Step> => {
    const steps = jobs[job]!.steps.filter(({ run }) => run !== undefined)
    const { run, env = {} } = steps.at(-1)!
    writeFileSync(summary, '')
    const evaluated = Object.entries({ ...common, ...env }).map(([name, value]): [string, string] => [
      name,
      evaluate(value, {
        'vars.GATEHOUSE_URL': server.url,
        'secrets.GATEHOUSE_TOKEN': server.token,
        ...context,
      }),
    ])
    return runStep(GITHUB_SHELL, run!, {
      cwd: folder,
      env: {
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_RUN_ID: '19876543210',
        GITHUB_RUN_ATTEMPT: '1',
        GITHUB_STEP_SUMMARY: summary,
        ...runner,
        ...Object.fromEntries(evaluated),
      },
    })
  }
  const nightly = { 'github.sha': SHA, 'github.event.schedule': CRON }
  const scheduled = { GITHUB_EVENT_NAME: 'schedule', GITHUB_REF: 'refs/heads/main', GITHUB_SHA: SHA }
  const pull = {
    'github.sha': 'f'.repeat(40),
    'github.event.pull_request.head.sha': 'b'.repeat(40),
    'github.event.pull_request.number': '12',
    "join(github.event.pull_request.labels.*.name, ',')": 'bug,@/etc/passwd',
  }
  const pulled = {
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_REF: 'refs/pull/12/merge',
    GITHUB_SHA: 'f'.repeat(40),
  }
  const fork = { ...pull, 'github.event.pull_request.head.repo.fork': 'true', 'secrets.GATEHOUSE_TOKEN': '' }
  const record = (value: number) => writeFileSync(join(folder, 'record.jsonl'), loss(value))
  const newest = async () => {
    const headers = { authorization: `Bearer ${server.token}` }
    const answer = await fetch(`${server.url}/v1/verdicts?limit=1`, { headers })
    return ((await answer.json()) as { items: unknown[] }).items[0]
  }

  await t.test('a schedule on main writes history; the summary has the verdict', async (t) => {
    record(0.5)
    const identity = await server.identity({ ...SCHEDULED, sha: SHA })
    for (const job of ['ppo', 'evaluation']) {
      const { code, log } = await step(job, nightly, { ...scheduled, ...identity })
      t.equal(code, 0, log)
      t.match(log, /gatehouse: PASS \(trusted\)/)
      t.match(readFileSync(summary, 'utf8'), /^## Gatehouse: PASS/)
    }
    t.match(await newest(), {
      cadence: 'nightly',
      series: { test_path: 'tests/evals/test_math.py', backend: 'cuda', suite: 'nightly-eval' },
      provenance: {
        commit_sha: SHA,
        pr_number: null,
        github_run_id: 19876543210,
        github_run_attempt: 1,
        event_name: 'schedule',
        ref: 'refs/heads/main',
      },
    })
  })

  await t.test(
    'a pull request is judged at its head, or at the commit that its token proves; its labels are text',
    async (t) => {
      record(0.5)
      const id = { GITHUB_RUN_ID: '42' }
      t.match(await step('ppo', pull, { ...pulled, ...id }), { code: 0, log: /PASS/ })
      t.match(await newest(), {
        cadence: 'regular',
        run_id: null,
        provenance: { commit_sha: 'b'.repeat(40), pr_number: 12, ref: 'refs/pull/12/merge' },
      })
      record(3)
      const identity = await server.identity({ ...PULLED, run_id: '42' })
      t.match(await step('evaluation', pull, { ...pulled, ...id, ...identity }), {
        code: 1,
        log: /gatehouse: FAIL/,
      })
      t.match(await newest(), {
        cadence: 'regular',
        provenance: { commit_sha: PULLED.sha, pr_number: 12, github_run_id: 42, ref: PULLED.ref },
      })
    },
  )

  await t.test('the final job turns red with one gate, and green with its re-run', async (t) => {
    const results = { "join(needs.*.result, ' ')": 'success success' }
    const id = { ...pulled, GITHUB_RUN_ID: '42' }
    t.same(workflow.jobs['gate']?.needs, ['ppo', 'evaluation'])
    t.match(await step('gate', { ...nightly, ...results }, scheduled), {
      code: 0,
      log: /pass, 2 of 2 judged/,
    })
    t.match(await step('gate', { ...pull, ...results }, id), { code: 1, log: /fail, 2 of 2/ })
    record(0.5)
    const identity = await server.identity({ ...PULLED, run_id: '42', run_attempt: '2' })
    t.match(await step('evaluation', pull, { ...id, ...identity }), { code: 0 })
    t.match(await step('gate', { ...pull, ...results }, id), { code: 0, log: /pass, 2 of 2/ })
    t.match(await step('gate', { ...pull, "join(needs.*.result, ' ')": 'success failure' }, id), {
      code: 1,
      log: /a job above: failure/,
    })
    t.match(await step('gate', { ...pull, ...results }, { ...id, GITHUB_RUN_ID: '43' }), {
      code: 2,
      log: /NOT JUDGED \(0 of 2/,
    })
  })

  await t.test('a fork without a secret is skipped, and says so; nothing else is', async (t) => {
    const before = await newest()
    for (const job of ['ppo', 'evaluation']) {
      t.match(await step(job, fork, { ...pulled, GITHUB_RUN_ID: '44' }), { code: 0, log: FORK_NOTICE })
      t.match(readFileSync(summary, 'utf8'), /^Gate skipped: a pull request from a fork/)
    }
    const results = { "join(needs.*.result, ' ')": 'success success' }
    t.match(await step('gate', { ...fork, ...results }, pulled), { code: 0, log: FORK_NOTICE })
    t.same(await newest(), before)
    const url = { 'vars.GATEHOUSE_URL': '' }
    t.match(await step('ppo', { ...pull, ...url }, pulled), { code: 2, log: /NOT JUDGED \(GATEHOUSE_URL/ })
  })

  await t.test('what a fork handed over is judged on its behalf, by the gates of the base', async (t) => {
    t.same(readFileSync(join(folder, 'handed-over/pr_number'), 'utf8'), '12\n', 'left by the skipped gate')
    t.same(forks.on.workflow_run.workflows, [workflow.name])
    t.match(forks.permissions, { 'id-token': 'write' })
    const identity = await server.identity({ ...SCHEDULED, event_name: 'workflow_run', run_id: '45' })
    const context = { 'github.event.workflow_run.head_sha': 'b'.repeat(40) }
    const judge = () => step('evaluation', context, { ...scheduled, ...identity }, forks)
    t.match(await judge(), { code: 0, log: /gatehouse: PASS/ })
    t.match(await newest(), {
      cadence: 'regular',
      run_id: null,
      provenance: { commit_sha: 'b'.repeat(40), pr_number: 12, ref: 'refs/pull/12/merge', github_run_id: 45 },
      claims: { sha: SCHEDULED.sha, ref: 'refs/heads/main', event_name: 'workflow_run', on_behalf: true },
    })
    const before = await newest()
    for (const number of ['', '7; touch stolen', '$(touch stolen)', '7\n8']) {
      writeFileSync(join(folder, 'handed-over/pr_number'), number)
      t.match(await judge(), { code: 1, log: /holds no number/ }, number)
    }
    t.notOk(existsSync(join(folder, 'stolen')))
    t.same(await newest(), before)
  })

  await t.test('the secret, or the identity of the job, is the bearer token', async (t) => {
    const headers = { 'Gatehouse-Outcome': 'pass', 'Gatehouse-Trusted': 'true' }
    const fake = await recorder(t, { status: 201, headers, body: '{}' })
    const identity = await recorder(t, { status: 200, body: '{"count": 1, "value": "eyJ.oidc.token"}' })
    const url = { 'vars.GATEHOUSE_URL': fake.url }
    t.match(await step('ppo', { ...nightly, ...url, 'secrets.GATEHOUSE_TOKEN': 'gh_1' }, scheduled), {
      code: 0,
    })
    const requestable = {
      ...scheduled,
      ACTIONS_ID_TOKEN_REQUEST_URL: `${identity.url}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'runner-token',
    }
    const { code, log } = await step('evaluation', { ...nightly, ...url }, requestable)
    t.equal(code, 0, log)
    t.match(log, /::add-mask::eyJ.oidc.token/)
    t.same(
      fake.requests.map((request) => request.headers.authorization),
      ['Bearer gh_1', 'Bearer eyJ.oidc.token'],
    )
    t.match(identity.requests, [
      { url: '/token?api-version=2.0&audience=gatehouse', headers: { authorization: 'Bearer runner-token' } },
    ])
  })

  await t.test('a job without an identity is not judged, and says why', async (t) => {
    t.match(workflow.jobs['evaluation']?.permissions, { 'id-token': 'write' })
    t.match(await step('evaluation', nightly, scheduled), { code: 2, log: /NOT JUDGED .*id-token: write/ })
    const refusing = await recorder(t, { status: 403, body: '{}' })
    const requestable = { ...scheduled, ACTIONS_ID_TOKEN_REQUEST_URL: `${refusing.url}/token?x=1` }
    t.match(await step('evaluation', nightly, requestable), {
      code: 2,
      log: /NOT JUDGED .*no identity token/,
    })
  })
})

const recorder = record

t.test('GitLab CI', async (t) => {
  type Job = { readonly script: string[] }
  const pipeline = parse(readFileSync('examples/gitlab-ci.yml', 'utf8')) as Readonly<Record<string, Job>>
  const { server, folder } = await start(t)
  checkout(folder, 'ci/gatehouse.sh', { 'tests/e2e/test_ppo.py': GATES, 'record.jsonl': loss(0.5) })
  const job = (name: string, env: Readonly<Record<string, string>>) => {
    // GitLab runs all lines of a job in one shell.
    const script = pipeline[name]!.script.filter((line) => !line.startsWith('python3 ')).join('\n')
    return runStep(['bash', '-eo', 'pipefail', '-c'], script, {
      cwd: folder,
      env: {
        GATEHOUSE_URL: server.url,
        CI_PROJECT_ID: '7',
        CI_JOB_ID: '900',
        CI_PIPELINE_ID: '800',
        CI_PIPELINE_SOURCE: 'push',
        CI_COMMIT_SHA: SHA,
        CI_COMMIT_REF_NAME: 'main',
        ...env,
      },
    })
  }
  const nightly = { CI_PIPELINE_SOURCE: 'schedule', GATEHOUSE_CADENCE: 'nightly' }
  t.match(await job('ppo', nightly), { code: 0, log: /PASS \(trusted\)/ })
  t.match(await job('ppo', nightly), { code: 0, log: /PASS/ }, 'the same job sent again')
  const runs = (await (await fetch(`${server.url}/v1/runs`)).json()) as { items: unknown[] }
  t.match(runs.items, [{ cadence: 'nightly', provenance: { github_run_id: 800, ref: 'main' } }])
  t.equal(runs.items.length, 1)
  t.match(await job('gatehouse', {}), { code: 0, log: /workflow run 800: pass, 1 of 1/ })
  t.match(await job('gatehouse', { CI_PIPELINE_ID: '801' }), { code: 2, log: /NOT JUDGED/ })
  const merge = {
    CI_PIPELINE_ID: '802',
    CI_JOB_ID: '901',
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_MERGE_REQUEST_IID: '5',
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '7',
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: 'b'.repeat(40),
  }
  writeFileSync(join(folder, 'record.jsonl'), loss(7))
  t.match(await job('ppo', merge), { code: 1, log: /gatehouse: FAIL/ })
  t.match(await job('ppo', { ...merge, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '8' }), {
    code: 0,
    log: /^Gate skipped: a merge request from a fork/,
  })
})
