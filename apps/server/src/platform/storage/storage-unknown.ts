/** Files on the disk that no row knows: a power cut between the bytes and the commit leaves one. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { oneOf, type Database } from '../database/database.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FOLDERS = 256
const FILE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Removes them from one of the 256 folders: another one each hour, so that all have been looked through in eleven days
 * without reading a million names at once. A file of the last day may still be waiting for its row.
 * @returns how many files went
 */
export async function sweepUnknown(root: string, db: Database<{ file: { id: string } }>, now: number): Promise<number> {
  const folder = join(root, (Math.floor(now / HOUR_MS) % FOLDERS).toString(16).padStart(2, '0'))
  const names = await readdir(folder).catch((): string[] => [])
  const idOf = (name: string) => name.split('.')[0]!
  const ids = [...new Set(names.map(idOf))].filter((id) => FILE_ID.test(id))
  if (ids.length === 0) return 0
  const known = await db.selectFrom('file').select('id').where('id', '=', oneOf(ids)).execute()
  const unknown = new Set(ids)
  for (const { id } of known) unknown.delete(id)
  let removed = 0
  for (const name of names.filter((one) => unknown.has(idOf(one)))) {
    const path = join(folder, name)
    // The disk's own clock, by which the file was written.
    if ((await stat(path)).mtimeMs > Date.now() - DAY_MS) continue
    await rm(path, { force: true })
    removed++
  }
  return removed
}
