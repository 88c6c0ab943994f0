/** Queries on the register: which persons should be at which devices. */
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
  /** Devices that a strategy reaches now, groups resolved. */
  devicesOf(scope: Scope, strategyId: string): string[]
  /** Persons of a strategy who should be at its devices now. */
  personsOf(scope: Scope, strategyId: string): string[]
  /** Whether a strategy covers a person who should be at its devices now. */
  covers(scope: Scope, strategyId: string, personId: string): boolean
  /** Whether any strategy covers a person who should be at its devices now. */
  isCovered(scope: Scope, personId: string): boolean
  audienceOf(scope: Scope, deviceId: string): AudienceState | null
  /** The audience of a device that sends a request; null if no register has the device yet, or its release was just withdrawn. */
  audienceReceivedBy(device: DevicePrincipal): AudienceState | null
  /** Whether a person should be at the devices of an audience. */
  holds(scope: Scope, audienceId: string, personId: string): boolean
  /** Whether the devices of an audience let contacts of a person pass in the person's place. */
  knowsContacts(scope: Scope, audienceId: string, personId: string): boolean
  /** Home park of a person: this one, unless a linked park shares or shared the person. */
  homeOf(scope: Scope, personId: string): string
  /** Linked parks whose persons are or were let pass here. */
  homes(scope: Scope): string[]
  /** Persons of a linked park who are or were let pass here. */
  personsFrom(scope: Scope, home: string): string[]
  /** Persons of an audience, in the order of their ids. */
  personsOfAudience(scope: Scope, audienceId: string): string[]
  /** Devices grouped by audience, with the persons of each audience. */
  doorGroups(scope: Scope): { id: string; devices: readonly { id: string }[]; personIds: string[] }[]
  /** Number of devices that open to a face alone: a strategy there has a method that requires nothing else, and the device accepts it. */
  doorsByFaceAlone(scope: Scope): number
}
