/** Confirms erasures at terminals. */
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { CompletionNeeds } from './completion-types.ts'
import * as data from './data.ts'

export const DONE: data.Outcome = { state: 'done', removed: false }
/** The device was removed from the register: what it stored cannot be read back. */
const REMOVED: data.Outcome = { state: 'done', removed: true }
/** The device reports what it stores, but not its records: its software is older than erasures on the wire. */
const UNCONFIRMED: data.Outcome = { state: 'unconfirmed', removed: false }

export function createTerminalConfirmation(platform: Platform, { access, devices }: Pick<CompletionNeeds, 'access' | 'devices'>) {
  const close = (place: data.PendingPlace, outcome: data.Outcome): Promise<void> =>
    platform.transaction((tx) => data.closePlace({ parkId: place.parkId }, tx, place, platform.clock.now(), outcome))

  /** Return the outcome of each place at a registered device; null where it is still pending. */
  async function outcomesAt(scope: Scope, deviceId: string, places: readonly data.PendingPlace[]): Promise<(data.Outcome | null)[]> {
    const personIds = [...new Set(places.map(({ personId }) => personId))]
    const [deletedIds, forgotten] = await Promise.all([
      access.confirmedDeletions(scope, deviceId, personIds),
      access.forgotten(scope, deviceId, personIds),
    ])
    return places.map(({ place, personId, requestedAt }) => {
      if (place === 'terminal') return deletedIds.includes(personId) ? DONE : null
      if (forgotten.personIds.includes(personId)) return DONE
      return !forgotten.reportsErasures && forgotten.reportedAt !== null && forgotten.reportedAt > requestedAt ? UNCONFIRMED : null
    })
  }

  /** Confirm places at terminals, all of one terminal at a time; return how many. */
  async function confirmTerminals(places: readonly data.PendingPlace[]): Promise<number> {
    const byDevice = new Map<string, data.PendingPlace[]>()
    for (const place of places) byDevice.set(place.deviceId!, [...(byDevice.get(place.deviceId!) ?? []), place])
    let confirmed = 0
    for (const [deviceId, ofDevice] of byDevice) {
      const [{ parkId, devicePark }] = ofDevice as [data.PendingPlace]
      const scope: Scope = { parkId: devicePark ?? parkId }
      const isRegistered = (await devices.names(scope, [deviceId])).length > 0
      const outcomes = isRegistered ? await outcomesAt(scope, deviceId, ofDevice) : ofDevice.map(() => REMOVED)
      for (const [at, place] of ofDevice.entries()) {
        const outcome = outcomes[at] ?? null
        if (outcome === null) continue
        await close(place, outcome)
        confirmed++
      }
    }
    return confirmed
  }

  return { close, confirmTerminals }
}
