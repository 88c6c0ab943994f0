/** Who is asking, and what part of the data the asking may touch. */
import type { Circumstances } from '@gatehouse/contract/conditions'
import type { DeviceLimits } from './device-limits.ts'

/** Which persons and devices exist for whoever asks. */
export interface Sight {
  /** Whether persons of the watch list do. */
  readonly watchList: boolean
  /**
   * Lists of device groups: a device exists where it stands in a group of each list, or below one; absent: every device does. Whether
   * one does is asked in queries (`sight.ts`), so that it is as groups are now.
   */
  readonly deviceGroups?: readonly (readonly string[])[]
  /** Whether personal data are shown masked: then they are found by whole values only. */
  readonly masked?: boolean
}

/** First argument of every exported function of a `data.ts`. */
export interface Scope {
  /** The park that lists show and writes go to. */
  readonly parkId: string
  /** Absent: everybody exists and is shown in full, as for jobs and devices. A session's scope has it wherever that is not so. */
  readonly sees?: Sight
}

/** The scope of the same asker in another park. */
export const inPark = ({ sees }: Scope, parkId: string): Scope => ({ parkId, ...(sees !== undefined && { sees }) })

/** The scope of the park itself, for what must hold of everybody whoever asks: what is unique, what stands on devices, what is noted. */
export const seeingAll = ({ parkId }: Scope): Scope => ({ parkId })

/** The same scope with every device, for what happens at all of them whoever asks. */
export const seeingAllDevices = ({ parkId, sees }: Scope): Scope => {
  if (sees?.deviceGroups === undefined) return { parkId, ...(sees !== undefined && { sees }) }
  const { deviceGroups: _, ...others } = sees
  return { parkId, sees: others }
}

/** The same scope for whoever is not to know of the watch list. */
export const seeingNoWatchList = ({ parkId, sees }: Scope): Scope => ({
  parkId,
  sees: { watchList: false, ...(sees?.deviceGroups !== undefined && { deviceGroups: sees.deviceGroups }) },
})

/** Whether persons of the watch list exist for whoever asks. */
export const seesWatchList = ({ sees }: Scope): boolean => sees?.watchList !== false

/** Whether every device of the park exists for whoever asks. */
export const seesAllDevices = ({ sees }: Scope): boolean => sees?.deviceGroups === undefined

export interface Park {
  id: string
  areaCode: string
  name: string
  /** IANA zone. */
  zone: string
}

export interface Session {
  readonly tokenId: string
  /** Id of the user, or of the API user. */
  readonly userId: string
  readonly kind: 'user' | 'client'
  /** Account name, or the API user's key. */
  readonly account: string
  /** The name people know: real name, or the API user's name. */
  readonly operator: string
  /** Node of the tree the user belongs to; nothing outside it is theirs. */
  readonly organisationId: string
  readonly roleSign: string
  /** Codes of the roles, as far as the park's modules are on. */
  readonly permissions: ReadonlySet<string>
  /** What screens and calls ask besides a code. */
  readonly circumstances: Circumstances
  /** To which device groups the codes are limited. A handler is given a scope that is limited by what its call asks for. */
  readonly deviceLimits: DeviceLimits
  /** Whether names, phones, ID numbers and e-mail addresses are shown masked. */
  readonly masking: boolean
  /** Opened by the link of a data screen: it makes only the calls that such a screen reads. */
  readonly onScreen?: true
  /** Its account lacks the second factor that is demanded of it: it makes only the calls that need none. */
  readonly secondFactorMissing?: true
  readonly park: Park
  readonly scope: Scope
}

export interface DeviceIdentity {
  readonly deviceId: string
  readonly code: string
  readonly parkId: string
}

/** How a device says who it is: by a proof that it knows its secret, or by the secret itself. */
export type DeviceSignIn = 'proof' | 'secret'

/** A device and what it may have. */
export interface DevicePrincipal extends DeviceIdentity {
  /** Whether it may have persons, as of the moment its secret was looked up: never later than that secret was made. */
  readonly released: boolean
}

/** A device that asks. */
export interface SignedInDevice extends DevicePrincipal {
  readonly signedInBy: DeviceSignIn
}

/** Who asks for tokens: the console's public client, or an API user with key and secret. */
export interface ClientCredentials {
  readonly id: string
  readonly secret: string
}

/** Why a token opens nothing. `disabled`: its account was disabled after login. */
export type NoSession = 'unknown' | 'expired' | 'disabled'

/** What contexts supply so that the platform can tell who is asking. */
export interface Authenticator {
  /** The session of a bearer token. */
  session(token: string): Promise<Session | NoSession>
  /** Whether its user has typed the password again within the last minutes. */
  isConfirmed(session: Session): Promise<boolean>
  /** Whether these client credentials may ask for tokens. */
  client(id: string, secret: string): Promise<boolean>
  /** The device with this code and secret, where its park still takes secrets. */
  device(code: string, secret: string): Promise<SignedInDevice | null>
  /** The device that proved itself for this token. */
  deviceToken(token: string): Promise<SignedInDevice | null>
}
