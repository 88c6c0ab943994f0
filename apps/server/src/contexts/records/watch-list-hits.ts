/**
 * Detection of persons of the watch list at doors. No terminal stores their photographs, so that it takes them for a stranger, or
 * for the owner of the card they show: when the picture of such a passage arrives, its face is compared with the photographs of
 * the watch list only. A person let in by face may be on the list as well, such as one who left and is still registered: their
 * own photographs are compared with the list, which costs next to nothing. The record is not changed.
 */
import { checksOf } from './checks.ts'
import type { WatchListHit } from '@gatehouse/contract/records/calls'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { isPassingFault } from '../../platform/passing-fault.ts'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import { watchListHitNoted } from './events.ts'
import * as data from './watch-list-hits-data.ts'

/**
 * Whether a passage was reported as it happened, or is one of many that a terminal kept while it was offline: the latter must not
 * delay the former.
 */
export type Arrival = 'prompt' | 'late'

export interface WatchListHits {
  /** Look for persons of the watch list on the picture of a record with this arrival, and note who it is. Safe to repeat. */
  look(scope: Scope, recordId: string, arrival: Arrival): Promise<void>
  /** Whom these records show, by record; empty for a caller who may not see the watch list. */
  of(scope: Scope, recordIds: readonly string[]): Promise<Map<string, WatchListHit>>
  /** Mean number of passages a day, each of whose pictures may raise a false alarm. */
  facesPerDay(scope: Scope): Promise<number>
  /** Whether a record shows a person of the watch list, as far as the caller may see that list. */
  isOne(scope: Scope, recordId: string): Promise<boolean>
  /** Delete the hits of these persons. */
  forget(scope: Scope, personIds: readonly string[]): Promise<void>
  /** The same in the transaction that removes the persons. */
  forgetIn(tx: Transaction, scope: Scope, personIds: readonly string[]): Promise<void>
}

/** Age from which an arriving record counts as late. */
const LATE_MS = 5 * 60_000

/** Return the person whom the terminal recognised by their own face; null where it may have been another person. */
function recognisedByFace({ personId, contactId, checks }: data.PicturedRecord): string | null {
  const made = checksOf(checks)
  const isDoubted = made.some(({ code, ok }) => !ok && (code === 'runnerUp' || code === 'samePerson'))
  return contactId === null && !isDoubted && made.some(({ code, ok }) => ok && code === 'face') ? personId : null
}

const arrivalOf = ({ time, receivedAt }: data.PicturedRecord): Arrival => (receivedAt - time > LATE_MS ? 'late' : 'prompt')

export function createWatchListHits(platform: Platform, { people, faces }: Pick<RecordDependencies, 'people' | 'faces'>): WatchListHits {
  const db = platform.db

  /** Return the picture; null where it is deleted or cannot be opened. */
  async function pictureOf(scope: Scope, fileId: string): Promise<Buffer | null> {
    try {
      return await platform.storage.load(scope, fileId, 'full')
    } catch (error) {
      if (isPassingFault(error)) throw error
      platform.log.warn({ err: error, fileId }, 'the picture of a record cannot be read and is not looked at for the watch list')
      return null
    }
  }

  async function find(scope: Scope, record: data.PicturedRecord, options: Parameters<typeof faces.findAmong>[2]) {
    const identified = recognisedByFace(record)
    if (identified !== null) return faces.findLookAlike(scope, identified, options)
    const picture = await pictureOf(scope, record.fileId)
    return picture && faces.findAmong(scope, picture, options)
  }

  return {
    async look(of, recordId, arrival) {
      const scope = seeingAll(of)
      const among = new Set(await people.lookedOutFor(scope))
      if (among.size === 0) return
      const record = await data.findPictured(scope, db, recordId)
      if (record === undefined || arrivalOf(record) !== arrival) return
      const { watchList: score } = await faces.thresholdsOf(scope)
      const found = await find(scope, record, { among, score, isBackground: arrival === 'late' })
      if (found === null) return
      await platform.transaction(async (tx) => {
        if (await data.insertHit(scope, tx, record, found, platform.clock.now()))
          await platform.events.announce(tx, watchListHitNoted, scope.parkId, { recordId, time: record.time })
      })
    },
    async of(scope, recordIds) {
      const rows = await data.findHits(scope, db, recordIds)
      if (rows.length === 0) return new Map()
      const personIds = [...new Set(rows.map(({ personId }) => personId))]
      const [persons, photos] = await Promise.all([people.watchListed(scope, personIds), faces.photosOf(scope, personIds)])
      const personOf = new Map(persons.map((person) => [person.id, person]))
      return new Map(
        rows.flatMap(({ recordId, personId, score }): [string, WatchListHit][] => {
          const person = personOf.get(personId)
          // Removed from the list meanwhile.
          if (person === undefined) return []
          const { name: personName, groupName, remark: reason, instruction } = person
          const registeredImage = photos.get(personId)?.[0]?.url ?? ''
          return [[recordId, { personId, personName, groupName, score, registeredImage, reason, instruction }]]
        }),
      )
    },
    facesPerDay: (scope) => data.passagesPerDay(scope, db, platform.clock.now()),
    isOne: async (scope, recordId) => (await data.findHits(scope, db, [recordId])).length > 0,
    forget: (scope, personIds) => data.deleteHitsOfPersons(scope, db, personIds),
    forgetIn: (tx, scope, personIds) => data.deleteHitsOfPersons(scope, tx, personIds),
  }
}
