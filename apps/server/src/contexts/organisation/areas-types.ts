/** What the administration of organisations offers, and what it needs of other areas. */
import type { z } from 'zod'
import type { OrganisationDetail, OrganisationModule, organisationAdd, organisationChange } from '@gatehouse/contract/organisation/areas'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Organisation } from './data.ts'
import type { Session } from '../../platform/session/session.ts'

export interface AreaNeeds {
  /** Return the contexts whose rows are deleted with a park. */
  contexts(): readonly Context[]
  /** Count the devices of these parks by type. */
  countDevices(tx: Transaction | null, parkIds: readonly string[]): Promise<{ type: number; count: number }[]>
  /** Count what belongs to a node of the tree itself. */
  belonging(tx: Transaction | null, organisationId: string): Promise<{ users: number; roles: number; clients: number }>
  /** Make every node read the permissions of sessions again. */
  refreshSessions(tx: Transaction): Promise<void>
  /** The same at once on this node, after the commit. */
  forgetSessions(): void
}
export type AddFields = z.output<typeof organisationAdd>
export type ChangeFields = z.output<typeof organisationChange>
export interface AreaService {
  read(caller: Caller, id: string): Promise<OrganisationDetail>
  /** Return the modules of a node, or of a new one below `parentId`. */
  modules(caller: Caller, of: { id?: string | undefined; parentId?: string | undefined }): OrganisationModule[]
  add(caller: Caller, fields: AddFields): Promise<string>
  change(caller: Caller, fields: ChangeFields): Promise<void>
  /** @returns how many rows of each kind were deleted with it */
  delete(caller: Caller, id: string): Promise<Record<string, number>>
  /** Return a node that the caller may see. @throws NotFound */
  visible(caller: Caller, id: string): Organisation
}
export type Caller = Session
