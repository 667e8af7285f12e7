import t from 'tap'
import { readConfig, type Environment } from '../src/config.js'

const noFile = () => {
  throw new Error('ENOENT')
}
const read = (env: Environment, file?: string) => readConfig(env, file === undefined ? noFile : () => file)
const withFile = (file: string) => read({ GATEHOUSE_CONFIG: 'gatehouse.json' }, file)

function faultsOf(outcome: ReturnType<typeof readConfig>): string[] {
  return outcome.ok ? [] : outcome.faults.map(({ where, message }) => `${where}: ${message}`)
}

t.test('defaults', (t) => {
  const config = read({})
  t.match(config, {
    ok: true,
    value: {
      host: '127.0.0.1',
      port: 8080,
      database: { kind: 'sqlite', path: 'data/gatehouse.db' },
      readReplicaUrl: null,
      logLevel: 'info',
      baselineWindow: 20,
      enforceMinHistory: 10,
      maxBodyBytes: 33_554_432,
      rateLimit: 6_000,
      verdictRetentionDays: 90,
      adminToken: null,
      publicRead: false,
      badgesPublic: false,
      cadencePolicy: { nightlyLabel: 'nightly' },
    },
  })
  t.ok(config.ok && config.value.gateDefaults.has('train/ppo_kl'))
  t.same(
    read({
      PORT: '',
      HOST: '',
      DATABASE_URL: '',
      LOG_LEVEL: '',
      GATEHOUSE_CONFIG: '',
      GATEHOUSE_ADMIN_TOKEN: '',
      GATEHOUSE_PUBLIC_READ: '',
      BADGES_PUBLIC: '',
    }),
    config,
    'empty is not set',
  )
  t.end()
})

t.test('what can be set', (t) => {
  const config = read({
    HOST: '0.0.0.0',
    PORT: '0',
    DATABASE_URL: 'postgresql://gatehouse@db/history',
    DATABASE_READ_URL: 'postgres://gatehouse@replica/history',
    DATABASE_POOL_SIZE: '5',
    LOG_LEVEL: 'debug',
    BASELINE_WINDOW: '10',
    ENFORCE_MIN_HISTORY: '10',
    MAX_BODY_MIB: '1',
    RATE_LIMIT: '0',
    VERDICT_RETENTION_DAYS: '7',
    GATEHOUSE_ADMIN_TOKEN: '~'.repeat(32),
    GATEHOUSE_PUBLIC_READ: 'true',
    BADGES_PUBLIC: 'false',
  })
  t.match(config, {
    value: {
      host: '0.0.0.0',
      port: 0,
      database: { kind: 'postgres', url: 'postgresql://gatehouse@db/history' },
      readReplicaUrl: 'postgres://gatehouse@replica/history',
      databasePoolSize: 5,
      logLevel: 'debug',
      baselineWindow: 10,
      maxBodyBytes: 1_048_576,
      rateLimit: 0,
      verdictRetentionDays: 7,
      adminToken: '~'.repeat(32),
      publicRead: true,
      badgesPublic: false,
    },
  })
  t.match(read({ DATABASE_URL: 'sqlite:/var/lib/g.db' }), {
    value: { database: { kind: 'sqlite', path: '/var/lib/g.db' } },
  })
  t.end()
})

