/** A request to copy persons, and what copies them. */
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import type { PersonValues } from './data.ts'
import type { CopiedPhotos } from '../faces/index.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'

export interface CopyRequest {
  ids: readonly string[]
  groupId: string
  /** Left out or null: the kind of each person. */
  kind?: PersonKind | null | undefined
}
/** A copy that is not written yet. */

export interface PreparedCopy {
  /** The id of the original. */
  from: string
  id: string
  values: PersonValues
  photos: CopiedPhotos
  /** For the log, which shows only whether there is one; empty where there is none. */
  idNumber: string
}
/** @param to the park of the group @param by who copies */

export type Copying = (scope: Scope, request: CopyRequest, to: Scope, by: Partial<Pick<Actor, 'operator'>>) => Promise<number>
