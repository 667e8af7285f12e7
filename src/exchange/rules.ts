import { MAX_SERIES_BYTES, MAX_STAGE, MAX_TEST_PATH, MAX_TEXT } from '../gate/identity.js'
import type { Timestamp } from '../gate/run.js'
import { keyFault, MAX_METRIC_KEY, textFault } from '../gate/text.js'

/** How strict a run is read. */
export interface RunRules {
  /**
   * `written`: by hand or by another tool; names keep to the rules of a submission. `stored`: what a store held,
   * rows of other writers included; anything that a store can hold comes back.
   */
  readonly names: 'written' | 'stored'
  /** An import takes no time after this, no value that is not finite and no coordinate twice; null: no import. */
  readonly importAt: Timestamp | null
}

/** Longest run id of an import. */
const MAX_RUN_ID = 64
/** UTF-8 bytes that the databases can index. */
const MAX_METRIC_KEY_BYTES = 2_048

export function metricKeyFault(text: string, { names, importAt }: RunRules): string | null {
  if (names === 'written') return keyFault(text, MAX_METRIC_KEY)
  return textFault(text) ?? (importAt === null ? null : bytesFault(text, MAX_METRIC_KEY_BYTES))
}

export function seriesPartFault(
  name: 'test_path' | 'backend' | 'suite',
  text: string,
  rules: RunRules,
): string | null {
  if (rules.names === 'stored') return textFault(text)
  return keyFault(text, name === 'test_path' ? MAX_TEST_PATH : MAX_STAGE)
}

/** Test path, backend and suite together. */
export function seriesFault(joined: string, { importAt }: RunRules): string | null {
  return importAt === null ? null : bytesFault(joined, MAX_SERIES_BYTES)
}

export function runIdFault(text: string, { importAt }: RunRules): string | null {
  if (text === '') return 'is empty; leave it out, and one is made from the line'
  if (importAt !== null && text.length > MAX_RUN_ID && [...text].length > MAX_RUN_ID) {
    return `is longer than ${MAX_RUN_ID} characters`
  }
  return textFault(text)
}

/** Any other text of a run's provenance. */
export function provenanceTextFault(text: string, { names }: RunRules): string | null {
  if (names === 'stored') return textFault(text)
  if (text === '') return 'is empty; leave it out, or say something'
  if (text.length > MAX_TEXT && [...text].length > MAX_TEXT) return `is longer than ${MAX_TEXT} characters`
  return textFault(text)
}

function bytesFault(text: string, maximum: number): string | null {
  if (text.length * 3 <= maximum || Buffer.byteLength(text) <= maximum) return null
  return `is longer than ${maximum} bytes of UTF-8`
}