t.test('every fault at once, under its name', (t) => {
  const faults = faultsOf(
    read({
      PORT: '65536',
      DATABASE_URL: 'mysql://user:secret@host/db',
      DATABASE_READ_URL: 'replica:secret',
      DATABASE_POOL_SIZE: '0',
      LOG_LEVEL: 'loud',
      BASELINE_WINDOW: '5',
      MAX_BODY_MIB: '1.5',
      RATE_LIMIT: '-1',
      VERDICT_RETENTION_DAYS: '-1',
      GATEHOUSE_ADMIN_TOKEN: 'secret',
      GATEHOUSE_PUBLIC_READ: 'yes',
      BADGES_PUBLIC: 'TRUE',
      GATEHOUSE_CONFIG: 'none.json',
    }),
  )
  const names = [
    'PORT',
    'BASELINE_WINDOW',
    'LOG_LEVEL',
    'DATABASE_URL',
    'DATABASE_READ_URL',
    'DATABASE_POOL_SIZE',
    'MAX_BODY_MIB',
    'RATE_LIMIT',
    'VERDICT_RETENTION_DAYS',
    'GATEHOUSE_ADMIN_TOKEN',
    'GATEHOUSE_PUBLIC_READ',
    'BADGES_PUBLIC',
    'GATEHOUSE_CONFIG',
  ]
  t.same(new Set(faults.map((fault) => fault.split(':')[0])), new Set(names))
  t.notMatch(faults.join('\n'), /secret/, 'a URL may hold a password')
  t.match(
    faults.find((fault) => fault.startsWith('BASELINE_WINDOW')),
    /less than ENFORCE_MIN_HISTORY \(10\)/,
  )
  for (const url of ['sqlite:', 'sqlite::memory:', 'sqlite://data/x.db', 'postgres://', 'data/x.db']) {
    t.equal(faultsOf(read({ DATABASE_URL: url })).length, 1, url)
  }
  for (const [adminToken, message] of [
    ['x'.repeat(31), /has 31 characters; it needs at least 32/],
    ['x'.repeat(513), /has 513 characters/],
    [`${'x'.repeat(31)} y`, /no white space/],
    ['é'.repeat(32), /visible ASCII/],
  ] as const) {
    t.match(faultsOf(read({ GATEHOUSE_ADMIN_TOKEN: adminToken })), [message])
  }
  t.match(faultsOf(read({ DATABASE_READ_URL: 'postgres://u@h/d' })), [/replica of PostgreSQL/])
  t.end()
})

t.test('the file', (t) => {
  const config = withFile(`{
    "cadence": {"schedules": {"0 15 * * 0-5": "nightly", "0 15 * * 6": "weekly"}, "baseline_refs": ["refs/heads/release"], "nightly_label": "full"},
    "gate_defaults": {"mode": "extend", "metrics": {"perf/tokens_per_s": {"steps": "last", "constraint": {"rel_down": 5e-2}}}}
  }`)
  t.ok(config.ok)
  if (!config.ok) return t.end()
  const { cadencePolicy, gateDefaults } = config.value
  t.same(
    [...cadencePolicy.schedules],
    [
      ['0 15 * * 0-5', 'nightly'],
      ['0 15 * * 6', 'weekly'],
    ],
  )
  t.same([...cadencePolicy.baselineRefs], ['refs/heads/release'])
  t.equal(cadencePolicy.nightlyLabel, 'full')
  t.ok(gateDefaults.has('perf/tokens_per_s') && gateDefaults.has('train/ppo_kl'))
  t.match(withFile('\ufeff{}'), { ok: true })
  t.end()
})

t.test('faults of the file', (t) => {
  const cases: ReadonlyArray<readonly [string, RegExp]> = [
    ['{', /file: is no JSON: line 1, column 2: /],
    ['{"cadence": {\n  "nightly_label": nightly\n}}', /file: is no JSON: line 2, column 20: /],
    ['\ufeff{"oidc": [],\r\n}', /file: is no JSON: line 2, column 1: /],
    ['[]', /must be a JSON object/],
    ['{"cadence": {}, "cadence": {}}', /cadence: the key stands here twice/],
    ['{"cadences": {}}', /cadences: is not known; known are cadence, gate_defaults/],
    ['{"oidc": {}}', /oidc: must be a list of issuers/],
    ['{"cadence": []}', /cadence: must be an object/],
    ['{"cadence": {"schedule": {}}}', /cadence\/schedule: is not known/],
    ['{"cadence": {"schedules": []}}', /cadence\/schedules: must be an object/],
    [
      '{"cadence": {"schedules": {"0 15 * * *": "daily"}}}',
      /must be one of nightly, weekly, regular, release/,
    ],
    ['{"cadence": {"schedules": {"@daily": "nightly"}}}', /five fields/],
    ['{"cadence": {"baseline_refs": ["main"]}}', /full refs/],
    ['{"cadence": {"baseline_refs": []}}', /full refs/],
    ['{"cadence": {"nightly_label": ""}}', /name of a label/],
    [
      '{"gate_defaults": {"metrics": {"x": {"steps": "last", "constraint": {"rel_up": 1}}}}}',
      /gate_defaults\/metrics\/x/,
    ],
  ]
  for (const [file, message] of cases) t.match(faultsOf(withFile(file)).join('\n'), message, file)
  t.equal(faultsOf(withFile('{"oidc": {}, "x": 1, "cadence": {"y": 1}}')).length, 3)
  t.end()
})
