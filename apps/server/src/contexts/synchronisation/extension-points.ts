/** What the way down to devices asks of areas above it. */
import type { Restriction } from '@gatehouse/access-rules'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol'
import { singlePoint } from '../../platform/extension-points.ts'
import type { Scope } from '../../platform/session/session.ts'

/** Areas in which a passage depends on who is inside, or on how many. */
export interface SecondVerification {
  /** Devices that are to ask before they open. */
  asking(scope: Scope): Promise<Map<string, NonNullable<DeviceSettings['secondVerification']>>>
  /** Null for a door of no area. @param gone whether whoever asked waits no longer */
  ask(
    scope: Scope,
    passage: { deviceId: string; direction: number; personId: string; moment: number },
    gone: () => boolean,
  ): Promise<{ allowed: boolean; failReason: number | null; restriction: Restriction | null } | null>
}
export const secondVerification = singlePoint<SecondVerification>('synchronisation.secondVerification')
