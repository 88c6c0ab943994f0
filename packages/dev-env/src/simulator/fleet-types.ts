/** The options of a fleet of simulated devices, what it offers, and what its parts share. */
import type { ServerClient } from '@gatehouse/terminal/device/server'
import type { Catalogue } from './catalogue.ts'
import type { Fault } from './faults.ts'
import type { Account } from './proof.ts'
import type { SimulatedDevice } from './simulated-device-types.ts'

export interface Credentials {
  code: string
  secret: string
}

export interface FleetOptions {
  server: string
  devices: readonly Credentials[]
  /** Model of the server's face engine. */
  modelId: string
  seed: number
  /** Visitors a second, over all devices. */
  rate?: number
  faults?: Iterable<Fault>
  /** Misfortunes of each kind for one device in a minute; by default 1. */
  misfortunesPerMinute?: number
  /** Picture that one record in ten has. */
  picture?: Uint8Array
  /** Devices switched on in a second; by default 200. */
  startsPerSecond?: number
  /** Milliseconds between tries to connect. */
  retry?: { first: number; limit: number }
  /** Milliseconds without an acknowledgement after which records are sent again. */
  resendAfter?: number
  log?: (sentence: string) => void
  /** Called when the state of a device has changed. */
  onChange?: (code: string) => void
}

export interface FleetFigures {
  devices: number
  online: number
  /** Devices that hold the persons they should, as far as is known. */
  complete: number
  behind: number
  made: number
  acknowledged: number
  /** Visitors of whom no record could be kept. */
  turnedAway: number
  picturesMade: number
  picturesWaiting: number
  cuts: number
  vanished: number
  exceptions: number
}

export interface Fleet {
  readonly devices: readonly SimulatedDevice[]
  readonly catalogue: Catalogue
  /** Ask the server what each audience should hold; `figures` counts by it. */
  look(): Promise<void>
  figures(): FleetFigures
  /** Start visitors and misfortunes. */
  begin(): void
  /** End visitors and misfortunes: power and lines are back. */
  calm(): void
  /** Resolves with true when every device has sent everything and holds what it should; false when the time is over. */
  settled(timeout: number): Promise<boolean>
  /** Return the accounts of all devices. @throws an unexpected error of a visit */
  accounts(): Promise<Account[]>
  stop(): Promise<void>
}

/** What the parts of a fleet share. */
export interface FleetParts {
  readonly options: FleetOptions
  readonly faults: ReadonlySet<Fault>
  /** Devices that were switched on so far. */
  readonly devices: SimulatedDevice[]
  /** Ids of records that were given out, by device. */
  readonly ledger: Map<SimulatedDevice, Set<string>>
  readonly counts: Pick<FleetFigures, 'turnedAway' | 'picturesMade' | 'cuts' | 'vanished'>
  /** An unexpected error of a visit, which the accounts throw. Changes while it runs: read it from here each time. */
  failure: unknown
  /** Return a client that sends requests as a device does, beside its line; it signs in once. */
  asking(device: SimulatedDevice): ServerClient
}
