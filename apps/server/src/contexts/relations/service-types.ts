/** What linked parks offer, and what they need of other areas. */
import type { z } from 'zod'
import type { ParkRelation, relationCalls } from '@gatehouse/contract/relations/calls'
import type { OrganisationService } from '../organisation/index.ts'
import type { GroupService, PeopleService } from '../people/index.ts'
import type { Paging } from '../../platform/database/page.ts'
import type { Platform } from '../../platform/context.ts'
import type { LinkRows } from './link-rows.ts'
import type { Members } from './members-types.ts'
import type { AssociatedPerson } from '@gatehouse/contract/people/relation'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import type * as data from './data.ts'

export interface RelationDependencies {
  people: PeopleService
  groups: GroupService
  organisation: OrganisationService
}
export type AppliedFields = z.output<typeof relationCalls.apply.body>
export type RelationChange = z.output<typeof relationCalls.change.body>
export interface AssociatedFilter extends Paging {
  name?: string | undefined
  workNumber?: string | undefined
  parkId?: string | undefined
}
/** What the operations share. */

export interface RelationParts extends RelationDependencies {
  platform: Platform
  rows: LinkRows
  members: Members
}
export interface RelationService {
  parks(session: Session): Promise<{ id: string; parkName: string; areaCode: string }[]>
  list(session: Session, filter: data.RelationFilter & Paging): Promise<Paging & { total: number; content: ParkRelation[] }>
  /** Ask a park to link; return the id. @throws Refusal 1100001 for the own park, 1100002 where already asked, 1100003 where linked */
  apply(session: Session, fields: AppliedFields): Promise<string>
  /** @throws Refusal 1100004 for a change that is not open to this park; Conflict */
  change(scope: Scope, change: RelationChange): Promise<void>
  delete(scope: Scope, id: string): Promise<void>
  /** Return persons whom other parks share with this one. */
  associated(scope: Scope, filter: AssociatedFilter): Promise<Paging & { total: number; content: AssociatedPerson[] }>
  /** @throws NotFound for a person whom no other park shares with this one */
  associatedPerson(scope: Scope, id: string): Promise<AssociatedPerson>
  forget(scope: Scope, kind: data.MemberKind, ids: readonly string[]): Promise<void>
  erasePark(tx: Transaction, scope: Scope): Promise<Record<string, number>>
}
