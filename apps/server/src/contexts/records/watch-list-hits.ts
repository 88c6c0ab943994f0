/**
 * Somebody of the watch list at a door. No terminal holds their photographs, so that to it they are a stranger, or whoever's card they show: when the
 * picture of such a passage arrives, the face on it is compared with the photographs of the watch list alone. Who is let in by the face may be on the
 * list as well, as somebody who left and was never taken out of the register: their own photographs are compared with it, which costs next to nothing.
 * The record stays what it was.
 */
import { decodeChecks, type Check } from '@gatehouse/access-rules'
import type { WatchListHit } from '@gatehouse/contract/records/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { isDatabaseFault } from '../../platform/database/database-fault.ts'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import { watchListHitNoted } from './events.ts'
import type { RecordTables } from './schema.ts'
import * as data from './watch-list-hits-data.ts'

/** Whether a passage was told as it happened, or is one of many that a terminal kept while nothing took them: those must not hold up the others. */
export type Arrival = 'prompt' | 'late'

export interface WatchListHits {
  /** Looks for persons of the watch list on the picture of a record that arrived like this, and notes who it is. May be repeated. */
  look(scope: Scope, recordId: string, arrival: Arrival): Promise<void>
  /** Whom these records show, by record; nobody for whoever does not see the watch list. */
  of(scope: Scope, recordIds: readonly string[]): Promise<Map<string, WatchListHit>>
  /** Pictures of passages on an ordinary day, each of which may raise a false alarm. */
  facesPerDay(scope: Scope): Promise<number>
  /** Whether the asker may know that a record shows somebody of the watch list. */
  isOne(scope: Scope, recordId: string): Promise<boolean>
  /** Forgets where these persons were found. */
  forget(scope: Scope, personIds: readonly string[]): Promise<void>
  /** The same in the transaction that removes them. */
  forgetIn(tx: OpenTransaction, scope: Scope, personIds: readonly string[]): Promise<void>
}

/** A record that arrives later was kept for a while. */
const LATE_MS = 5 * 60_000

/** The checks a passage was decided by. */
export function checksOf(text: string): Check[] {
  try {
    return decodeChecks(text)
  } catch {
    // A terminal that writes them otherwise has not said that it knew the face.
    return []
  }
}

/** The person whom the terminal knew by their own face; null where it may have been anybody else. */
function knownByFace({ personId, contactId, checks }: data.PicturedRecord): string | null {
  const made = checksOf(checks)
  const isDoubted = made.some(({ code, ok }) => !ok && (code === 'runnerUp' || code === 'samePerson'))
  return contactId === null && !isDoubted && made.some(({ code, ok }) => ok && code === 'face') ? personId : null
}

const arrivalOf = ({ time, receivedAt }: data.PicturedRecord): Arrival =>
  (receivedAt as number) - (time as number) > LATE_MS ? 'late' : 'prompt'

export function createWatchListHits(platform: Platform, { people, faces }: Pick<RecordDependencies, 'people' | 'faces'>): WatchListHits {
  const db = platform.db as unknown as Database<RecordTables>

  /** The picture; null where it is gone or cannot be opened. */
  async function pictureOf(scope: Scope, fileId: string): Promise<Buffer | null> {
    try {
      return await platform.storage.load(scope, fileId, 'full')
    } catch (error) {
      if (isDatabaseFault(error)) throw error
      platform.log.warn({ err: error, fileId }, 'the picture of a record cannot be read and is not looked at for the watch list')
      return null
    }
  }

  async function find(scope: Scope, record: data.PicturedRecord, wish: Parameters<typeof faces.findAmong>[2]) {
    const known = knownByFace(record)
    if (known !== null) return faces.findLookAlike(scope, known, wish)
    const picture = await pictureOf(scope, record.fileId)
    return picture && faces.findAmong(scope, picture, wish)
  }

  return {
    async look(of, recordId, arrival) {
      const scope = seeingAll(of)
      const among = new Set(await people.lookedOutFor(scope))
      if (among.size === 0) return
      const record = await data.findPictured(scope, db, recordId)
      if (record === undefined || arrivalOf(record) !== arrival) return
      const { watchList: score } = await faces.thresholdsOf(scope)
      const found = await find(scope, record, { among, score, gently: arrival === 'late' })
      if (found === null) return
      await platform.transaction(async (tx: Tx<RecordTables>) => {
        if (await data.insertHit(scope, tx, record, found, platform.clock.now()))
          await platform.events.announce(tx, watchListHitNoted, scope.parkId, { recordId })
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
          // Taken off the list meanwhile.
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
    forgetIn: (tx, scope, personIds) => data.deleteHitsOfPersons(scope, tx as Tx<RecordTables>, personIds),
  }
}
