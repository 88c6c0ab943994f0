/** What devices should store, compared with what they report. */
import type { ChangedMessage } from '@gatehouse/contract/device/protocol-status'
import type { Platform } from '../../platform/context.ts'
import type { DeviceHolding } from '../devices/index.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import type { Manifests } from './manifests.ts'
import type { Registers } from './registers.ts'
import type { SynchronisationView } from './view.ts'

/**
 * Desired and reported state of one device. `desired` is null while the register does not have the device. Before the first report,
 * `reported` is null or its `at` is null.
 */
export interface Released {
  desired: (ChangedMessage & { updatedAt: number }) | null
  reported: { audience: string | null; cursor: number; digest: string; revision: string; failed: number; at: number | null } | null
}

export interface Holdings {
  /** Return how many persons these devices should have, have and could not take. */
  holdings(scope: Scope, deviceIds: readonly string[]): Promise<Map<string, DeviceHolding>>
  /** Return the desired state of these devices, and what they last reported. */
  released(scope: Scope, deviceIds: readonly string[]): Promise<Map<string, Released>>
  /**
   * Return which of these persons a device has certainly deleted: after the last change it reported exactly the persons it should have, and
   * these are not among them.
   */
  confirmedDeletions(scope: Scope, deviceId: string, personIds: readonly string[]): Promise<string[]>
}

export function createHoldings(
  platform: Platform,
  registers: Pick<Registers, 'register'>,
  { current }: Pick<Manifests, 'current'>,
  { audienceOf }: Pick<SynchronisationView, 'audienceOf'>,
): Holdings {
  const db = platform.db

  return {
    async holdings(scope, deviceIds) {
      const register = registers.register(scope)
      const stored = new Map((await data.findHoldings(scope, db, deviceIds)).map((holding) => [holding.deviceId, holding]))
      return new Map(
        deviceIds.map((id) => {
          const audience = register.audienceOf(id)
          const { persons = 0, failed = 0, photoMissing = 0 } = stored.get(id) ?? {}
          return [
            id,
            {
              personsDesired: audience === undefined ? 0 : register.personCount(audience.id),
              personsHeld: persons,
              personsFailed: failed,
              // A device reports the persons a moment before it reports their number.
              personsWithoutPhoto: Math.min(photoMissing, failed),
            },
          ]
        }),
      )
    },
    async released(scope, deviceIds) {
      const reports = new Map(
        (await data.findReports(scope, db, deviceIds)).map(({ deviceId, audienceId, heldAt: at, ...report }) => [
          deviceId,
          { ...report, audience: audienceId, at },
        ]),
      )
      return new Map(
        deviceIds.map((deviceId) => {
          const message = current({ deviceId, parkId: scope.parkId })
          const desired = message === null ? null : { ...message, updatedAt: audienceOf(scope, deviceId)?.updatedAt ?? 0 }
          return [deviceId, { desired, reported: reports.get(deviceId) ?? null }]
        }),
      )
    },
    async confirmedDeletions(scope, deviceId, personIds) {
      const [stored] = await data.findHoldings(scope, db, [deviceId])
      const register = registers.register(scope)
      const audience = register.audienceOf(deviceId)
      // The digest shows which persons the device has; the cursor shows that it has taken every deletion.
      if (audience === undefined || stored?.audienceId !== audience.id || stored.cursor < audience.published.head) return []
      if (stored.digest !== register.sumsOf(audience.id).total()) return []
      return personIds.filter((id) => !register.holds(audience.id, id))
    },
  }
}
