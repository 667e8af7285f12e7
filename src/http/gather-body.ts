import type { IncomingMessage } from 'node:http'
import { errorCodes, type FastifyRequest } from 'fastify'

/** Above this, bytes are put together as they come, in memory that may be given away. */
const LARGE = 64 * 1_024

/**
 * The whole body of a request, within the limit of its route. Of a large one each piece is put in its place as it comes:
 * to join 30 MB at the end holds the event loop up, most of it for memory that is new. A large body lies alone in its
 * `ArrayBuffer`, which may be transferred.
 * @throws FastifyError as its own parsers do: too large, of another length than was declared, broken off
 */
export function gatherBody(request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit
  const declared = Number(request.headers['content-length'])
  if (declared > limit) return Promise.reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())

  return new Promise((resolve, reject) => {
    const gathered = new Gathered(declared)
    const stop = () => payload.off('data', take).off('end', end).off('error', fail)
    const take = (piece: Buffer | string) => {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
      if (gathered.length + bytes.length <= limit) return gathered.add(bytes)
      stop()
      reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    }
    const end = () => {
      stop()
      if (Number.isNaN(declared) || gathered.length === declared) resolve(gathered.whole())
      else reject(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
    }
    const fail = (error: Error & { statusCode?: number }) => {
      stop()
      reject(Object.assign(error, { statusCode: error.statusCode ?? 400 }))
    }
    payload.on('data', take).on('end', end).on('error', fail)
  })
}

class Gathered {
  length = 0
  readonly #expected: number
  #few: Buffer[] = []
  #many: Buffer | null = null

  /** @param declared NaN where nobody knows */
  constructor(declared: number) {
    this.#expected = Number.isNaN(declared) ? 0 : declared
  }

  add(bytes: Buffer): void {
    const length = this.length + bytes.length
    if (this.#many === null && length <= LARGE) this.#few.push(bytes)
    else bytes.copy(this.#room(length), this.length)
    this.length = length
  }

  whole(): Buffer {
    return this.#many?.subarray(0, this.length) ?? Buffer.concat(this.#few, this.length)
  }

  #room(length: number): Buffer {
    if (this.#many !== null && this.#many.length >= length) return this.#many
    // Of no pool. Its pages become memory when they are written to, so that what is declared and never sent takes none.
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#expected, length, 2 * (this.#many?.length ?? 0)))
    const known = this.#many === null ? this.#few : [this.#many]
    let at = 0
    for (const bytes of known) at += bytes.copy(grown, at)
    this.#few = []
    return (this.#many = grown)
  }
}
