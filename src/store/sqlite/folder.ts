/** Making the folder of a database file. */
import { mkdirSync, statSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it that are missing. One after the other: `mkdirSync` with `recursive` tries for ever
 * where a file system answers ENOENT for a folder whose parent there is, as /proc does.
 * @param path absolute
 * @throws NodeJS.ErrnoException where it cannot be made
 */
export function makeFolder(path: string): void {
  const missing: string[] = []
  let above = path
  for (; entryAt(above) === undefined && dirname(above) !== above; above = dirname(above)) missing.push(above)
  if (entryAt(above)?.isDirectory() !== true) throw noFolder(above)
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder)
    } catch (error) {
      // Another process made it meanwhile.
      if (entryAt(folder)?.isDirectory() !== true) throw error
    }
  }
}

function entryAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // Something above it is no folder, and will be found to be none.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}

function noFolder(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR', syscall: 'mkdir', path })
}
