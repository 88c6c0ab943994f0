/**
 * Whether persons go to a device. Whoever holds its secret is told everybody whom access rules name there, with all they
 * are recognised by: so somebody who decides who passes has to let them go to it, once for each secret.
 */
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol'
import type { DeviceFetch } from '@gatehouse/contract/devices/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { DeviceIdentity, Scope } from '../../platform/session/session.ts'
import type { Author } from './authority.ts'
import { lockState } from './data.ts'
import type { DeviceDirectory } from './directory.ts'
import { deviceFetched, deviceStatusChanged, devicesChanged } from './events.ts'
import { findFetches, findSettings, updateFirstFetch, updateRelease } from './release-data.ts'
import type { DevicesTables } from './schema.ts'

export interface Releases {
  /** Lets persons go to a device; one that has been released stays as it is. @throws NotFound */
  release(scope: Scope, id: string, by: Author): Promise<void>
  /** Notes that a device was sent persons: the first time since its secret was made, under whoever made it. */
  noteFetched(device: DeviceIdentity, persons: number): Promise<void>
  /** Which of these devices were, and how many. */
  fetches(scope: Scope, ids: readonly string[]): Promise<DeviceFetch[]>
}

/** How a device stands that is locked. */
interface Standing {
  id: string
  released: boolean
}

/** Lets persons go to a device from now on, or no longer, in the transaction that has locked it. */
export async function putRelease(
  platform: Pick<Platform, 'history' | 'events' | 'clock'>,
  tx: Tx<DevicesTables>,
  scope: Scope,
  { id, released }: Standing,
  { release, by }: { release: boolean; by: Author },
): Promise<void> {
  await updateRelease(scope, tx, id, release ? { at: platform.clock.now(), by: by.operator } : null)
  if (released === release) return
  await platform.history.noteAll(tx, scope, 'device', [id], () => findSettings(scope, tx, [id]))
  await platform.events.announce(tx, devicesChanged, scope.parkId, { deviceIds: [id] })
}

export function createReleases(platform: Platform, directory: Pick<DeviceDirectory, 'byCode' | 'refresh'>): Releases {
  const db = platform.db as unknown as Database<DevicesTables>
  /** Of each device the secret for which it is noted that it fetched: each request of a terminal asks. */
  const noted = new Map<string, Buffer>()

  return {
    async release(scope, id, by) {
      await platform.transaction(async (tx: Tx<DevicesTables>) => {
        const state = await lockState(scope, tx, id)
        if (state === undefined) throw new NotFound()
        const { name, released } = state
        platform.audit.note({ entity: 'device', id, label: name, before: { released }, after: { released: true } })
        if (released) return
        await putRelease(platform, tx, scope, state, { release: true, by })
        await platform.events.announce(tx, deviceStatusChanged, scope.parkId, { deviceIds: [id], switched: [] })
      })
      // It may come for its persons as soon as it hears of them.
      await directory.refresh(scope, [id])
    },
    async noteFetched({ deviceId, code, parkId }, persons) {
      const entry = await directory.byCode(code)
      if (persons === 0 || entry?.id !== deviceId) return
      const { secretHash } = entry
      if (noted.get(deviceId)?.equals(secretHash)) return
      const scope = { parkId }
      await platform.transaction(async (tx: Tx<DevicesTables>) => {
        const author = await updateFirstFetch(scope, tx, { id: deviceId, secretHash, persons }, platform.clock.now())
        // It was noted before, by this node or another.
        if (author === undefined) return
        await platform.audit.handedOut(tx, deviceProtocolCalls.changes, { ...author, parkId }, { subject: deviceId, persons })
        await platform.events.announce(tx, deviceFetched, parkId, { deviceIds: [deviceId] })
      })
      noted.set(deviceId, secretHash)
    },
    fetches: (scope, ids) => findFetches(scope, db, ids),
  }
}
