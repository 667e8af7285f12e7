import type { InjectOptions } from 'fastify'
import t from 'tap'
import type { Test } from 'tap'
import type { ComparisonDocument } from '../../src/documents/evals-comparison.js'
import type { GridDocument } from '../../src/documents/evals-grid.js'
import { forEachBackend } from '../support/stores.js'
import { openClient, post, type Client } from './support.js'

/** A test over HTTP on a store of each backend. */
export function onBoth(name: string, test: (t: Test, client: Client) => Promise<void>): void {
  forEachBackend((backend, open) => {
    t.test(`${backend}: ${name}`, async (t) => {
      const { store } = await open(t)
      await test(t, await openClient(t, { store }))
    })
  })
}

export const GRIDS = '/v1/evals/grids'
export const RUNS = '/v1/evals/runs'
export const COMPARISONS = '/v1/evals/comparisons'

export const MARKDOWN = { accept: 'text/markdown' }
export const JUNIT = { accept: 'application/junit+xml' }

export function row(task: string, fields: object = {}) {
  return { task, harness: 'docker', reward: 1, ...fields }
}

/** A grid of tasks under one harness. */
export function grid(tasks: readonly string[], results: readonly object[], fields: object = {}) {
  return { name: 'smoke', plan: { tasks, harnesses: ['docker'] }, results, ...fields }
}

/** A run of questions q1, q2, … with these scores; without the context 0. */
export function run(scores: readonly unknown[], fields: object = {}) {
  return {
    answer_model: { provider: 'acme', model: 'm-1' },
    judge: { kind: 'single', provider: 'acme', model: 'j-1' },
    questions: scores.map((score, index) => ({
      question_id: `q${index + 1}`,
      context_score: score,
      baseline_score: 0,
    })),
    ...fields,
  }
}

export function put(name: string, payload: object): InjectOptions {
  return { method: 'PUT', url: `${RUNS}/${encodeURIComponent(name)}`, payload }
}

export async function judged(t: Test, { call }: Client, body: object): Promise<GridDocument> {
  const response = await call(post(body, GRIDS))
  t.equal(response.statusCode, 201, response.body.slice(0, 300))
  return response.json()
}

export async function compared(t: Test, { call }: Client, body: object): Promise<ComparisonDocument> {
  const response = await call(post(body, COMPARISONS))
  t.equal(response.statusCode, 201, response.body.slice(0, 300))
  return response.json()
}
