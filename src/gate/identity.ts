/** Rules for what names a run and its series, wherever it comes from: a submission, a revocation, an import. */

export const MAX_TEST_PATH = 512
/** Of a backend, and of a suite. */
export const MAX_STAGE = 128
/** Of other texts that are kept. */
export const MAX_TEXT = 1_024
/** UTF-8 bytes of test path, backend and suite together: an index entry must hold them. */
export const MAX_SERIES_BYTES = 2_000
export const MAX_INT32 = 2 ** 31 - 1

const MAX_INT64 = 2n ** 63n - 1n

/** Why a text is no whole commit SHA; null when it is one. */
export function commitShaFault(text: string): string | null {
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)) return null
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text))
    return 'holds upper-case digits; write the SHA in lower case'
  if (/^[0-9a-f]{4,63}$/i.test(text)) {
    return `has ${text.length} digits; send the whole SHA (40 or 64 hex digits), not a prefix`
  }
  return 'is no commit SHA; send the whole one (40 or 64 lower-case hex digits)'
}

/** Why the digits of an id, as written, are no integer from 0 to 2^63-1; null when they are. */
export function int64Fault(text: string): string | null {
  if (!/^\d{1,40}$/.test(text)) return 'must be an integer in decimal digits'
  return BigInt(text) <= MAX_INT64 ? null : `is beyond 2^63-1`
}
