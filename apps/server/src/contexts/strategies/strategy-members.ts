/** What strategies may name, and what it is called. */
import { personGroupType } from '@gatehouse/contract/enums/people'
import type { Platform } from '../../platform/context.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findAccessGroups } from './access-groups-data.ts'
import { VISITOR_KIND } from '../people/index.ts'
import type { StrategyDependencies } from './dependencies.ts'
import type { MemberKind } from './schema.ts'
import { distinct, FIELD_OF, type Members, type StrategyChange } from './strategy-changes.ts'

export type Named = { id: string; name: string }

export const KINDS = Object.keys(FIELD_OF) as MemberKind[]

export interface StrategyMembers {
  /**
   * Check what a change names; what it leaves out stays, whether or not it exists for the caller.
   * @throws InvalidRequest for each field that names something this park does not have, or nobody may be let in by
   */
  assertMembers(scope: Scope, sent: StrategyChange): Promise<void>
  accessGroupNames(scope: Scope, ids: readonly string[]): Promise<Named[]>
}

export function createStrategyMembers(
  platform: Platform,
  { people, groups, devices }: Pick<StrategyDependencies, 'people' | 'groups' | 'devices'>,
): StrategyMembers {
  const db = platform.db

  const accessGroupNames = async (scope: Scope, ids: readonly string[]): Promise<Named[]> =>
    (await findAccessGroups(scope, db, ids)).map(({ id, name }) => ({ id, name }))

  const REGISTER: Record<MemberKind, (scope: Scope, ids: readonly string[]) => Promise<Named[]>> = {
    // Visits name their persons themselves: for a form there are none.
    person: async (scope, ids) => (await people.facts(scope, ids)).filter(({ kind }) => kind !== VISITOR_KIND),
    personGroup: groups.names,
    device: devices.names,
    deviceGroup: devices.groupNames,
    accessGroup: accessGroupNames,
  }

  /** Return the fields that name persons of the watch list, or groups of them: no door lets them in. */
  async function watchListFields(scope: Scope, { personIds = [], personGroupIds = [] }: Partial<Members>): Promise<string[]> {
    const [persons, types] = await Promise.all([people.facts(scope, personIds), groups.types(scope, personGroupIds)])
    return [
      ...(persons.some(({ kind }) => kind === 'special') ? [FIELD_OF.person] : []),
      ...(types.some(({ type }) => type === personGroupType.blacklist) ? [FIELD_OF.personGroup] : []),
    ]
  }

  async function assertMembers(scope: Scope, sent: StrategyChange): Promise<void> {
    const found = await Promise.all(
      KINDS.map(async (kind) => {
        const ids = distinct(sent[FIELD_OF[kind]] ?? [])
        if (ids.length === 0) return true
        return ids.every(isUuid) && (await REGISTER[kind](scope, ids)).length === ids.length
      }),
    )
    const unknown = KINDS.filter((_, index) => !found[index])
    if (unknown.length > 0) throw new InvalidRequest(unknown.map((kind) => ({ path: FIELD_OF[kind], rule: 'unknown' })))
    const watchList = await watchListFields(scope, sent)
    if (watchList.length > 0) throw new InvalidRequest(watchList.map((path) => ({ path, rule: 'specialMember' })))
  }

  return { assertMembers, accessGroupNames }
}
