/**
 * The daily upkeep of the months of the record table: future months are created before the first record needs one; months past
 * retention are detached, their pictures released, and dropped. After an interruption the next run continues.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Platform } from '../../platform/context.ts'
import { isLockTimeout } from '../../platform/database/database.ts'
import { BEFORE_ALL_IDS } from '../../platform/database/ids.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { partsBy } from './ingest-store.ts'
import { createPartitions } from './partitions.ts'
import { recordCompanions } from './extension-points.ts'
import * as data from './partitions-data.ts'
import { deleteForgottenNamesUnscoped } from './record-names-data.ts'

/** Months created ahead, after the present one. */
const AHEAD = 2
/** Pictures released in one transaction. */
const PICTURES_AT_ONCE = 2_000
/** How long readers may have to wait while a month is detached, and how often detaching is attempted. */
const DETACH_WAIT_MS = 200
const DETACH_ATTEMPTS = 10
const DETACH_PAUSE_MS = 500
const DAY = 86_400_000

interface PartitionsJobOptions {
  /** Months a record is kept after the month it falls in; null: without limit. */
  retentionMonths: number | null
}

/** Return the first moment of the month that is `months` after the one of `now`, UTC. */
function monthFrom(now: number, months: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)
}

/** The daily job `access.partitions`. */
export function createPartitionsJob(platform: Platform, { retentionMonths }: PartitionsJobOptions): Job {
  const db = platform.db

  /** Detach a month and return its table; null where the record table is in use at every attempt. */
  async function detach(name: string): Promise<string | null> {
    for (let attempt = 1; attempt <= DETACH_ATTEMPTS; attempt++) {
      try {
        return await platform.transaction((tx) => data.detachMonthUnscoped(tx, name, DETACH_WAIT_MS))
      } catch (error) {
        if (!isLockTimeout(error)) throw error
        await delay(DETACH_PAUSE_MS)
      }
    }
    return null
  }

  /** Release the pictures of a detached month, then drop its table. Safe to repeat. */
  async function drop(table: string): Promise<void> {
    let after = BEFORE_ALL_IDS
    for (;;) {
      const pictures = await data.listPicturesUnscoped(db, table, after, PICTURES_AT_ONCE)
      if (pictures.length === 0) break
      await platform.transaction(async (tx) => {
        for (const [parkId, ofPark] of partsBy(pictures, (picture) => picture.parkId))
          await platform.storage.release(
            tx,
            { parkId },
            ofPark.map(({ fileId }) => fileId),
          )
      })
      after = pictures.at(-1)!.id
    }
    await data.dropDetachedUnscoped(db, table)
    platform.log.info({ table }, 'a month of records was dropped')
  }

  return {
    name: 'access.partitions',
    schedule: '41 1 * * *',
    async run() {
      const now = platform.clock.now()
      const ahead = Array.from({ length: AHEAD + 1 }, (_, months) => monthFrom(now, months))
      await createPartitions(platform).ensure(ahead)
      for (const table of await data.listDetachedUnscoped(db)) await drop(table)
      await deleteForgottenNamesUnscoped(db, new Date(now - DAY).toISOString().slice(0, 10))
      if (retentionMonths === null) return { outcome: 'success' }
      const keptFrom = monthFrom(now, -retentionMonths)
      const past = (await data.listMonthsUnscoped(db)).filter(({ to }) => to <= keptFrom)
      for (const { name } of past) {
        const table = await detach(name)
        if (table === null) {
          platform.log.warn({ table: name }, 'a month of records is read all the time and stays until the next run')
          return { outcome: 'failed', reason: 'monthInUse' }
        }
        await drop(table)
      }
      await data.deleteNotesUnscoped(db, keptFrom)
      for (const companion of platform.extensions.all(recordCompanions)) await companion.dropped?.(keptFrom)
      return { outcome: past.length > 0 ? 'success' : 'skipped', counts: { months: past.length } }
    },
  }
}
