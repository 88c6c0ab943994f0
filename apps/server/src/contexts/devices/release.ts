/**
 * Whether persons are sent to a device. Whoever has its secret receives all persons whom access rules name there, with
 * all that they are recognised by. So a user who decides who passes has to release the device, once for each secret.
 */
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { DeviceFetch } from '@gatehouse/contract/devices/device'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { Actor, DeviceIdentity, Scope } from '../../platform/session/session.ts'
import type { DeviceAdmission } from './admission.ts'
import { lockState } from './data.ts'
import type { DeviceDirectory } from './directory.ts'
import { deviceFetched, deviceStatusChanged, devicesChanged } from './events.ts'
import { findFetches, findSettings, updateFirstFetch, updateRelease } from './release-data.ts'

export interface Releases {
  /** Release a device; a released device stays as it is. @throws NotFound */
  release(scope: Scope, id: string, by: Actor): Promise<void>
  /** Record that a device was sent persons, the first time with its secret, in the name of the user who made the secret. */
  noteFetched(device: DeviceIdentity, persons: number): Promise<void>
  /** Return which of these devices were first sent persons with their secret, and how many. */
  fetches(scope: Scope, ids: readonly string[]): Promise<DeviceFetch[]>
}

/** State of a locked device. */
interface Standing {
  id: string
  released: boolean
}

/** Release a device, or withdraw its release, in the transaction that has locked it. */
export async function putRelease(
  platform: Pick<Platform, 'history' | 'events' | 'clock'>,
  tx: Transaction,
  scope: Scope,
  { id, released }: Standing,
  { release, by }: { release: boolean; by: Actor },
): Promise<void> {
  await updateRelease(scope, tx, id, release ? { at: platform.clock.now(), by: by.operator } : null)
  if (released === release) return
  await platform.history.noteAll(tx, scope, 'device', [id], () => findSettings(scope, tx, [id]))
  await platform.events.announce(tx, devicesChanged, scope.parkId, { deviceIds: [id] })
}

export function createReleases(
  platform: Platform,
  directory: Pick<DeviceDirectory, 'byCode' | 'refresh'>,
  admission: Pick<DeviceAdmission, 'release'>,
): Releases {
  const db = platform.db
  /** By device, the secret whose first fetch is recorded; cached, since each request of a terminal checks it. */
  const noted = new Map<string, Buffer>()

  return {
    async release(scope, id, by) {
      await admission.release(scope, id, async (tx: Transaction) => {
        const state = await lockState(scope, tx, id)
        if (state === undefined) throw new NotFound()
        const { name, released } = state
        platform.audit.note({ entity: 'device', id, label: name, before: { released }, after: { released: true } })
        if (released) return
        await putRelease(platform, tx, scope, state, { release: true, by })
        await platform.events.announce(tx, deviceStatusChanged, scope.parkId, { deviceIds: [id], switched: [] })
      })
      // The device may fetch its persons as soon as it is notified.
      await directory.refresh(scope, [id])
    },
    async noteFetched({ deviceId, code, parkId }, persons) {
      const entry = await directory.byCode(code)
      if (persons === 0 || entry?.id !== deviceId) return
      const { secretHash } = entry
      if (noted.get(deviceId)?.equals(secretHash)) return
      const scope = { parkId }
      await platform.transaction(async (tx) => {
        const author = await updateFirstFetch(scope, tx, { id: deviceId, secretHash, persons }, platform.clock.now())
        // Recorded before, by this node or another.
        if (author === undefined) return
        await platform.audit.handedOut(tx, deviceProtocolCalls.changes, { ...author, parkId }, { subject: deviceId, persons })
        await platform.events.announce(tx, deviceFetched, parkId, { deviceIds: [deviceId] })
      })
      noted.set(deviceId, secretHash)
    },
    fetches: (scope, ids) => findFetches(scope, db, ids),
  }
}
