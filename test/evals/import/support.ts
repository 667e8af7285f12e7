import { readFileSync } from 'node:fs'
import type { LogFile, ScoreChoice } from '../../../src/evals/import/eval-log.js'

export const ANY: ScoreChoice = { metric: null, filter: null }

export function fixture(name: string): LogFile {
  return { name: `logs/${name}`, text: readFileSync(`test/fixtures/evals/${name}`, 'utf8') }
}

type Json = Record<string, unknown>

/** A fixture with something in it changed; the fixture must be plain JSON. */
export function edited(file: LogFile, edit: (root: Json) => void): LogFile {
  const root = JSON.parse(file.text.replaceAll(/: NaN\b/g, ': null')) as Json
  edit(root)
  return { ...file, text: JSON.stringify(root) }
}

/** A member of parsed JSON that the test knows to be an object or a list. */
export function at(root: unknown, ...path: ReadonlyArray<string | number>): Json {
  return path.reduce<unknown>((value, key) => (value as Json)[key], root) as Json
}
