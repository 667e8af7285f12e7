import { getHeapStatistics } from 'node:v8'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GatehouseError } from '../../errors.js'
import type { App } from '../app-types.js'
import type { BytesInFlight, Hold } from '../bytes-in-flight.js'
import { type Turn, Turns } from '../turns.js'
import { whenOver } from '../when-over.js'

const KIB = 1_024
const MIB = 1_024 * KIB

/** What of the heap's limit all requests may take together. */
export interface MemoryBudgets {
  /** Bodies as they arrive, and answers until they are sent; buffers, beside the heap. */
  readonly bytesInFlight: number
  /** The estimated cost of bodies that are being parsed, judged and stored. */
  readonly work: number
}

export function memoryBudgets(heapLimit: number = getHeapStatistics().heap_size_limit): MemoryBudgets {
  return { bytesInFlight: heapLimit / 4, work: heapLimit / 2 }
}

/**
 * Bodies up to this size never wait for larger ones. Measured: a record of 32 MiB takes 1 GiB while it is judged, and
 * one of 1 MiB that makes 100,000 checks 300 MiB.
 */
const SMALL = 256 * KIB
const SMALL_SHARE = 0.25
/** A few slow uploads that declare much must not keep out the many that need little. */
export const SMALL_REQUESTS = { upTo: SMALL, share: SMALL_SHARE }
const HEAP_PER_BYTE = 32
const HEAP_PER_BYTE_OF_CHECKS = 300
const MOST_OF_CHECKS = MIB
/** The text, and its copy on the way to the socket. A client that does not read its answer keeps both. */
const HEAP_PER_BYTE_OF_ANSWER = 2

/** How long a body that has arrived waits until it is parsed. */
const PATIENCE_MS = 10_000

/**
 * Whether one body of the largest size could exhaust the heap, whatever else is refused.
 * @returns the heap that such a body wants, in bytes; null where there is enough
 */
export function missingHeap(
  maxBodyBytes: number,
  heapLimit: number = getHeapStatistics().heap_size_limit,
): number | null {
  const wanted = estimatedCost(maxBodyBytes)
  return wanted > heapLimit ? wanted : null
}

function estimatedCost(bytes: number): number {
  return bytes * HEAP_PER_BYTE + Math.min(bytes, MOST_OF_CHECKS) * HEAP_PER_BYTE_OF_CHECKS
}

/** The share of memory that one request has, from its head to the end of its answer. */
export class MemoryShare {
  readonly #hold: Hold
  readonly #enter: (bytes: number) => Promise<Turn>
  #turn: Turn | null = null

  constructor(hold: Hold, enter: (bytes: number) => Promise<Turn>) {
    this.#hold = hold
    this.#enter = enter
  }

  /**
   * Waits until a body that has arrived may be parsed.
   * @throws GatehouseError unavailable when its turn does not come
   */
  async parse(bytes: number): Promise<void> {
    this.#hold.resize(bytes)
    this.#turn = await this.#enter(bytes)
  }

  /** The work is done, and its answer is what is left of it; 0 once that is sent. */
  answer(bytes: number): void {
    this.#turn?.cost(bytes * HEAP_PER_BYTE_OF_ANSWER)
    this.#hold.resize(bytes)
  }
}

/**
 * Bounds the memory of requests. A body counts by its declared length before it is read (one of unknown length as the
 * largest that is taken); where there is no room the request is refused, and nothing of it read. Parsing and judging
 * take many times its size, so bodies that have arrived are worked on by turns. What is in flight finishes.
 */
export function boundMemory(
  app: App,
  bytesInFlight: BytesInFlight,
  { work }: MemoryBudgets,
  maxBodyBytes: number,
): void {
  const small = new Turns(work * SMALL_SHARE, PATIENCE_MS)
  const large = new Turns(work * (1 - SMALL_SHARE), PATIENCE_MS)
  const enter = async (bytes: number) => {
    try {
      return await (bytes <= SMALL ? small : large).enter(estimatedCost(bytes))
    } catch (error) {
      app.metrics.refused('work_queue')
      throw error
    }
  }

  app.decorateRequest('memory')
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.alive === true) return done()
    const hold = bytesInFlight.take(expectedBytes(request, maxBodyBytes))
    if (hold === null) {
      app.metrics.refused('bytes_in_flight')
      throw new GatehouseError(
        'unavailable',
        'too much is being uploaded at once; send it again in some seconds',
      )
    }
    const share = new MemoryShare(hold, enter)
    request.memory = share
    whenOver(reply, () => {
      // The client may be gone while its request is still worked on: then its answer ends the share.
      if (reply.sent || !request.raw.complete) share.answer(0)
    })
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    request.memory?.answer(reply.raw.destroyed ? 0 : sizeOf(payload, reply))
    done()
  })
}

/** Bodies that the route reads as they come are never held whole; one that is too large is refused unread. */
function expectedBytes({ headers, routeOptions }: FastifyRequest, maxBodyBytes: number): number {
  if (routeOptions.config.streams === true) return 0
  if (headers['transfer-encoding'] !== undefined) return maxBodyBytes
  const declared = Number(headers['content-length'] ?? 0)
  return declared <= maxBodyBytes ? declared : 0
}

/** Of a stream what its length is said to be: one of pieces that lie ready. Others make theirs as they are read. */
function sizeOf(payload: unknown, reply: FastifyReply): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length
  return Number(reply.getHeader('content-length') ?? 0)
}
