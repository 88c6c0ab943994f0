/** What the tree needs from areas above it. */
import type { Language } from '@gatehouse/contract'
import type { Measures } from '@gatehouse/contract/organisation/calls'
import type { Transaction } from '../../platform/database/database.ts'
import { extensionPoint, singlePoint } from '../../platform/extension-points.ts'
import type { Scope, Session } from '../../platform/session/session.ts'

/** Sessions and accounts, as far as the tree needs them. */
export interface SessionKeeper {
  roleNameOf(userId: string, language: Language): Promise<string>
  /** Move the session to another park. */
  move(session: Session, parkId: string): Promise<void>
  /** Make this node and all others read the permissions of sessions again. */
  refreshOwners(tx: Transaction): Promise<void>
  /** The same at once on this node, after the commit. */
  forgetOwners(): void
  /** Count the accounts, roles and API users that belong to a node of the tree itself. */
  belonging(tx: Transaction | null, organisationId: string): Promise<{ users: number; roles: number; clients: number }>
}
export const sessionKeeper = singlePoint<SessionKeeper>('organisation.sessionKeeper')

/** Returns the number of devices of these parks by type. */
export type CountDevices = (tx: Transaction | null, parkIds: readonly string[]) => Promise<{ type: number; count: number }[]>
export const deviceCount = singlePoint<CountDevices>('organisation.deviceCount')

/** Returns which of temperature, mask and helmet the sensors of a park report, or are set to report. */
export type FindMeasures = (scope: Scope) => Promise<Measures>
export const measureSources = extensionPoint<FindMeasures>('organisation.measureSources')

/** Returns those of these person groups that belong to the park. */
export type NamePersonGroups = (scope: Scope, ids: readonly string[]) => Promise<{ id: string; name: string }[]>
export const personGroupNames = singlePoint<NamePersonGroups>('organisation.personGroupNames')

/** Returns the base address of links, as it was set for this organisation or the installation; null where none was set. */
export type PublicAddress = (organisationId: string) => string | null
export const publicAddress = singlePoint<PublicAddress>('organisation.publicAddress')
