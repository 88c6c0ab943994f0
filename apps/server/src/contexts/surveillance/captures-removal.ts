/** What is kept of captures no longer: those past their time, those of persons who were erased, those of a removed park. */
import { setTimeout as delay } from 'node:timers/promises'
import { localDate } from '@gatehouse/access-rules'
import { CAPTURE_DAYS } from '@gatehouse/contract/limits'
import type { LeavingPerson, PersonHolder, Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as keepingData from './captures-keeping-data.ts'
import type { CaptureKeeping } from './captures-keeping.ts'
import * as data from './captures-removal-data.ts'
import { captureCompanions } from './extension-points.ts'
import { announceDays, announceTemplates } from './search-events.ts'

/** Captures deleted in one transaction, and milliseconds of pause after each. */
const AT_ONCE = 500
const PAUSE_MS = 20
const HOUR = 3_600_000
const DAY = 24 * HOUR

export interface CaptureRemoval {
  job: Job
  holder: PersonHolder
  /** Delete the captures that matched persons who are no longer in the register; return how many, and the files. */
  forget: (tx: Transaction, scope: Scope, personIds: readonly string[]) => Promise<{ count: number; fileIds: string[] }>
  erasePark(tx: Transaction, scope: Scope): Promise<number>
}

export function createCaptureRemoval(platform: Platform, keeping: Pick<CaptureKeeping, 'ofAll'>): CaptureRemoval {
  const { db, clock, storage, extensions } = platform

  async function drop(tx: Transaction, scope: Scope, deleted: readonly data.DeletedCapture[]): Promise<string[]> {
    const fileIds = deleted.flatMap(({ fileId }) => fileId ?? [])
    await storage.release(tx, scope, fileIds)
    const ids = deleted.map(({ id }) => id)
    for (const companion of extensions.all(captureCompanions)) await companion.dropped?.(tx, scope, ids)
    return fileIds
  }

  async function forget(tx: Transaction, scope: Scope, personIds: readonly string[]) {
    const deleted = await data.deleteOfPersons(scope, tx, personIds)
    const fileIds = await drop(tx, scope, deleted)
    await announceTemplates(platform.events, tx, scope, deleted)
    return { count: deleted.length, fileIds }
  }

  /** Delete what is found, again and again until nothing is. @returns how many captures were deleted */
  async function dropFound(
    find: (limit: number) => Promise<{ id: string; parkId: string }[]>,
    announce: typeof announceDays | typeof announceTemplates = announceTemplates,
  ): Promise<number> {
    let captures = 0
    for (;;) {
      const found = await find(AT_ONCE)
      if (found.length === 0) return captures
      await platform.transaction(async (tx) => {
        for (const [parkId, ofPark] of Map.groupBy(found, (row) => row.parkId)) {
          const scope = { parkId }
          const ids = ofPark.map(({ id }) => id)
          const deleted = await data.deleteCaptures(scope, tx, ids)
          await drop(tx, scope, deleted)
          await announce(platform.events, tx, scope, deleted)
        }
      })
      captures += found.length
      await delay(PAUSE_MS)
    }
  }

  /** Delete what a camera may keep no longer as it is set now. */
  async function dropOfCameras(now: number): Promise<number> {
    let captures = 0
    const cameras = await keepingData.findCamerasUnscoped(db)
    for (const [parkId, ofPark] of Map.groupBy(cameras, (camera) => camera.parkId)) {
      const scope = { parkId }
      const ids = ofPark.map(({ deviceId }) => deviceId)
      for (const [deviceId, set] of await keeping.ofAll(scope, ids)) {
        if (set.keeping === 'hours')
          captures += await dropFound((limit) => keepingData.findReceivedBefore(scope, db, deviceId, now - set.hours * HOUR, limit))
        if (set.keeping !== 'matchedOnly') continue
        captures += await dropFound((limit) => keepingData.findUnmatched(scope, db, deviceId, limit))
        await keepingData.markMatched(scope, db, deviceId)
      }
    }
    return captures
  }

  const idsOf = (persons: readonly LeavingPerson[]): string[] => persons.map(({ id }) => id)

  return {
    forget,
    job: {
      name: 'surveillance.dropCaptures',
      // Hourly: a camera may keep what it captured for an hour.
      schedule: '23 * * * *',
      async run() {
        const now = clock.now()
        // What all captures are kept for is a constant: faces of people who only passed by must not be kept for long in any park.
        const before = now - CAPTURE_DAYS * DAY
        // A day that begins to go is hardly searched any more: one event instead of one for every few of its captures.
        const past = await dropFound((limit) => data.findPastUnscoped(db, before, limit), announceDays)
        const over = await dropFound((limit) => keepingData.findOverUnscoped(db, now, limit))
        const captures = past + over + (await dropOfCameras(now))
        await data.deletePostedUnscoped(db, before)
        await keepingData.deleteCountsUnscoped(db, localDate(before, 'UTC'), before)
        await data.mergeCountsUnscoped(db)
        return { outcome: captures > 0 ? 'success' : 'skipped', counts: { captures } }
      },
    },
    holder: {
      place: 'surveillance',
      count: (scope, persons) => data.countOfPersons(scope, db, idsOf(persons)),
      forget: (tx, scope, persons) => forget(tx, scope, idsOf(persons)),
    },
    async erasePark(tx, scope) {
      await keepingData.deleteCountsOfPark(scope, tx)
      const deleted = await data.deleteOfPark(scope, tx)
      await storage.release(
        tx,
        scope,
        deleted.flatMap(({ fileId }) => fileId ?? []),
      )
      // All of the park, which is one event: their ids would be too many.
      await announceDays(platform.events, tx, scope, null)
      return deleted.length
    },
  }
}
