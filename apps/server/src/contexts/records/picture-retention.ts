/**
 * The daily deletion of pictures in parks that keep them for less long than their records. The record says until when there was a
 * picture. The job goes through the records in order and stores how far it came, so that a night processes a day's records; after
 * an interruption the next run continues.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Platform } from '../../platform/context.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import * as data from './picture-retention-data.ts'

/** Records processed in one transaction, and milliseconds of pause after each. */
const AT_ONCE = 2_000
const PAUSE_MS = 20
const DAY = 86_400_000

/** Return until when a record of this moment keeps its picture; null: as long as the record exists. */
export const keptUntilOf = ({ pictureDays }: { pictureDays: number }, time: number): number | null =>
  pictureDays === 0 ? null : time + pictureDays * DAY

/** The daily job `access.pictureRetention`. */
export function createPictureRetention(platform: Platform, { organisation }: Pick<RecordDependencies, 'organisation'>): Job {
  const db = platform.db

  /** Delete the pictures past their time and return how many. */
  async function deletePast(scope: Scope, days: number): Promise<number> {
    const end = platform.clock.now() - days * DAY
    // Pictures may have arrived while the park kept them for longer or without limit.
    let from = Math.min(await data.readDeletedUntil(scope, db), end)
    for (let deleted = 0; ; await delay(PAUSE_MS)) {
      const to = await data.findStep(scope, db, from, end, AT_ONCE)
      await platform.transaction(async (tx) => {
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
