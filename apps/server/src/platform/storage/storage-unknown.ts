/** Removal of files on the disk that have no row: a power cut between the write and the commit leaves one. */
import { oneOf, type Database } from '../database/database.ts'
import type { Disk, ListedFile } from './disk.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FOLDERS = 256
const FILE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Remove them from one of the 256 folders, another one each hour, so that all are checked within eleven days without listing a million
 * names at once. A file of the last day may still be waiting for its row.
 * @returns the number of removed files
 */
export async function sweepUnknown(disk: Disk, db: Database, now: number): Promise<number> {
  const folder = (Math.floor(now / HOUR_MS) % FOLDERS).toString(16).padStart(2, '0')
  const files: ListedFile[] = []
  for await (const file of disk.list(folder)) files.push(file)
  const idOf = ({ key }: ListedFile) => key.slice(folder.length + 1).split('.')[0]!
  const ids = [...new Set(files.map(idOf))].filter((id) => FILE_ID.test(id))
  if (ids.length === 0) return 0
  const registered = await db.selectFrom('file').select('id').where('id', '=', oneOf(ids)).execute()
  const unknown = new Set(ids)
  for (const { id } of registered) unknown.delete(id)
  let removed = 0
  for (const file of files.filter((one) => unknown.has(idOf(one)))) {
    // By the disk's own clock, with which the file was written.
    const writtenAt = await file.writtenAt()
    if (writtenAt === null || writtenAt > Date.now() - DAY_MS) continue
    await disk.delete(file.key)
    removed++
  }
  return removed
}
