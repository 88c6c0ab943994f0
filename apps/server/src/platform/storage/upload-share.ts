/**
 * Limits on what one user, or the visitors of one link, may store on the disk, and on how much of the disk uploads may fill.
 *
 * A file counts for a day against the share of its uploader. For a user it no longer counts once a person, card or setting uses it: a
 * user who registers people all day is not stopped, one who uploads unused files is. For a link it goes on counting, because its visitors
 * are strangers and what they submit is stored until a user reviews it.
 *
 * Devices have no share: their records must reach the server even while uploads are refused for lack of space.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { statfs } from 'node:fs/promises'
import type { Clock } from '../time/clock.ts'
import { sql, timestamp, type Database } from '../database/database.ts'
import { Hindered } from '../http/refusal.ts'

const MEBIBYTE = 1_048_576
const DAY_MS = 86_400_000
/** Files and stored bytes per day: photographs of some thousand people, as an import or the link of a whole company brings at once. */
const SHARES = {
  user: { files: 20_000, bytes: 2048 * MEBIBYTE },
  link: { files: 10_000, bytes: 2048 * MEBIBYTE },
} as const
/** Space that uploads leave for records and the database: this many bytes, or on a small disk this part of it. */
const LEFT_BYTES = 1024 * MEBIBYTE
const LEFT_PART = 0.05

/** The owner of a share: a user of any kind, or a link whoever uses it. */
export interface Uploader {
  kind: keyof typeof SHARES
  id: string
}

export interface DiskSpace {
  free: number
  total: number
}
/** Returns the space of the disk a folder is on. */
export type MeasureSpace = (folder: string) => Promise<DiskSpace>

const measured: MeasureSpace = async (folder) => {
  const { bsize, bavail, blocks } = await statfs(folder)
  return { free: bsize * bavail, total: bsize * blocks }
}

const current = new AsyncLocalStorage<{ name: string | null }>()

/** The uploader as stored in `file.uploaded_by`. */
const nameOf = ({ kind, id }: Uploader): string => `${kind} ${id}`
/** SQL pattern of the names of links. */
export const IS_LINK = sql.lit('link %')

/** Return the uploader whose request is being handled; null where there is none, as in the background. */
export const currentUploader = (): string | null => current.getStore()?.name ?? null

/** Run work whose stored files count against the share of the uploader. */
export async function duringUpload<T>(uploader: Uploader, work: () => Promise<T>): Promise<T> {
  const place: { name: string | null } = { name: nameOf(uploader) }
  try {
    return await current.run(place, work)
  } finally {
    // Background work that goes on afterwards belongs to the server.
    place.name = null
  }
}

/** Checks whether an uploader may store more bytes. @throws Hindered where the share of a day is used up, or the disk is too full */
export type AdmitUpload = (uploader: Uploader, bytes: number) => Promise<void>

export function createUploadShares(dataDir: string, db: Database, clock: Clock, space: MeasureSpace = measured): AdmitUpload {
  return async (uploader, bytes) => {
    const { free, total } = await space(dataDir)
    if (free - bytes < Math.min(LEFT_BYTES, total * LEFT_PART)) throw new Hindered([{ path: 'file', rule: 'diskFull' }], {})
    const { rows } = await sql<{ files: number; bytes: number }>`SELECT count(*) AS files, coalesce(sum(size), 0)::bigint AS bytes FROM file
      WHERE uploaded_by = ${nameOf(uploader)} AND created_at > ${timestamp(clock.now() - DAY_MS)}`.execute(db)
    const share = SHARES[uploader.kind]
    if (rows[0]!.files < share.files && rows[0]!.bytes < share.bytes) return
    const params = { files: share.files, megabytes: share.bytes / MEBIBYTE }
    throw new Hindered([{ path: 'file', rule: uploader.kind === 'user' ? 'uploadShare' : 'uploadShareLink', params }], {})
  }
}
