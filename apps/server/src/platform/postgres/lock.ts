/** One process per data directory. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { closeDataDirectory } from '../data-directory.ts'

export interface DataDirectoryLock {
  /** May be called twice. */
  release(): void
}

/** Another running process holds the directory; the message is for the operator. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse'
}

/**
 * Lock a directory for this process, creating it where it is missing and closing it to other accounts. The lock is the operating system's
 * own on an empty SQLite file. It ends with the process in every case, so there is no stale lock to detect. It works across containers
 * that share the directory, where process numbers mean nothing. `owner.pid` beside it only serves the error message.
 * @param named the directory the operator configured, where `directory` is only a part of it
 * @throws DataDirectoryInUse with a sentence that names the directory and the process
 */
export function lockDataDirectory(directory: string, named = directory): DataDirectoryLock {
  closeDataDirectory(named)
  closeDataDirectory(directory)
  const ownerFile = join(directory, 'owner.pid')
  const database = new DatabaseSync(join(directory, 'lock'), { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (!isBusy(error)) throw error
    throw new DataDirectoryInUse(
      `The data directory ${resolve(named)} is in use by another running Gatehouse${processText(ownerFile)}. ` +
        'Stop that one first, or give this one a directory of its own with DATA_DIR.',
    )
  }
  writeFileSync(ownerFile, `${process.pid}\n`)
  return {
    release: () => {
      if (database.isOpen) database.close()
    },
  }
}

const SQLITE_BUSY = 5
const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === SQLITE_BUSY

function processText(ownerFile: string): string {
  try {
    return ` (process ${readFileSync(ownerFile, 'utf8').trim()})`
  } catch {
    return ''
  }
}
