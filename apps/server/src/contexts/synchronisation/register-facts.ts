/** Facts of persons, strategies and devices that the register reads. */
import type { TerminalSettings } from '@gatehouse/contract/configuration/settings'
import type { DeviceSettings, StrategyObject } from '@gatehouse/contract/device/protocol-manifest'
import type { PersonFacts as RegisteredPerson } from '../people/index.ts'

/** Facts of a person that the register uses. */
export type PersonFacts = Omit<RegisteredPerson, 'kind' | 'version' | 'active'>

/** Facts by which a person is compared, without templates, which depend on models. */
export interface FaceFacts {
  faceIds: readonly string[]
  /** Raw score that doors require if it is above their own threshold; null: their own threshold applies. */
  threshold: number | null
  /** Whether the threshold also applies if it is below that of the door. */
  loosens?: boolean
  /** Ids of persons for whom this one was mistaken, ascending. */
  lookAlikes: readonly string[]
}

/** A contact, who may pass in a person's place. */
export interface ContactFacts {
  id: string
  name: string
  faceId: string
  /** Equal for persons and contacts who are the same human; absent where that is unknown. */
  human?: string
}

export interface StrategyFacts extends StrategyObject {
  personIds: readonly string[]
  /** Home park of these persons; absent: this park. */
  home?: string
  /** Groups named, and those below them. */
  groupIds: ReadonlySet<string>
  deviceIds: readonly string[]
  /** Groups named, and those below them. */
  deviceGroupIds: ReadonlySet<string>
}

export interface DeviceFacts {
  id: string
  code: string
  name: string
  direction: number
  groupId: string | null
  /** Model of its face engine; empty or absent if the device has not reported one. */
  modelId?: string
  /** Its settings; null if nothing is set. */
  configuration?: TerminalSettings | null
  secretsRevision?: string
  /** How the device asks the server before it opens; null or absent if it decides by itself. */
  secondVerification?: DeviceSettings['secondVerification']
  /** Keys by which the device verifies passes of visitors; absent: there are none. */
  passKeys?: DeviceSettings['passKeys']
  /** By what the device decides as a visitor machine; absent: it is none. */
  visitorMachine?: DeviceSettings['visitorMachine']
  /** Whether persons may be sent to the device: it stores nobody until a user who decides who passes has released it. */
  released: boolean
}
