/** Writes openapi/openapi.json, or with --check says whether the committed one is stale. */
import { readFileSync, writeFileSync } from 'node:fs'
import { openapiText } from './openapi-text.js'

const FILE = 'openapi/openapi.json'

const text = await openapiText()
if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== text) {
    console.error(`${FILE} is stale; run npm run openapi`)
    process.exitCode = 1
  }
} else {
  writeFileSync(FILE, text)
  console.log(`${FILE} written`)
}
