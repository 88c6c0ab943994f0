/** What the guard of written rules lets a change of persons do. */
import type { Transaction } from '../../platform/database/database.ts'
import type { PersonFields } from './fields.ts'
import type { CopyRequest } from './copying-types.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { AdmittedPerson } from './extension-points.ts'

export type Writing<T> = (tx: Transaction) => Promise<T>
/** Each operation writes in the transaction that the guard opens. @throws Hindered */

export interface PersonAdmission {
  /** Write a new person. */
  create<T>(scope: Scope, fields: Pick<PersonFields, 'groupId' | 'kind' | 'validTo'>, write: Writing<T>): Promise<T>
  /** Write the person of a visit. */
  visitor<T>(scope: Scope, person: Pick<AdmittedPerson, 'groupId' | 'validTo' | 'strategyIds'>, write: Writing<T>): Promise<T>
  /** Write a change of existing persons. @param field of the form that a refusal belongs to */
  change<T>(scope: Scope, ids: readonly string[], after: Changed, field: string, write: Writing<T>): Promise<T>
  /** Write copies of persons. @param to the park of the copies */
  copy<T>(scope: Scope, request: CopyRequest, to: Scope, write: Writing<T>): Promise<T>
}
/** The fields that change; what is left out or undefined stays. */

export type Changed = {
  [Key in 'groupId' | 'kind' | 'enabled' | 'validTo' | 'strategyIds']?: AdmittedPerson[Key] | undefined
}
