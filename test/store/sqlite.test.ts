import { openSqlite } from '../support/stores.js'
import { storeContract } from './contract.js'

storeContract({ name: 'sqlite', open: openSqlite })
