/** What the tree asks of areas above it. */
import type { Language } from '@gatehouse/contract'
import type { Measures } from '@gatehouse/contract/organisation/calls'
import type { OpenTransaction } from '../../platform/database/database.ts'
import { extensionPoint, singlePoint } from '../../platform/extension-points.ts'
import type { Scope, Session } from '../../platform/session/session.ts'

/** Sessions and accounts, as far as the tree decides about them. */
export interface SessionKeeper {
  roleNameOf(userId: string, language: Language): Promise<string>
  /** Moves the session to another park. */
  move(session: Session, parkId: string): Promise<void>
  /** What sessions may do is read anew, here and on other nodes. */
  refreshOwners(tx: OpenTransaction): Promise<void>
  /** The same at once on this node, after the commit. */
  forgetOwners(): void
  /** What belongs to a node of the tree itself. */
  belonging(tx: OpenTransaction | null, organisationId: string): Promise<{ users: number; roles: number; clients: number }>
}
export const sessionKeeper = singlePoint<SessionKeeper>('organisation.sessionKeeper')

/** How many devices of each type parks have. */
export type CountDevices = (tx: OpenTransaction | null, parkIds: readonly string[]) => Promise<{ type: number; count: number }[]>
export const deviceCount = singlePoint<CountDevices>('organisation.deviceCount')

/** Sensors of a park that tell, or are asked to tell, temperature, mask or helmet. */
export type FindMeasures = (scope: Scope) => Promise<Measures>
export const measureSources = extensionPoint<FindMeasures>('organisation.measureSources')

/** Those of these person groups that are the park's. */
export type NamePersonGroups = (scope: Scope, ids: readonly string[]) => Promise<{ id: string; name: string }[]>
export const personGroupNames = singlePoint<NamePersonGroups>('organisation.personGroupNames')

/** Beginning of links, as an administrator set it for this organisation or the installation; null where nobody did. */
export type PublicAddress = (organisationId: string) => string | null
export const publicAddress = singlePoint<PublicAddress>('organisation.publicAddress')
