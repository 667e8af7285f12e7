import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'
import { importBoundaries } from './scripts/import-boundaries.mjs'

/** Which folder may know of which (`npm run check:imports`). Tests and scripts may know everything. */

const PURE = ['src/gate/*', 'src/policy/*', 'src/evals/*', 'src/promotion/*', 'src/replay/*']
const PURE_MAY_IMPORT = [...PURE, 'lossless-json', 'decimal.js']
const PYTHON = ['src/gate/python/*']
const DECODING = ['src/gate/decode.ts']
const EVAL_LOGS = ['src/evals/import/*']
const BACKENDS = ['src/store/sqlite/*', 'src/store/postgres/*']
const DRIVERS = ['better-sqlite3', 'pg', 'pg-*']
/** Who may open a backend, through its one function. */
const OPENERS = ['src/store/open*']
const OPEN = ['src/store/sqlite/open', 'src/store/postgres/open']

const boundaries = [
  {
    files: PURE,
    except: [...PYTHON, ...DECODING, ...EVAL_LOGS],
    only: PURE_MAY_IMPORT,
    types: ['src/errors'],
    reason:
      'pure rules import each other, the types of errors, lossless-json and decimal.js; nothing that reads, waits or logs',
  },
  {
    files: PYTHON,
    only: [
      ...PURE_MAY_IMPORT,
      'web-tree-sitter',
      'tree-sitter-python/*',
      '@astral-sh/ruff-wasm-nodejs',
      'node:module',
      'node:url',
    ],
    types: ['src/errors'],
    reason: 'pure rules import each other; the source reader its parsers besides, and what finds their wasm',
  },
  {
    files: DECODING,
    only: [...PURE_MAY_IMPORT, 'node:buffer'],
    types: ['src/errors'],
    reason: 'pure rules import each other; what makes text of bytes also what tells of bytes what they are',
  },
  {
    files: EVAL_LOGS,
    only: [...PURE_MAY_IMPORT, 'src/convert/python-json'],
    types: ['src/errors'],
    reason: 'pure rules import each other; the readers of eval logs also JSON as Python writes it',
  },
  {
    files: ['src/convert/*'],
    only: ['src/convert/*', 'src/gate/*', 'src/exchange/*', 'lossless-json', 'csv-parse/*'],
    types: ['src/errors', 'src/documents/*'],
    reason: 'a converter is text in and text out',
  },
  {
    files: ['src/exchange/*'],
    only: ['src/exchange/*', 'src/gate/*', 'src/documents/json', 'node:crypto'],
    types: ['src/store/exchange', 'src/store/runs', 'src/errors'],
    reason: 'the line format is computed from what it is given; a hash is no I/O',
  },
  {
    files: ['src/documents/*'],
    only: ['src/documents/*', 'typebox', 'typebox/*', 'lossless-json'],
    reason: 'a document is a schema and its text: it imports typebox, lossless-json and other documents',
  },
  {
    files: ['src/dashboard/*'],
    only: [
      'src/dashboard/*',
      'src/charts/*',
      'src/http/page-paths',
      // One formula of the test, wherever it is drawn.
      'src/promotion/mixture',
      'preact',
      'preact/*',
      'uplot',
      'uplot/*',
    ],
    types: ['src/documents/*', 'src/policy/scopes', 'typebox'],
    reason:
      'the page is a client: of the server it knows the types of its answers and the addresses of its views',
  },
  {
    files: ['src/*'],
    except: ['src/dashboard/*'],
    never: ['src/dashboard/*', 'preact', 'preact/*', 'uplot', 'uplot/*'],
    reason: 'the server knows of the page only where its files lie',
  },
  {
    files: ['src/charts/*'],
    only: ['src/charts/*', 'src/gate/reasons'],
    types: ['src/documents/*'],
    reason: 'what a chart shows is computed from what it is given, in a browser as on the server',
  },
  {
    files: ['src/*'],
    except: [...BACKENDS, ...OPENERS],
    never: [...BACKENDS, ...DRIVERS],
    reason: 'only the backends know a driver or a dialect; the process opens the store and hands it on',
  },
  {
    files: OPENERS,
    never: [...BACKENDS, ...DRIVERS],
    but: OPEN,
    reason: 'a backend is opened by its one function',
  },
  {
    files: ['src/*'],
    except: ['src/store/*'],
    never: ['src/store/queries/*', 'src/store/tables', 'kysely', 'kysely/*'],
    reason: 'queries stay behind the store contract',
  },
  {
    files: ['src/operations/*', 'src/auth/*', 'src/store/*', 'src/source-reader/*'],
    never: ['fastify', 'fastify/*', '@fastify/*', 'src/http/*', 'src/app', 'src/server'],
    reason: 'nothing below HTTP knows of it',
  },
  {
    files: ['src/store/*'],
    never: ['src/operations/*', 'src/auth/*'],
    reason: 'the store knows nothing of those who use it',
  },
]

const noClock = 'pure rules take the time as an argument'

export default defineConfig(
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    languageOptions: { parser: tseslint.parser },
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
    plugins: { local: { rules: { 'import-boundaries': importBoundaries } } },
    rules: { 'local/import-boundaries': ['error', { root: import.meta.dirname, boundaries }] },
  },
  {
    files: [...PURE, 'src/charts/*'].map((folder) => folder.replace('*', '**/*.ts')),
    rules: {
      'no-restricted-globals': [
        'error',
        'process',
        'console',
        'fetch',
        'setTimeout',
        'setInterval',
        'setImmediate',
        'performance',
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: noClock },
        { object: 'Math', property: 'random', message: 'pure rules take chance as an argument' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: noClock },
      ],
    },
  },
)
