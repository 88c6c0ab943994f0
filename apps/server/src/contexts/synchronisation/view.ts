/** What may be asked of the register: who should be where. */
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'

export interface AudienceState {
  id: string
  /** Number of its newest change. */
  head: number
  /** Devices behind this number compare digests instead of reading changes. */
  compareSeq: number
  strategyIds: readonly string[]
  persons: number
  /** Epoch milliseconds of its newest change. */
  updatedAt: number
}

export interface SynchronisationView {
  /** Devices a strategy reaches now, groups resolved. */
  devicesOf(scope: Scope, strategyId: string): string[]
  /** Persons of a strategy who should be at its devices now. */
  personsOf(scope: Scope, strategyId: string): string[]
  /** Whether a strategy covers a person who should be at its devices now. */
  covers(scope: Scope, strategyId: string, personId: string): boolean
  /** Whether any strategy covers a person who should be at its devices now. */
  isCovered(scope: Scope, personId: string): boolean
  audienceOf(scope: Scope, deviceId: string): AudienceState | null
  /** The audience of a device that asks; null where it is in no register yet, or its release was just taken back. */
  heardBy(device: DevicePrincipal): AudienceState | null
  /** Whether a person should be at the devices of an audience. */
  holds(scope: Scope, audienceId: string, personId: string): boolean
  /** Whether the devices of an audience let contacts of a person pass in his place. */
  knowsContacts(scope: Scope, audienceId: string, personId: string): boolean
  /** The park that has a person: this one, unless a linked park shares or shared him. */
  homeOf(scope: Scope, personId: string): string
  /** Linked parks whose persons are or were let pass here. */
  homes(scope: Scope): string[]
  /** Persons of a linked park who are or were let pass here. */
  personsFrom(scope: Scope, home: string): string[]
  /** Persons of an audience, in the order of their ids. */
  personsOfAudience(scope: Scope, audienceId: string): string[]
  /** The devices that hold the same people, with those people. */
  doorGroups(scope: Scope): { id: string; devices: readonly { id: string }[]; personIds: string[] }[]
  /** How many devices open for a face alone: a strategy there takes nothing else, and the device accepts that. */
  doorsByFaceAlone(scope: Scope): number
}
