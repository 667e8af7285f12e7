import { openPostgres } from '../support/stores.js'
import { storeContract } from './contract.js'

storeContract({ name: 'postgres', open: openPostgres })
