import t from 'tap'
import { openPostgres } from '../support/stores.js'
import { storeContract } from './contract.js'

// The whole contract in one file: longer than a file's usual 30 seconds on a busy machine.
t.setTimeout(240_000)

storeContract({ name: 'postgres', open: openPostgres })
