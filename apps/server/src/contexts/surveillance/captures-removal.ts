/** What is kept of captures no longer: those past their time, those of persons who were erased, those of a removed park. */
import { setTimeout as delay } from 'node:timers/promises'
import type { LeavingPerson, PersonHolder, Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './captures-removal-data.ts'
import { captureCompanions } from './extension-points.ts'
import { announceTemplates } from './search-events.ts'

/**
 * Days for which captures are kept after they were received. A constant: faces of people who only passed by must not be kept for long
 * in any park, and a forgotten setting would do so.
 */
export const CAPTURES_KEPT_DAYS = 30

/** Captures deleted in one transaction, and milliseconds of pause after each. */
const AT_ONCE = 500
const PAUSE_MS = 20
const DAY = 86_400_000

export interface CaptureRemoval {
  job: Job
  holder: PersonHolder
  /** Delete the captures that matched persons who are no longer in the register; return how many, and the files. */
  forget: (tx: Transaction, scope: Scope, personIds: readonly string[]) => Promise<{ count: number; fileIds: string[] }>
  erasePark(tx: Transaction, scope: Scope): Promise<number>
}

export function createCaptureRemoval(platform: Platform): CaptureRemoval {
  const { db, clock, storage, extensions } = platform

  async function drop(tx: Transaction, scope: Scope, deleted: readonly data.DeletedCapture[]): Promise<string[]> {
    const fileIds = deleted.flatMap(({ fileId }) => fileId ?? [])
    await storage.release(tx, scope, fileIds)
    const ids = deleted.map(({ id }) => id)
    for (const companion of extensions.all(captureCompanions)) await companion.dropped?.(tx, scope, ids)
    await announceTemplates(platform.events, tx, scope, ids)
    return fileIds
  }

  async function forget(tx: Transaction, scope: Scope, personIds: readonly string[]) {
    const deleted = await data.deleteOfPersons(scope, tx, personIds)
    return { count: deleted.length, fileIds: await drop(tx, scope, deleted) }
  }

  const idsOf = (persons: readonly LeavingPerson[]): string[] => persons.map(({ id }) => id)

  return {
    forget,
    job: {
      name: 'surveillance.dropCaptures',
      schedule: '23 2 * * *',
      async run() {
        const before = clock.now() - CAPTURES_KEPT_DAYS * DAY
        let captures = 0
        for (;;) {
          const past = await data.findPastUnscoped(db, before, AT_ONCE)
          if (past.length === 0) break
          await platform.transaction(async (tx) => {
            for (const [parkId, ofPark] of Map.groupBy(past, (row) => row.parkId))
              await drop(
                tx,
                { parkId },
                await data.deleteCaptures(
                  { parkId },
                  tx,
                  ofPark.map(({ id }) => id),
                ),
              )
          })
          captures += past.length
          await delay(PAUSE_MS)
        }
        await data.deletePostedUnscoped(db, before)
        return { outcome: captures > 0 ? 'success' : 'skipped', counts: { captures } }
      },
    },
    holder: {
      place: 'surveillance',
      count: (scope, persons) => data.countOfPersons(scope, db, idsOf(persons)),
      forget: (tx, scope, persons) => forget(tx, scope, idsOf(persons)),
    },
    async erasePark(tx, scope) {
      const deleted = await data.deleteOfPark(scope, tx)
      await storage.release(
        tx,
        scope,
        deleted.flatMap(({ fileId }) => fileId ?? []),
      )
      // All of the park, which is one event: their ids would be too many.
      await announceTemplates(platform.events, tx, scope, null)
      return deleted.length
    },
  }
}
