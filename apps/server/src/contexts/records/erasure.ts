/** What an erasure asks of records and of what stands below them: records without their person, strategies without a member, and devices that let go. */
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { inPark, type Scope } from '../../platform/session/session.ts'
import type { AssociatedRules, StrategyService } from '../strategies/index.ts'
import type { RecordDependencies } from './dependencies.ts'
import * as data from './erasure-data.ts'
import { recordCompanions } from './extension-points.ts'
import { pseudonymOf, type Pseudonym } from './pseudonym.ts'
import type { RecordTables } from './schema.ts'
import { deleteAnswersOfPersons } from './second-photographs-data.ts'
import { type SynchronisationTables, type SynchronisationService, loadPairs, type StatusService } from '../synchronisation/index.ts'
import type { WatchListHits } from './watch-list-hits.ts'

export interface RecordErasure {
  count(scope: Scope, personIds: readonly string[]): Promise<{ records: number; captures: number }>
  pseudonymOf(scope: Scope, personId: string): Pseudonym
  /** Puts a pseudonym in place of a person wherever records and history name him; pictures of his passages are let go. */
  pseudonymise(tx: OpenTransaction, scope: Scope, personId: string): Promise<Pseudonymised>
  /** Forgets on which records a person of the watch list was found. */
  forgetHits: WatchListHits['forgetIn']
  /** Takes a person out of all strategies. */
  leaveStrategies(tx: OpenTransaction, scope: Scope, personId: string): Promise<void>
  /** Devices that hold one of these persons, or may, those of linked parks too: one that has fallen behind is counted, whomever it has held since. */
  holding(scope: Scope, personIds: readonly string[]): Promise<KnowingDevice[]>
  /** Devices that may keep records of one of these persons: those that hold them, or delivered some lately, those of linked parks too. */
  keeping(scope: Scope, personIds: readonly string[], holding: readonly KnowingDevice[]): Promise<KnowingDevice[]>
  letGo: SynchronisationService['letGo']
  /** Tells the devices of all parks where the person is known. To be asked before records lose his name. */
  tell(tx: OpenTransaction, scope: Scope, personId: string): Promise<void>
  /** For whom of these persons a device has said that none of its records names them any more. */
  forgotten: SynchronisationService['erasures']['forgotten']
}

interface Pseudonymised {
  records: number
  fileIds: string[]
  /** What stands for the person now: each park has one of its own. */
  pseudonyms: { id: string; parkId: string }[]
}

/** A device that knows of somebody, under the name a receipt gives it. */
export interface KnowingDevice {
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

export function createRecordErasure(
  platform: Platform,
  { strategies, associatedRules, synchronisation, status, organisation, devices, watchListHits }: ErasureParts,
): RecordErasure {
  const db = platform.db as unknown as Database<RecordTables>
  const nameOf = (scope: Scope, personId: string) => pseudonymOf(platform.crypto, scope, personId)

  const othersThan = (scope: Scope): string[] => organisation.parks().flatMap(({ id }) => (id === scope.parkId ? [] : [id]))

  /** Whether another park lets a person of the park of the scope pass, or did. */
  const isGuest = (scope: Scope, parkId: string, personId: string): boolean =>
    synchronisation.view.homeOf(inPark(scope, parkId), personId) === scope.parkId

  /** Other parks that know of a person of the park of the scope. */
  async function otherParksOf(scope: Scope, tx: OpenTransaction, personId: string): Promise<string[]> {
    const passed = await data.findRecordParks(scope, tx as Tx<RecordTables>, othersThan(scope), [personId])
    const named = othersThan(scope).filter((parkId) => isGuest(scope, parkId, personId))
    return [...new Set([...passed, ...named])].toSorted()
  }

  /** As a receipt names it: with the park, where that is another. */
  function nameIn(scope: Scope, parkId: string, name: string): string {
    const park = parkId === scope.parkId ? undefined : organisation.parks().find(({ id }) => id === parkId)
    return park === undefined ? name : `${name} (${park.name})`
  }

  async function pseudonymiseIn(open: OpenTransaction, scope: Scope, personId: string): Promise<Pseudonymised> {
    const tx = open as Tx<RecordTables>
    const pseudonym = nameOf(scope, personId)
    const { records, fileIds } = await data.pseudonymiseRecords(scope, tx, personId, pseudonym)
    await platform.storage.release(tx, scope, fileIds)
    for (const companion of platform.extensions.all(recordCompanions)) await companion.pseudonymised?.(tx, scope, personId, pseudonym)
    await deleteAnswersOfPersons(scope, tx, [personId])
    const unstorable = await data.deleteUnstorableOf(scope, tx, personId)
    await platform.history.pseudonymise(tx, scope, 'person', personId, pseudonym.id)
    return { records: records + unstorable, fileIds, pseudonyms: [{ id: pseudonym.id, parkId: scope.parkId }] }
  }

  /** Devices of one park. @param of who is known there */
  async function holdingIn(scope: Scope, of: readonly string[]): Promise<KnowingDevice[]> {
    const states = await status.states(scope, {})
    const pairs = await loadPairs(
      scope,
      db as unknown as Database<SynchronisationTables>,
      synchronisation.view,
      states,
      of,
      platform.clock.now(),
    )
    const may = new Set(pairs.map(({ state }) => state.device.id))
    return states.flatMap(({ device, held, standing }) => {
      // One that has never been heard of holds nobody.
      if (held.audienceId === null && device.lastSeenAt === null) return []
      const isBehind = standing !== 'following' && held.audienceId !== null
      return may.has(device.id) || isBehind ? [{ id: device.id, name: device.name, parkId: scope.parkId }] : []
    })
  }

  return {
    pseudonymOf: nameOf,
    letGo: synchronisation.letGo,
    forgetHits: watchListHits.forgetIn,
    forgotten: synchronisation.erasures.forgotten,
    async tell(open, scope, personId) {
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
      const own = await pseudonymiseIn(open, scope, personId)
      // What stands of him at linked parks is his as well; each has a pseudonym of its own.
      const others = []
      for (const parkId of await otherParksOf(scope, open, personId))
        others.push(await pseudonymiseIn(open, inPark(scope, parkId), personId))
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
          // One that has never been heard of keeps no records; nobody would ever say that they are gone.
          const heardOf = (await devices.all(inPark(scope, parkId))).filter(
            ({ id, lastSeenAt }) => delivered.has(id) && lastSeenAt !== null,
          )
          return heardOf.map(({ id, name }) => ({ id, name: nameIn(scope, parkId, name), parkId }))
        }),
      )
      return [...holding, ...named.flat()]
    },
  }
}
