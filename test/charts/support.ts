import type { HistoryPointDocument } from '../../src/documents/history.js'

/** A point of the history as the API tells it: of a trusted run whose check passed, in the middle of its corridor. */
export function historyItem(day: number, fields: Partial<HistoryPointDocument> = {}): HistoryPointDocument {
  return {
    run_id: `run-${day}`,
    created_at: new Date(Date.UTC(2026, 9, 1 + day, 2)).toISOString().replace('Z', '000Z'),
    commit_sha: 'a'.repeat(40),
    github_run_id: null,
    trusted: true,
    step: -1,
    value: 2,
    status: 'pass',
    mean: 2,
    lower: 1,
    upper: 3,
    ...fields,
  }
}
