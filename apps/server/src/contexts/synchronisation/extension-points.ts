/** What the synchronisation needs from areas above it. */
import type { Restriction } from '@gatehouse/access-rules'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import type { VisitorMachineSettings } from '@gatehouse/contract/device/visitor-machine'
import type { PassKey } from '@gatehouse/contract/device/visitor-pass'
import { singlePoint } from '../../platform/extension-points.ts'
import type { Scope } from '../../platform/session/session.ts'

/** Areas in which a passage depends on who is inside, or on how many persons are inside. */
export interface SecondVerification {
  /** Return the devices that are to ask before they open. */
  asking(scope: Scope): Promise<Map<string, NonNullable<DeviceSettings['secondVerification']>>>
  /** Decide about a passage; null for a door of no area. @param isAbandoned returns whether the device no longer waits for the answer */
  ask(
    scope: Scope,
    passage: { deviceId: string; direction: number; personId: string; moment: number },
    isAbandoned: () => boolean,
  ): Promise<{ allowed: boolean; failReason: number | null; restriction: Restriction | null } | null>
}
export const secondVerification = singlePoint<SecondVerification>('synchronisation.secondVerification')

/** A passage by a pass, as a device asks about it before it opens. */
interface PassUse {
  id: string
  personId: string
  deviceId: string
  /** Epoch milliseconds of the device's clock. */
  moment: number
}

/** QR passes of visitors, which devices verify without the server. */
export interface VisitorPasses {
  /** Return the public keys that verify passes of the park, oldest first. */
  keysOf(scope: Scope): Promise<PassKey[]>
  /** Return the ids of the passes that admit now, by person. */
  idsOf(scope: Scope, personIds: readonly string[]): Promise<Map<string, string[]>>
  /** Return whether a pass for one use admits a passage: it was not used, or by this very passage, of which a device asks once more. */
  isUsable(scope: Scope, use: PassUse): Promise<boolean>
  /** Admit by a pass for one use. @returns as `isUsable` */
  use(scope: Scope, use: PassUse): Promise<boolean>
}
export const visitorPasses = singlePoint<VisitorPasses>('synchronisation.visitorPasses')

/** Devices at which visitors sign themselves in and off. */
export interface VisitorMachines {
  /** Return what they decide by, by device. */
  settingsOf(scope: Scope): Promise<Map<string, VisitorMachineSettings>>
}
export const visitorMachines = singlePoint<VisitorMachines>('synchronisation.visitorMachines')
