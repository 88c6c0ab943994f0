/**
 * The confirmations of an erasure after its transaction: the files are deleted, the search no longer finds the person, each terminal has
 * deleted what it stored. They are checked when a device reports what it stores, and every few minutes: a check may be the first, or the
 * hundredth for a terminal that stays offline.
 */
import type { Platform } from '../../platform/context.ts'
import { isPassingFault } from '../../platform/passing-fault.ts'
import { coalesce } from '../../platform/async/coalesce.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import { createTerminalConfirmation, DONE } from './terminal-confirmation.ts'
import type { CompletionNeeds } from './completion-types.ts'

export interface Completion {
  /**
   * Follow up a new erasure.
   * @param templates of the person's faces, to check the search with; they stay in memory, no longer than needed
   */
  follow(erasureId: string, templates: readonly Buffer[]): void
  /** Check these devices, which reported what they store, or were removed. */
  heard(deviceIds: readonly string[]): Promise<void>
  /** Check all pending places; return how many were confirmed. */
  look(): Promise<number>
  /** Resolve when the erasures that were followed up have been checked. */
  settled(): Promise<void>
  stop(): Promise<void>
}

const PAGE = 1_000
export function createCompletion(platform: Platform, { access, faces, devices, persons }: CompletionNeeds): Completion {
  const db = platform.db
  /** New erasures of this process that were not checked yet, with the templates to check the search with. */
  const followed = new Map<string, readonly Buffer[]>()

  const { close, confirmTerminals } = createTerminalConfirmation(platform, { access, devices })

  /** Pseudonymise records that arrived after their person was erased, and still name them. */
  async function sweepRecords(scope: Scope, { erasureId, personId, kind }: data.PendingPlace): Promise<void> {
    if ((await access.count(scope, [personId])).records === 0) return
    await platform.transaction(async (tx) => {
      const late = await access.pseudonymise(tx, scope, personId)
      await persons.hidePseudonyms(tx, scope, { id: personId, kind, contactIds: [] }, late.pseudonyms)
      await data.addFiles(scope, tx, erasureId, 'records', [], late.records)
      await data.addFiles(scope, tx, erasureId, 'captures', late.fileIds, late.fileIds.length)
    })
  }

  /** Return whether the search of this node is up to date and no longer finds the person. */
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
    await close(place, DONE)
    return true
  }

  async function confirmAll(places: readonly data.PendingPlace[]): Promise<number> {
    let confirmed = await confirmTerminals(places.filter(({ deviceId }) => deviceId !== null))
    for (const place of places) {
      if (place.deviceId !== null) continue
      try {
        if (await confirmOne(place)) confirmed++
      } catch (error) {
        // A place that cannot be confirmed now must not delay the others.
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
        // Pictures of late records were added to a place that was already checked.
        await confirmAll(await data.findPendingUnscoped(db, { erasureId }, PAGE))
      } catch (error) {
        if (!isPassingFault(error)) platform.log.error({ err: error, erasure: erasureId }, 'an erasure could not be followed up')
      }
      followed.delete(erasureId)
    }
  })

  return {
    follow(erasureId, templates) {
      followed.set(erasureId, templates)
      // This runs on after the call has answered, and is part of no call's log entry.
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
