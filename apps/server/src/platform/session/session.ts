/** The caller of a request, and the data they may access. */
import type { Circumstances } from '@gatehouse/contract/conditions'

/** The persons and devices that a caller may see. */
export interface Sight {
  /** Whether persons on the watch list are visible. */
  readonly watchList: boolean
  /**
   * Lists of device groups: a device is visible if its group is, or is below, a group of each list; absent: every device is. It is
   * evaluated in queries (`sight.ts`), so that it follows the present groups.
   */
  readonly deviceGroups?: readonly (readonly string[])[]
  /** Whether personal data are masked: then searches match whole values only. */
  readonly masked?: boolean
}

/** First argument of every exported function of a `data.ts`. */
export interface Scope {
  /** The park that lists show and writes go to. */
  readonly parkId: string
  /** Absent: every person and device is visible and shown in full, as for jobs and devices. The scope of a limited session has it. */
  readonly sees?: Sight
}

/** Return the scope of the same caller in another park. */
export const inPark = ({ sees }: Scope, parkId: string): Scope => ({ parkId, ...(sees !== undefined && { sees }) })

/**
 * Return the unlimited scope of the park, for checks that must cover everything whoever the caller is: uniqueness, what is stored on
 * devices, what is recorded.
 */
export const seeingAll = ({ parkId }: Scope): Scope => ({ parkId })

/** Return the same scope with every device, for effects on all devices whoever the caller is. */
export const seeingAllDevices = ({ parkId, sees }: Scope): Scope => {
  if (sees?.deviceGroups === undefined) return { parkId, ...(sees !== undefined && { sees }) }
  const { deviceGroups: _, ...others } = sees
  return { parkId, sees: others }
}

/** Return the scope without the watch list; its other limits are kept. */
export const seeingNoWatchList = ({ parkId, sees }: Scope): Scope => ({
  parkId,
  sees: { ...sees, watchList: false },
})

/** Return whether a scope sees the watch list. */
export const seesWatchList = ({ sees }: Scope): boolean => sees?.watchList !== false

/** Return whether a scope sees every device of the park. */
export const seesAllDevices = ({ sees }: Scope): boolean => sees?.deviceGroups === undefined

export interface Park {
  id: string
  areaCode: string
  name: string
  /** IANA zone. */
  zone: string
}

/**
 * Device groups by permission code; `self` stands for calls that require none. A code applies to devices in these groups and the groups
 * below them. A code that is absent applies to every device; one without any group, to none.
 */
export type DeviceLimits = ReadonlyMap<string, readonly string[]>

/**
 * A user or API user who does something. Services and logs take an actor to record who did something. It grants nothing, so it can be
 * stored with work and read back. Code that depends on what a caller may do or see takes a `Session` or a `Scope`.
 */
export interface Actor {
  /** Id of the user, or of the API user. */
  readonly userId: string
  readonly kind: 'user' | 'client'
  /** Account name, or the API user's key. */
  readonly account: string
  /** Display name: real name, or the API user's name. */
  readonly operator: string
}

/** An actor and the scope they act in, which is all that a log needs of a session. */
export interface Caller extends Actor {
  readonly scope: Scope
  /** Absent for work that outlives the session it was started in. */
  readonly tokenId?: string
}

/** An actor as the columns of a row. */
export interface StoredActor {
  userId: string
  account: string
  operator: string
  userKind: string
}

/** Return the columns that store an actor. */
export const storedActor = ({ userId, account, operator, kind }: Actor): StoredActor => ({ userId, account, operator, userKind: kind })

/** Return the actor that a row stores. */
export const actorOf = ({ userId, account, operator, userKind }: StoredActor): Actor => ({
  userId,
  account,
  operator,
  kind: userKind === 'client' ? 'client' : 'user',
})

export interface Session extends Caller {
  readonly tokenId: string
  /** Node of the tree the user belongs to; the user has no access outside it. */
  readonly organisationId: string
  readonly roleSign: string
  /** Codes of the roles, without those of modules that are off in the park. */
  readonly permissions: ReadonlySet<string>
  /** Conditions of screens and calls besides a code. */
  readonly circumstances: Circumstances
  /** Device groups that the codes are limited to. A handler receives a scope with the limits of the codes that its call requires. */
  readonly deviceLimits: DeviceLimits
  /** Whether names, phones, ID numbers and e-mail addresses are shown masked. */
  readonly masking: boolean
  /** Opened by the link of a data screen: it may make only the calls that such a screen needs. */
  readonly onScreen?: true
  /** Its account lacks a required second factor: it may make only the calls that need none. */
  readonly secondFactorMissing?: true
  readonly park: Park
}

export interface DeviceIdentity {
  readonly deviceId: string
  readonly code: string
  readonly parkId: string
}

/** How a device signs in: by a proof that it knows its secret, or by the secret itself. */
export type DeviceSignIn = 'proof' | 'secret'

/** A device and what it may receive. */
export interface DevicePrincipal extends DeviceIdentity {
  /** Whether it may receive persons, as of the moment its secret was looked up: never later than that secret was made. */
  readonly released: boolean
}

/** The device that makes a request. */
export interface SignedInDevice extends DevicePrincipal {
  readonly signedInBy: DeviceSignIn
}

/** The client that requests tokens: the console's public client, or an API user with key and secret. */
export interface ClientCredentials {
  readonly id: string
  readonly secret: string
}

/** Why a token opens no session. `disabled`: its account was disabled after login. */
export type NoSession = 'unknown' | 'expired' | 'disabled'

/** Authentication, which contexts implement for the platform. */
export interface Authenticator {
  /** Return the session of a bearer token. */
  session(token: string): Promise<Session | NoSession>
  /** Return whether the session's user has entered the password again within the last minutes. */
  isConfirmed(session: Session): Promise<boolean>
  /** Return whether these client credentials may request tokens. */
  client(id: string, secret: string): Promise<boolean>
  /** Return the device with this code and secret, if its park still accepts secrets. */
  device(code: string, secret: string): Promise<SignedInDevice | null>
  /** Return the device that a proof issued this token to. */
  deviceToken(token: string): Promise<SignedInDevice | null>
}
