/** Who is logged in and what they may do. Loaded by the guard before the first page, dropped when the session ends. */
import { create } from 'zustand'
import type { PermissionCode } from '@gatehouse/contract'
import type { Circumstances, Condition } from '@gatehouse/contract/conditions'
import { identityCalls, type Profile } from '@gatehouse/contract/identity/calls'
import { organisationCalls, type Measures, type ParkInfo } from '@gatehouse/contract/organisation/calls'
import { mayCall, type Caller, type Demand } from '@gatehouse/contract/policy'
import { drafts } from '../kit/form/drafts.ts'
import { exchange } from './http.ts'
import { goTo } from '../kit/navigation.ts'
import { screenLink } from './screenLink.ts'
import { storage } from './storage.ts'
import { dropTokens, freshToken, hasTokens } from './tokens.ts'

interface SessionState {
  profile: Profile | undefined
  park: ParkInfo | undefined
  /** Whether this page has ended the session; false again once the next session is loaded. */
  ended: boolean
}
export const useSession = create<SessionState>(() => ({ profile: undefined, park: undefined, ended: false }))

/** Store the values of a park that the specification lists, for other tabs and for the next start. */
export function rememberPark(park: ParkInfo): void {
  storage.set('areaCode', park.areaCode)
  storage.set('areaName', park.parkName)
  storage.set('parkType', park.parkType)
  storage.set('parkTitle', park.parkType)
  storage.set('showCustomerManagerFlag', park.showCustomerManagerFlag)
  storage.set('staffFaceRegisterFlag', park.staffFaceRegisterFlag)
  storage.set('customerFaceRegisterFlag', park.customerFaceRegisterFlag)
  useSession.setState({ park })
}

/**
 * Load profile and park once; later calls return at once.
 *
 * @throws Refusal where the session is no longer valid
 */
export async function loadSession(): Promise<void> {
  if (useSession.getState().profile) return
  const authorization = `Bearer ${await freshToken()}`
  const [profile, park] = await Promise.all([
    exchange(identityCalls.profile, {}, { authorization }),
    exchange(organisationCalls.parkInfo, {}, { authorization }),
  ])
  // Nothing is stored with a screen link: the storage belongs to the user who is logged in in this browser.
  if (screenLink.token() !== undefined) return useSession.setState({ profile, park, ended: false })
  storage.set('profile', { id: profile.id, deviceUpgradeType: profile.deviceUpgradeType })
  storage.set('roleSign', profile.roleSign)
  storage.set('liteVersionDeploy', profile.capabilities.lite ? 1 : 0)
  drafts.dropOthers()
  rememberPark(park)
  useSession.setState({ profile, ended: false })
}

/** Return whether the session has a permission; true for `null`. */
export const may = (permission: PermissionCode | null): boolean =>
  permission === null || (useSession.getState().profile?.capabilities.permissions.includes(permission) ?? false)

/** The same as `may` for components, which render again when the session changes. */
export const useMay = (permission: PermissionCode | null): boolean =>
  useSession(({ profile }) => permission === null || (profile?.capabilities.permissions.includes(permission) ?? false))

/** The requirements of a screen. */
export interface Requirement {
  permission: PermissionCode | null
  besides?: readonly PermissionCode[]
  condition?: Condition
}

function circumstancesOf(profile: Profile, park: ParkInfo | undefined): Circumstances {
  const { lite, privatised, atRoot } = profile.capabilities
  return {
    roleSign: profile.roleSign,
    atRoot,
    lite,
    privatised,
    customerManager: park?.showCustomerManagerFlag === 1,
    deviceUpgradeType: profile.deviceUpgradeType,
    masking: profile.enablePageDataMasking,
  }
}

function callerOf({ profile, park }: SessionState): Caller | undefined {
  if (!profile) return undefined
  const { permissions } = profile.capabilities
  return { permissions: { has: (code) => permissions.includes(code) }, circumstances: circumstancesOf(profile, park) }
}

const meets = (state: SessionState, demand: Demand): boolean => {
  const caller = callerOf(state)
  return caller !== undefined && mayCall(caller, demand)
}
const opens = (state: SessionState, { permission, besides, condition }: Requirement): boolean =>
  (permission === null && condition === undefined) ||
  meets(state, { permission: permission ?? 'self', ...(besides && { besides }), ...(condition && { condition }) })

/** Return whether the session meets the requirements of a screen. */
export const mayOpen = (requirement: Requirement): boolean => opens(useSession.getState(), requirement)

/** Return whether the session may make a call. */
export const mayCallNow = (call: Demand): boolean => meets(useSession.getState(), call)

/** The same as `mayOpen` for components. */
export const useMayOpen = (requirement: Requirement): boolean => useSession((state) => opens(state, requirement))

/** The same as `mayCallNow` for components, which otherwise leave out what leads to the call: `useMayCall(deviceCalls.resetSecret)`. */
export const useMayCall = (call: Demand): boolean => useSession((state) => meets(state, call))

/** Return whether this page has ended its session, and no other tab has started one since. */
export const sessionIsOver = (): boolean => useSession.getState().ended && !hasTokens()

/** Note that this account now needs a second factor and has none: the user can do nothing else before setting one up. */
export function noteSecondFactorMissing(): void {
  const { profile } = useSession.getState()
  if (profile && !profile.secondFactorMissing) useSession.setState({ profile: { ...profile, secondFactorMissing: true } })
}

const NOTHING_MEASURED: Measures = { temperature: false, mask: false, helmet: false }
/** Return what sensors at the park's doors have measured, or are set to measure. */
export const useMeasures = (): Measures => useSession(({ park }) => park?.measures) ?? NOTHING_MEASURED

/** Clear tokens and storage and go to an address, such as the login page. @param typed whether drafts are kept */
export function endSession(to: string, typed: 'keep' | 'drop' = 'keep'): void {
  dropTokens()
  storage.clear({ drafts: typed })
  useSession.setState({ profile: undefined, park: undefined, ended: true })
  void goTo(to)
}
