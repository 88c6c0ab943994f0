/** What access groups offer. */
import type { accessGroupDraft } from '@gatehouse/contract/questions/effects'
import type { AccessGroup } from '@gatehouse/contract/strategies/access-groups'
import type { z } from 'zod'
import type { Scope } from '../../platform/session/session.ts'
import type { AccessGroupChange, AccessGroupFields } from './access-group-doors.ts'
import type { Admission, NamedDoors } from './changes.ts'

export interface AccessGroupService {
  /** By name. */
  all(scope: Scope): Promise<AccessGroup[]>
  /** @throws Refusal 300101 */
  read(scope: Scope, id: string): Promise<AccessGroup>
  /** @throws Refusal 900004; InvalidRequest for doors that are not in this park */
  create(scope: Scope, fields: AccessGroupFields): Promise<string>
  /** @throws as create; Refusal 300101; Conflict where it is not at `version` any more; AgainstWrittenRules */
  change(scope: Scope, id: string, version: number | undefined, fields: AccessGroupChange, admission?: Admission): Promise<void>
  /** Return the doors it would have: none where it is deleted. @throws as change and delete */
  drafted(scope: Scope, draft: z.output<typeof accessGroupDraft>): Promise<NamedDoors>
  /** @throws Refusal 300101, 300102 a strategy names it */
  delete(scope: Scope, id: string): Promise<void>
}
