/** Rows of what devices report of themselves; every scoped function takes the scope first. */
import type { DeviceFacts } from '@gatehouse/contract/device/protocol-status'
import { deviceAuthorisationStatus, deviceModel } from '@gatehouse/contract/enums/devices'
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { DeviceSignIn, Scope } from '../../platform/session/session.ts'

/** The platform an Android device reports. */
export const ANDROID = 'android'

export interface DeviceStatus {
  online?: boolean
  /** The device has paired: its secret no longer expires. */
  authorised?: true
  lastSeenAt?: number
  ip?: string
  firmwareVersion?: string
  modelId?: string
  signedInBy?: DeviceSignIn
  facts?: DeviceFacts
}

/** Store what a device reported; the version that guards edits stays. @param now since when the device is online, if it was not */
export async function updateStatus(scope: Scope, db: Database, id: string, status: DeviceStatus, now: number): Promise<void> {
  await db
    .updateTable('device')
    .set((eb) => ({
      ...(status.online !== undefined && {
        online: status.online,
        onlineSince: status.online ? eb.fn.coalesce('onlineSince', eb.val(timestamp(now))) : null,
      }),
      ...(status.authorised && { authorisation: deviceAuthorisationStatus.authorised, secretUntil: null }),
      ...(status.lastSeenAt !== undefined && { lastSeenAt: timestamp(status.lastSeenAt) }),
      ...(status.ip !== undefined && { ip: status.ip }),
      ...(status.firmwareVersion !== undefined && { firmwareVersion: status.firmwareVersion }),
      ...(status.modelId !== undefined && { modelId: status.modelId }),
      ...(status.signedInBy !== undefined && { signedInBy: status.signedInBy }),
      ...(status.facts !== undefined && { facts: JSON.stringify(status.facts) }),
      // The user who added the device could not know its platform; an Android device takes no remote control.
      ...(status.facts?.platform === ANDROID && {
        model: eb.case().when('model', '=', deviceModel.standard).then(deviceModel.android).else(eb.ref('model')).end(),
      }),
    }))
    .where('id', '=', id)
    .where('parkId', '=', scope.parkId)
    .execute()
}

/** Mark all devices offline: after a start none is connected yet, whatever the last run stored. Unscoped: all devices. */
export async function markAllOfflineUnscoped(db: Database): Promise<void> {
  await db.updateTable('device').set({ online: false, onlineSince: null }).where('online', '=', true).execute()
}

/** Unscoped: the health of an installation covers all its parks. */
export function countConnectedUnscoped(db: Database): Promise<{ registered: number; connected: number }> {
  return db
    .selectFrom('device')
    .select((eb) => [eb.fn.countAll<number>().as('registered'), eb.fn.countAll<number>().filterWhere('online', '=', true).as('connected')])
    .executeTakeFirstOrThrow()
}
