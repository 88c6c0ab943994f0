/** What areas ask of areas above them. */
import { singlePoint } from '../../platform/extension-points.ts'
import type { Scope } from '../../platform/session/session.ts'

/** The visit of a person who is a visitor, or came along with one. */
export interface VisitOfPerson {
  id: string
  /** Empty where there is none. */
  hostName: string
  /** Name of the group of visitors. */
  groupName: string
}

export interface VisitsOfPersons {
  /** Return the visits of those of these persons who are visitors, by person. */
  of(scope: Scope, personIds: readonly string[]): Promise<Map<string, VisitOfPerson>>
}
export const visitsOfPersons = singlePoint<VisitsOfPersons>('restrictions.visitsOfPersons')
