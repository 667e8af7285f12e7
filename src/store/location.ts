import { resolve } from 'node:path'
import type { DatabaseLocation } from '../config.js'

/** Where a store is, for people: a file's absolute path, or host and database. Never the user or the password. */
export function describeLocation(database: DatabaseLocation): string {
  if (database.kind === 'sqlite') return resolve(database.path)
  const { host, pathname, searchParams } = new URL(database.url)
  const server = host || (searchParams.get('host') ?? 'localhost')
  return `${server}${pathname === '/' ? '' : pathname} (PostgreSQL)`
}
