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
  /** By this page; until the next one begins. */
  ended: boolean
}
export const useSession = create<SessionState>(() => ({ profile: undefined, park: undefined, ended: false }))

/** Keeps what the specification stores of a park, so that other tabs and the next start know it. */
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
 * Loads profile and park once; later calls return at once.
 *
 * @throws Refusal where the session is no longer good
 */
export async function loadSession(): Promise<void> {
  if (useSession.getState().profile) return
  const authorization = `Bearer ${await freshToken()}`
  const [profile, park] = await Promise.all([
    exchange(identityCalls.profile, {}, { authorization }),
    exchange(organisationCalls.parkInfo, {}, { authorization }),
  ])
  // What is kept belongs to the user who is logged in in this browser.
  if (screenLink.token() !== undefined) return useSession.setState({ profile, park, ended: false })
  storage.set('profile', { id: profile.id, deviceUpgradeType: profile.deviceUpgradeType })
  storage.set('roleSign', profile.roleSign)
  storage.set('liteVersionDeploy', profile.capabilities.lite ? 1 : 0)
  drafts.dropOthers()
  rememberPark(park)
  useSession.setState({ profile, ended: false })
}

/** Whether the session holds a permission; `null` asks for none. */
export const may = (permission: PermissionCode | null): boolean =>
  permission === null || (useSession.getState().profile?.capabilities.permissions.includes(permission) ?? false)

/** The same for components: re-renders when the session changes. */
export const useMay = (permission: PermissionCode | null): boolean =>
  useSession(({ profile }) => permission === null || (profile?.capabilities.permissions.includes(permission) ?? false))

/** What a screen asks for. */
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

/** Whether the session may open what asks for this. */
export const mayOpen = (requirement: Requirement): boolean => opens(useSession.getState(), requirement)

/** Whether the session may make a call. */
export const mayCallNow = (call: Demand): boolean => meets(useSession.getState(), call)

/** The same for components. */
export const useMayOpen = (requirement: Requirement): boolean => useSession((state) => opens(state, requirement))

/** Whether the session may make a call: what leads to it is left out otherwise. `useMayCall(deviceCalls.resetSecret)`. */
export const useMayCall = (call: Demand): boolean => useSession((state) => meets(state, call))

/** Whether this page has ended its session, and no other tab has begun one since. */
export const sessionIsOver = (): boolean => useSession.getState().ended && !hasTokens()

/** The installation has begun to demand a second factor of this account, which has none: nothing but setting one up is left. */
export function noteSecondFactorMissing(): void {
  const { profile } = useSession.getState()
  if (profile && !profile.secondFactorMissing) useSession.setState({ profile: { ...profile, secondFactorMissing: true } })
}

const NOTHING_MEASURED: Measures = { temperature: false, mask: false, helmet: false }
/** What sensors at the park's doors have told, or are set to tell. */
export const useMeasures = (): Measures => useSession(({ park }) => park?.measures) ?? NOTHING_MEASURED

/** Clears tokens and storage and leads to the login page. */
export function endSession(to: string, typed: 'keep' | 'drop' = 'keep'): void {
  dropTokens()
  storage.clear({ drafts: typed })
  useSession.setState({ profile: undefined, park: undefined, ended: true })
  void goTo(to)
}
