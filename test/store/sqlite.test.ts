import t from 'tap'
import { openSqlite } from '../support/stores.js'
import { storeContract } from './contract.js'

// The whole contract in one file: longer than a file's usual 30 seconds on a busy machine.
t.setTimeout(240_000)

// `npm run mutants` names the subjects that a change is about.
storeContract({ name: 'sqlite', open: openSqlite }, process.argv.slice(2))
