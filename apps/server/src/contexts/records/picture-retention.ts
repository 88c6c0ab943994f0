/**
 * Pictures of records from day to day: where a park keeps them for less long than its records, those past their time are
 * deleted and the record says until when there was one. It goes through the records in their order and keeps how far it
 * is, so that a night looks at a day's records; stopped anywhere, the next run goes on.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import * as data from './picture-retention-data.ts'
import type { RecordTables } from './schema.ts'

/** Records looked at in one transaction, and milliseconds left to others after each. */
const AT_ONCE = 2_000
const PAUSE_MS = 20
const DAY = 86_400_000

/** Until when a record of this moment keeps its picture; null: as long as there is the record. */
export const keptUntilOf = ({ pictureDays }: { pictureDays: number }, time: number): number | null =>
  pictureDays === 0 ? null : time + pictureDays * DAY

/** The daily job `access.pictureRetention`. */
export function createPictureRetention(platform: Platform, { organisation }: Pick<RecordDependencies, 'organisation'>): Job {
  const db = platform.db as unknown as Database<RecordTables>

  /** Deletes what is past its time; answers how many pictures. */
  async function deletePast(scope: Scope, days: number): Promise<number> {
    const end = platform.clock.now() - days * DAY
    // Pictures may have come while they were kept for longer, or for ever.
    let from = Math.min(await data.readDeletedUntil(scope, db), end)
    for (let deleted = 0; ; await delay(PAUSE_MS)) {
      const to = await data.findStep(scope, db, from, end, AT_ONCE)
      await platform.transaction(async (tx: Tx<RecordTables>) => {
        if (to !== null) {
          const fileIds = await data.takePicturesOff(scope, tx, from, to, days)
          await platform.storage.release(tx, scope, fileIds)
          deleted += fileIds.length
        }
        await data.saveDeletedUntil(scope, tx, to === null ? end : to + 1)
      })
      if (to === null) return deleted
      from = to + 1
    }
  }

  return {
    name: 'access.pictureRetention',
    schedule: '11 2 * * *',
    async run() {
      let deleted = 0
      for (const { id: parkId } of organisation.parks()) {
        const { pictureDays } = organisation.accessSettings({ parkId })
        if (pictureDays > 0) deleted += await deletePast({ parkId }, pictureDays)
        else await data.saveDeletedUntil({ parkId }, db, 0)
      }
      return { outcome: deleted > 0 ? 'success' : 'skipped', counts: { pictures: deleted } }
    },
  }
}
