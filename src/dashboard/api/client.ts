/**
 * Asks the API. Everything that goes wrong is an `ApiError` with what the server's problem document says. The session's
 * cookie goes along by itself; changes carry the header without which the server refuses them.
 */
import type { Page, Problem } from './types'

export class ApiError extends Error {
  /** 0 where no answer came. */
  readonly status: number
  readonly title: string
  readonly faults: Problem['errors']
  /** Names the request in the server's log; null where it was not reached. */
  readonly requestId: string | null

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? 'The server gave no reason.')
    this.status = status
    this.title = problem.title ?? `HTTP ${status}`
    this.faults = problem.errors ?? []
    this.requestId = problem.instance ?? null
  }
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface Options {
  readonly query?: Query
  readonly signal?: AbortSignal
}

/** Told whenever the server takes nobody for us any longer. */
let onUnauthorized: (refusal: ApiError) => void = () => undefined

export function whenUnauthorized(listener: (refusal: ApiError) => void): void {
  onUnauthorized = listener
}

/** @throws ApiError, or the signal's reason where it was given up */
export async function get<T>(path: string, options: Options = {}): Promise<T> {
  return ask<T>('GET', path, undefined, options)
}

/** @throws ApiError */
export async function post<T>(path: string, body: object): Promise<T> {
  return ask<T>('POST', path, body, {})
}

/** @throws ApiError */
export async function remove(path: string): Promise<void> {
  await ask('DELETE', path, undefined, {})
}

/**
 * Every page of a list up to `most` items, each page told as it comes.
 * @throws ApiError
 */
export async function getAll<T>(
  path: string,
  {
    most = 100_000,
    onPage,
    ...options
  }: Options & { most?: number; onPage?: (items: readonly T[]) => void } = {},
): Promise<{ items: T[]; isCut: boolean }> {
  const items: T[] = []
  let cursor: string | null = null
  do {
    const query: Query = { ...options.query, limit: Math.min(1_000, most - items.length), cursor }
    const page: Page<T> = await get<Page<T>>(path, { ...options, query })
    items.push(...page.items)
    cursor = page.next_cursor
    onPage?.(items)
  } while (cursor !== null && items.length < most)
  return { items, isCut: cursor !== null }
}

async function ask<T>(
  method: string,
  path: string,
  body: object | undefined,
  { query = {}, signal }: Options,
): Promise<T> {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) parameters.set(name, String(value))
  }
  const search = parameters.toString()
  let response: Response
  try {
    response = await fetch(search === '' ? path : `${path}?${search}`, {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(method !== 'GET' && { 'x-gatehouse': '1' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, { title: 'No answer', detail: 'The server cannot be reached.' })
  }
  const text = await response.text()
  if (response.ok) return (text === '' ? undefined : parse(text)) as T
  const refusal = new ApiError(response.status, problemOf(text))
  if (response.status === 401) onUnauthorized(refusal)
  throw refusal
}

function problemOf(text: string): Partial<Problem> {
  try {
    return JSON.parse(text) as Partial<Problem>
  } catch {
    // Something in between answered, a proxy mostly.
    return { detail: 'The answer is not from Gatehouse: something in between refused the request.' }
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown

/** Ids of 64 bits stay exact where the browser tells their digits; everything else is a double anyway. */
function parse(text: string): unknown {
  if (!/:\s*\d{16,19}\b/.test(text)) return JSON.parse(text)
  const exact: Reviver = (_key, value, context) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(context?.source ?? '')
      ? BigInt(context!.source!)
      : value
  return JSON.parse(text, exact)
}
