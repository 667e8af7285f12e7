/** How a store fails. */

/** An import holds a run whose id is taken by other content. */
export class ImportConflict extends Error {
  override readonly name = 'ImportConflict'
  constructor(
    readonly runId: string,
    readonly where: string,
  ) {
    super(`${where}: run ${runId} is stored with other content`)
  }
}

/** The store cannot answer now and may later: unreachable, shutting down, locked past the bound. Answered as 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  constructor(
    /** What an operator can act on, without SQL, addresses or secrets. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`the store is unavailable: ${reason}`, options)
  }
}

/** The database that the configuration names cannot be this program's: not before somebody changes one of the two. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused'
}
