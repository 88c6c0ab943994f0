/**
 * Erasure of a person from records and the areas below them: records get a pseudonym, strategies lose the member, and devices
 * delete the person.
 */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { inPark, type Scope } from '../../platform/session/session.ts'
import type { AssociatedRules, StrategyService } from '../strategies/index.ts'
import type { RecordDependencies } from './dependencies.ts'
import * as data from './erasure-data.ts'
import { recordCompanions } from './extension-points.ts'
import { pseudonymOf, type Pseudonym } from './pseudonym.ts'
import { deleteAnswersOfPersons } from './second-photographs-data.ts'
import { type SynchronisationService, loadPairs, type StatusService } from '../synchronisation/index.ts'
import type { WatchListHits } from './watch-list-hits.ts'

export interface RecordErasure {
  count(scope: Scope, personIds: readonly string[]): Promise<{ records: number; captures: number }>
  pseudonymOf(scope: Scope, personId: string): Pseudonym
  /** Replace a person by a pseudonym in all records and in history; release the pictures of their passages. */
  pseudonymise(tx: Transaction, scope: Scope, personId: string): Promise<Pseudonymised>
  /** Delete the notes of records on which a person of the watch list was found. */
  forgetHits: WatchListHits['forgetIn']
  /** Remove a person from all strategies. */
  leaveStrategies(tx: Transaction, scope: Scope, personId: string): Promise<void>
  /**
   * Return the devices, also those of linked parks, that store or may store one of these persons. A device that has fallen behind
   * always counts, whichever persons it stores.
   */
  holding(scope: Scope, personIds: readonly string[]): Promise<StoringDevice[]>
  /**
   * Return the devices, also those of linked parks, that may keep records of one of these persons: those that store a person, and
   * those that delivered a record of one lately.
   */
  keeping(scope: Scope, personIds: readonly string[], holding: readonly StoringDevice[]): Promise<StoringDevice[]>
  confirmedDeletions: SynchronisationService['confirmedDeletions']
  /**
   * Notify the devices of the park and of all parks that share the person or have records of them. To be called before the
   * records are pseudonymised.
   */
  noteErasure(tx: Transaction, scope: Scope, personId: string): Promise<void>
  /** For which of these persons a device has reported that none of its records names them any more. */
  forgotten: SynchronisationService['erasures']['forgotten']
}

interface Pseudonymised {
  records: number
  fileIds: string[]
  /** The pseudonyms of the person: each park has its own. */
  pseudonyms: { id: string; parkId: string }[]
}

/** A device that stores a person or records of one, with the name by which a receipt calls it. */
export interface StoringDevice {
  id: string
  name: string
  parkId: string
}

/** Devices keep what they have delivered for seven days by their own clock, which may lag. */
const DELIVERED_KEPT_MS = 8 * 86_400_000

interface ErasureParts extends Pick<RecordDependencies, 'organisation' | 'devices'> {
  strategies: StrategyService
  associatedRules: AssociatedRules
  synchronisation: SynchronisationService
  status: StatusService
  watchListHits: Pick<WatchListHits, 'forgetIn'>
}

/** Replace a person by a pseudonym in one park. */
async function pseudonymiseIn(platform: Platform, tx: Transaction, scope: Scope, personId: string): Promise<Pseudonymised> {
  const pseudonym = pseudonymOf(platform.crypto, scope, personId)
  const { records, fileIds } = await data.pseudonymiseRecords(scope, tx, personId, pseudonym)
  await platform.storage.release(tx, scope, fileIds)
  for (const companion of platform.extensions.all(recordCompanions)) await companion.pseudonymised?.(tx, scope, personId, pseudonym)
  await deleteAnswersOfPersons(scope, tx, [personId])
  const unstorable = await data.deleteUnstorableOf(scope, tx, personId)
  await platform.history.pseudonymise(tx, scope, 'person', personId, pseudonym.id)
  return { records: records + unstorable, fileIds, pseudonyms: [{ id: pseudonym.id, parkId: scope.parkId }] }
}

