/**
 * What of an erasure is confirmed after its transaction: that bytes are gone from the disk, that the search no longer
 * finds anybody, that each terminal has let go. It is looked at when a device says what it holds, and every few minutes:
 * each look may be the first, or the hundredth for a terminal that stays away.
 */
import type { Platform } from '../../platform/context.ts'
import { isDatabaseFault } from '../../platform/database/database-fault.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { coalesce } from '../../platform/async/coalesce.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { RecordErasure } from '../records/index.ts'
import type { DevicesService } from '../devices/index.ts'
import type { FacesService } from '../faces/index.ts'
import type { PersonErasure } from '../people/index.ts'
import * as data from './data.ts'
import type { PrivacyTables } from './schema.ts'

export interface CompletionNeeds {
  access: RecordErasure
  faces: Pick<FacesService, 'search' | 'modelId'>
  devices: Pick<DevicesService, 'names'>
  persons: Pick<PersonErasure, 'hidePseudonyms'>
}

export interface Completion {
  /** Follows up a new erasure. @param templates of the person's faces, by which the search is asked; they stay in memory and no longer than needed */
  follow(erasureId: string, templates: readonly Buffer[]): void
  /** These devices said what they hold, or are gone. */
  heard(deviceIds: readonly string[]): Promise<void>
  /** Looks at everything that is pending; answers how many places were confirmed. */
  look(): Promise<number>
  /** Resolves when what was followed up has been looked at. */
  settled(): Promise<void>
  stop(): Promise<void>
}

const PAGE = 1_000
const DONE: data.Outcome = { state: 'done', removed: false }
/** It was removed from the register: what it holds cannot be read back. */
const REMOVED: data.Outcome = { state: 'done', removed: true }
/** It says what it holds, and nothing of its records: it is older than erasures on the wire. */
const UNCONFIRMED: data.Outcome = { state: 'unconfirmed', removed: false }

export function createCompletion(platform: Platform, { access, faces, devices, persons }: CompletionNeeds): Completion {
  const db = platform.db as unknown as Database<PrivacyTables>
  /** Erasures of this process that nobody has looked at since, with what the search is asked by. */
  const followed = new Map<string, readonly Buffer[]>()

  const close = (place: data.PendingPlace, outcome: data.Outcome = DONE): Promise<void> =>
    platform.transaction((tx: Tx<PrivacyTables>) => data.closePlace({ parkId: place.parkId }, tx, place, platform.clock.now(), outcome))

  /** A record that was on its way while its person was erased still names him. */
  async function sweepRecords(scope: Scope, { erasureId, personId, kind }: data.PendingPlace): Promise<void> {
    if ((await access.count(scope, [personId])).records === 0) return
    await platform.transaction(async (tx: Tx<PrivacyTables>) => {
      const late = await access.pseudonymise(tx, scope, personId)
      await persons.hidePseudonyms(tx, scope, { id: personId, kind, contactIds: [] }, late.pseudonyms)
      await data.addFiles(scope, tx, erasureId, 'records', [], late.records)
      await data.addFiles(scope, tx, erasureId, 'captures', late.fileIds, late.fileIds.length)
    })
  }

  /** Whether the search of this node has followed and finds nobody. */
  async function isUnfindable(scope: Scope, { erasureId, personId }: data.PendingPlace): Promise<boolean> {
    await platform.events.settled()
    for (const template of followed.get(erasureId) ?? []) {
      const matches = await faces.search(scope, faces.modelId, template, { limit: 5 })
      if (matches.some((match) => match.personId === personId)) return false
    }
    return true
  }

  async function confirmOne(place: data.PendingPlace): Promise<boolean> {
    const scope: Scope = { parkId: place.parkId }
    if (place.place === 'search') {
      if (!(await isUnfindable(scope, place))) return false
      if (place.pseudonymised) await sweepRecords(scope, place)
      followed.delete(place.erasureId)
    } else {
      if ((await platform.storage.erase(place.fileIds)).length > 0) return false
    }
    await close(place)
    return true
  }

  /** What each of the persons has come to at a device of the register; nothing for whom it is still waited for. */
  async function outcomesAt(scope: Scope, deviceId: string, places: readonly data.PendingPlace[]): Promise<(data.Outcome | null)[]> {
    const personIds = [...new Set(places.map(({ personId }) => personId))]
    const [gone, forgotten] = await Promise.all([access.letGo(scope, deviceId, personIds), access.forgotten(scope, deviceId, personIds)])
    return places.map(({ place, personId, requestedAt }) => {
      if (place === 'terminal') return gone.includes(personId) ? DONE : null
      if (forgotten.personIds.includes(personId)) return DONE
      return !forgotten.tells && forgotten.heldAt !== null && forgotten.heldAt > requestedAt ? UNCONFIRMED : null
    })
  }

  /** Terminals: all that is pending at one is asked at once. */
  async function confirmTerminals(places: readonly data.PendingPlace[]): Promise<number> {
    const byDevice = new Map<string, data.PendingPlace[]>()
    for (const place of places) byDevice.set(place.deviceId!, [...(byDevice.get(place.deviceId!) ?? []), place])
    let confirmed = 0
    for (const [deviceId, ofDevice] of byDevice) {
      const [{ parkId, devicePark }] = ofDevice as [data.PendingPlace]
      const scope: Scope = { parkId: devicePark ?? parkId }
      const isThere = (await devices.names(scope, [deviceId])).length > 0
      const outcomes = isThere ? await outcomesAt(scope, deviceId, ofDevice) : ofDevice.map(() => REMOVED)
      for (const [at, place] of ofDevice.entries()) {
        const outcome = outcomes[at] ?? null
        if (outcome === null) continue
        await close(place, outcome)
        confirmed++
      }
    }
    return confirmed
  }

  async function confirmAll(places: readonly data.PendingPlace[]): Promise<number> {
    let confirmed = await confirmTerminals(places.filter(({ deviceId }) => deviceId !== null))
    for (const place of places) {
      if (place.deviceId !== null) continue
      try {
        if (await confirmOne(place)) confirmed++
      } catch (error) {
        // One that cannot be confirmed now must not keep the others waiting.
        platform.log.warn({ err: error, erasure: place.erasureId, place: place.place }, 'an erasure could not be followed up')
      }
    }
    return confirmed
  }

  async function look(): Promise<number> {
    let confirmed = 0
    for (let after: data.PendingPlace | undefined; ;) {
      const places = await data.findPendingUnscoped(db, after === undefined ? {} : { after }, PAGE)
      confirmed += await confirmAll(places)
      if (places.length < PAGE) return confirmed
      after = places.at(-1)
    }
  }

  const following = coalesce(async () => {
    for (const erasureId of followed.keys()) {
      try {
        await confirmAll(await data.findPendingUnscoped(db, { erasureId }, PAGE))
        // Pictures of late records came to a place that was looked at before.
        await confirmAll(await data.findPendingUnscoped(db, { erasureId }, PAGE))
      } catch (error) {
        if (!isDatabaseFault(error)) platform.log.error({ err: error, erasure: erasureId }, 'an erasure could not be followed up')
      }
      followed.delete(erasureId)
    }
  })

  return {
    follow(erasureId, templates) {
      followed.set(erasureId, templates)
      // It goes on after the call has answered, and belongs to none.
      platform.audit.apart(() => following.soon())
    },
    async heard(deviceIds) {
      for (;;) {
        const places = await data.findPendingUnscoped(db, { deviceIds }, PAGE)
        if ((await confirmTerminals(places)) === 0 || places.length < PAGE) return
      }
    },
    look,
    settled: () => following.now(),
    stop: () => following.stop(),
  }
}
