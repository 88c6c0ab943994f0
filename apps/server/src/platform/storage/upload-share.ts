/**
 * What one user, or the visitors of one link, may leave on the disk, and how much of the disk people may fill.
 *
 * A file counts for a day against the share of whoever uploaded it. One that a person, card or setting has come to use no longer
 * counts for a user: whoever enters people all day is not stopped, and whoever uploads and leaves is. For a link it goes on
 * counting, because its visitors are strangers and what they hand in is kept until somebody looks at it.
 *
 * Devices have no share: their records must reach the server, also while people are refused for want of room.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { statfs } from 'node:fs/promises'
import type { Clock } from '../time/clock.ts'
import { sql, timestamp, type AnyDatabase } from '../database/database.ts'
import { Hindered } from '../http/refusal.ts'

const MEBIBYTE = 1_048_576
const DAY_MS = 86_400_000
/** Files and stored bytes of a day: photographs of some thousand people, which an import or a link of a whole company brings at once. */
const SHARES = {
  user: { files: 20_000, bytes: 2048 * MEBIBYTE },
  link: { files: 10_000, bytes: 2048 * MEBIBYTE },
} as const
/** Room that people leave to records and the database: so many bytes, or on a small disk such a part of it. */
const LEFT_BYTES = 1024 * MEBIBYTE
const LEFT_PART = 0.05

/** Who uploads: a user of whichever kind, or a link whoever uses it. */
export interface Uploader {
  kind: keyof typeof SHARES
  id: string
}

export interface DiskSpace {
  free: number
  total: number
}
/** The room of the disk a folder is on. */
export type MeasureSpace = (folder: string) => Promise<DiskSpace>

const measured: MeasureSpace = async (folder) => {
  const { bsize, bavail, blocks } = await statfs(folder)
  return { free: bsize * bavail, total: bsize * blocks }
}

const current = new AsyncLocalStorage<{ name: string | null }>()

/** As it stands in `file.uploaded_by`. */
const nameOf = ({ kind, id }: Uploader): string => `${kind} ${id}`
/** In SQL, whether a name is that of a link. */
export const IS_LINK = sql.lit('link %')

/** Whose upload is being handled; null: nobody's, as in the background. */
export const currentUploader = (): string | null => current.getStore()?.name ?? null

/** Files stored meanwhile count against the share of the uploader. */
export async function duringUpload<T>(uploader: Uploader, work: () => Promise<T>): Promise<T> {
  const place: { name: string | null } = { name: nameOf(uploader) }
  try {
    return await current.run(place, work)
  } finally {
    // What it began and goes on after it belongs to the server.
    place.name = null
  }
}

/** @throws Hindered where the share of a day is used up, or the disk is too full for so many more bytes */
export type AdmitUpload = (uploader: Uploader, bytes: number) => Promise<void>

export function createUploadShares(dataDir: string, db: AnyDatabase, clock: Clock, space: MeasureSpace = measured): AdmitUpload {
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