export function createRecordErasure(
  platform: Platform,
  { strategies, associatedRules, synchronisation, status, organisation, devices, watchListHits }: ErasureParts,
): RecordErasure {
  const db = platform.db
  const nameOf = (scope: Scope, personId: string) => pseudonymOf(platform.crypto, scope, personId)

  const othersThan = (scope: Scope): string[] => organisation.parks().flatMap(({ id }) => (id === scope.parkId ? [] : [id]))

  /** Whether a person of the park of the scope may pass in another park, or could in the past. */
  const isGuest = (scope: Scope, parkId: string, personId: string): boolean =>
    synchronisation.view.homeOf(inPark(scope, parkId), personId) === scope.parkId

  /** Return the other parks that share a person of the park of the scope or have records of them. */
  async function otherParksOf(scope: Scope, tx: Transaction, personId: string): Promise<string[]> {
    const passed = await data.findRecordParks(scope, tx, othersThan(scope), [personId])
    const named = othersThan(scope).filter((parkId) => isGuest(scope, parkId, personId))
    return [...new Set([...passed, ...named])].toSorted()
  }

  /** Return the name of a device for a receipt: with the name of its park, if that is another park. */
  function nameIn(scope: Scope, parkId: string, name: string): string {
    const park = parkId === scope.parkId ? undefined : organisation.parks().find(({ id }) => id === parkId)
    return park === undefined ? name : `${name} (${park.name})`
  }

  /**
   * Return the devices of one park that store or may store one of these persons.
   * @param of ids of persons that the park has or shares
   */
  async function holdingIn(scope: Scope, of: readonly string[]): Promise<StoringDevice[]> {
    const states = await status.states(scope, {})
    const pairs = await loadPairs(scope, db, synchronisation.view, states, of, platform.clock.now())
    const may = new Set(pairs.map(({ state }) => state.device.id))
    return states.flatMap(({ device, reported, standing }) => {
      // A device that has never connected stores nobody.
      if (reported.audienceId === null && device.lastSeenAt === null) return []
      const isBehind = standing !== 'following' && reported.audienceId !== null
      return may.has(device.id) || isBehind ? [{ id: device.id, name: device.name, parkId: scope.parkId }] : []
    })
  }

  return {
    pseudonymOf: nameOf,
    confirmedDeletions: synchronisation.confirmedDeletions,
    forgetHits: watchListHits.forgetIn,
    forgotten: synchronisation.erasures.forgotten,
    async noteErasure(open, scope, personId) {
      // In one order everywhere, since each park is locked until commit.
      const parkIds = [scope.parkId, ...(await otherParksOf(scope, open, personId))].toSorted()
      for (const parkId of parkIds) await synchronisation.erasures.note(open, inPark(scope, parkId), personId)
    },
    async count(scope, personIds) {
      const parks = await data.findRecordParks(scope, db, othersThan(scope), personIds)
      const counts = await Promise.all([scope.parkId, ...parks].map((parkId) => data.countRecordsOf(inPark(scope, parkId), db, personIds)))
      return {
        records: counts.reduce((sum, { records }) => sum + records, 0),
        captures: counts.reduce((sum, { captures }) => sum + captures, 0),
      }
    },
    async pseudonymise(open, scope, personId) {
      const own = await pseudonymiseIn(platform, open, scope, personId)
      // Records of the person at linked parks are pseudonymised too; each park has its own pseudonym.
      const others = []
      for (const parkId of await otherParksOf(scope, open, personId))
        others.push(await pseudonymiseIn(platform, open, inPark(scope, parkId), personId))
      return [own, ...others].reduce((sum, { records, fileIds, pseudonyms }) => ({
        records: sum.records + records,
        fileIds: [...sum.fileIds, ...fileIds],
        pseudonyms: [...sum.pseudonyms, ...pseudonyms],
      }))
    },
    async leaveStrategies(tx, scope, personId) {
      await strategies.forgetIn(tx, scope, 'person', [personId])
      await associatedRules.forgetIn(tx, scope, 'person', [personId])
    },
    async holding(scope, personIds) {
      const own = await holdingIn(scope, personIds)
      const others = organisation.parks().flatMap((park) => {
        const guests = personIds.filter((id) => park.id !== scope.parkId && isGuest(scope, park.id, id))
        return guests.length === 0
          ? []
          : [
              holdingIn(inPark(scope, park.id), guests).then((there) =>
                there.map((device) => ({ ...device, name: nameIn(scope, park.id, device.name) })),
              ),
            ]
      })
      return [...own, ...(await Promise.all(others)).flat()]
    },
    async keeping(scope, personIds, holding) {
      const delivering = await data.findDelivering(
        scope,
        db,
        [scope.parkId, ...othersThan(scope)],
        personIds,
        platform.clock.now() - DELIVERED_KEPT_MS,
      )
      const others = delivering.filter(({ deviceId }) => !holding.some(({ id }) => id === deviceId))
      const named = await Promise.all(
        [...Map.groupBy(others, ({ parkId }) => parkId)].map(async ([parkId, ofPark]) => {
          const delivered = new Set(ofPark.map(({ deviceId }) => deviceId))
          // A device that has never connected keeps no records, and it would never report that they are deleted.
          const everConnected = (await devices.all(inPark(scope, parkId))).filter(
            ({ id, lastSeenAt }) => delivered.has(id) && lastSeenAt !== null,
          )
          return everConnected.map(({ id, name }) => ({ id, name: nameIn(scope, parkId, name), parkId }))
        }),
      )
      return [...holding, ...named.flat()]
    },
  }
}
